import Foundation

/// The daemon's resident memory with 100 recipes and 1,000 clients that have polled once and stay connected. A second
/// row adds the table of cities, which is read at the first request for a place.
enum IdleMemory {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            IdleConnections(count: 1_000, recipes: 100, bench: bench),
            IdleConnections(count: 1_000, recipes: 100, hasCities: true, bench: bench),
        ]
    }
}

private final class IdleConnections: Benchmark {
    let name: String
    let unit: String? = "MB"
    let limit: Limit? = .atMost(40)
    private let count: Int
    private let recipes: Int
    private let hasCities: Bool
    private let bench: Workbench

    init(count: Int, recipes: Int, hasCities: Bool = false, bench: Workbench) {
        name = "memory, \(recipes) recipes, \(count) connections" + (hasCities ? ", cities" : "")
        self.hasCities = hasCities
        self.count = count
        self.recipes = recipes
        self.bench = bench
    }

    func prepare() throws {}

    /// Measures once in a run, on a separate daemon: memory does not depend on other load on the machine.
    func sample(round: Int) throws -> Sample? {
        guard round == 1 else { return nil }
        // The path is relative to the repository, which is the benchmark's working directory.
        let settings = hasCities ? ["LOCATIONS_CITIES": "config/locations/cities.tsv.gz"] : [:]
        let server = try bench.server("memory") {
            try BellwetherServer(
                named: hasCities ? "memory-cities" : "memory", recipes: recipes, settings: settings, bench: bench)
        }
        defer { bench.stop("memory") }
        if hasCities { try readCities(server) }
        let clients = Population(size: count)
        let connections = try (0..<count).map { number in
            let connection = try LoopbackClient(port: server.port)
            let answer = try connection.get(clients.path(number))
            guard answer.status == 200 else { throw Failure("poll: \(answer.status) \(answer.text.prefix(500))") }
            return connection
        }
        // Idle connections release their buffers after a short delay.
        usleep(1_500_000)
        let resident = try ProcessUsage.resident(of: server.pid)
        return withExtendedLifetime(connections) { Sample(quantity: resident) }
    }

    private func readCities(_ server: BellwetherServer) throws {
        let connection = try LoopbackClient(port: server.port)
        let answer = try connection.get("/v1/apps/\(SampleApp.name)/locations?query=Leipzig")
        guard answer.status == 200, answer.text.contains("Leipzig") else {
            throw Failure("cities: \(answer.status) \(answer.text.prefix(500))")
        }
    }
}
