import Foundation

/// The time from the start of the process to the first 200 of `/__heartbeat__`, with 1,000 recipes and 1,000,000 known
/// clients on disk. The recipes are in the database and in the folder, as in a deployment. The files are in the
/// system's cache, because they are read first.
enum StartSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] { [StartRow(recipes: 1_000, clients: 1_000_000, bench)] }
}

private final class StartRow: Benchmark {
    let name: String
    let unit: String? = "ms"
    let limit: Limit? = .atMost(1_000, aim: 200)
    private let clients: Population
    private let recipes: Int
    private let bench: Workbench
    private var folder: String { "\(bench.directory)/start" }

    init(recipes: Int, clients: Int, _ bench: Workbench) {
        name = "start to ready, 1,000 recipes, 1,000,000 clients"
        self.clients = Population(size: clients)
        self.recipes = recipes
        self.bench = bench
    }

    /// Fills the database once, through the API.
    func prepare() throws {
        try SampleApp(recipes: recipes).write(to: folder, from: bench.app)
        let server = try BellwetherServer(on: folder, bench: bench)
        try clients.introduce(to: server.port)
        server.stop()
    }

    func sample(round: Int) throws -> Sample? {
        try readFiles()
        let port = try ReferenceServer.freePort()
        let command = try BellwetherServer.command(on: folder, port: port, bench: bench)
        let start = MonotonicClock.now
        let child = try Child(command, core: bench.serverCore, log: "\(folder)/start")
        defer { child.stop() }
        while !isReady(port) {
            guard MonotonicClock.now - start < 120_000_000_000 else { throw Failure("not ready: \(child.complaint)") }
            try Interruption.check()
            usleep(1_000)
        }
        let milliseconds = Double(MonotonicClock.now - start) / 1_000_000
        try checkClients(port)
        return Sample(quantity: milliseconds)
    }

    /// Reads all files into the system's cache. Earlier rows or the system itself may have evicted them, and the row
    /// would then measure the disk.
    private func readFiles() throws {
        let files = FileManager.default.enumerator(atPath: folder)
        while let name = files?.nextObject() as? String {
            guard let file = FileHandle(forReadingAtPath: "\(folder)/\(name)") else { continue }
            while let part = try? file.read(upToCount: 1 << 20), !part.isEmpty {}
            try file.close()
        }
    }

    private func isReady(_ port: Int) -> Bool {
        (try? LoopbackClient(port: port).get("/__heartbeat__").status) == 200
    }

    /// Checks that the clients are stored: the last client's event is a duplicate.
    private func checkClients(_ port: Int) throws {
        let client = clients.id(clients.size - 1)
        let event = #"{"client_id":"\#(client)","type":"behavior","name":"homepage_viewed","id":"seen"}"#
        let answer = try LoopbackClient(port: port).post(
            "/v1/apps/\(SampleApp.name)/events", type: "application/x-ndjson", body: Array("\(event)\n".utf8))
        guard answer.text.contains(#""duplicates":1"#) else { throw Failure("\(client) is not known: \(answer.text)") }
    }
}
