import Foundation

/// The memory cost of one more idle connection and of one more known client. Each is the growth of resident memory over
/// many of them, divided by their number.
enum MemoryGrowth {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            MemoryRow("memory of an idle connection (1,000 to 10,000)", limit: .atMost(4_096, aim: 2_048)) {
                try ofConnection(bench)
            },
            MemoryRow("memory of a known client (20,000 to 200,000)", limit: .atMost(256, aim: 128)) {
                try ofClient(bench)
            },
        ]
    }

    /// Each connection has made one poll, all of them as the same client, so that only connections grow.
    private static func ofConnection(_ bench: Workbench) throws -> Double {
        let folder = "\(bench.directory)/connections"
        try SampleApp(recipes: 100).write(to: folder, from: bench.app)
        let server = try BellwetherServer(on: folder, settings: ["LIMITS_CONNECTIONS": "11000"], bench: bench)
        defer { server.stop() }
        var connections: [LoopbackClient] = []
        let path = Population(size: 1).path(0)
        let sizes = try [1_000, 10_000].map { count in
            while connections.count < count {
                connections.append(try LoopbackClient(port: server.port))
                let answer = try connections[connections.count - 1].get(path)
                guard answer.status == 200 else { throw Failure("poll: \(answer.status) \(answer.text.prefix(500))") }
            }
            // Idle connections release their buffers after a short delay.
            usleep(1_500_000)
            let metrics = try connections[0].get("/metrics").text
            guard metrics.contains("\nbellwether_connections \(count)\n") else {
                throw Failure("\(count) connections should be open")
            }
            return try ProcessUsage.resident(of: server.pid)
        }
        return (sizes[1] - sizes[0]) / 9_000 * 1_000_000
    }

    /// A first daemon records clients, and a second one reads them, so that only their stored state counts.
    private static func ofClient(_ bench: Workbench) throws -> Double {
        let clients = ExperiencedClients(size: 200_000)
        let folder = "\(bench.directory)/clients"
        try ExperiencedClients.write(to: folder, from: bench.app)
        let first = try BellwetherServer(on: folder, bench: bench)
        try clients.poll(first.port, 0..<clients.size, reporting: true)
        first.stop()
        let server = try BellwetherServer(on: folder, bench: bench)
        defer { server.stop() }
        let sizes = try [0..<20_000, 20_000..<clients.size].map { numbers in
            try clients.poll(server.port, numbers, reporting: false)
            return try ProcessUsage.resident(of: server.pid)
        }
        return (sizes[1] - sizes[0]) / 180_000 * 1_000_000
    }
}

/// A row that is measured once in a run: memory does not depend on other load on the machine.
private final class MemoryRow: Benchmark {
    let name: String
    let unit: String? = "bytes"
    let limit: Limit?
    private let measure: () throws -> Double

    init(_ name: String, limit: Limit, measure: @escaping () throws -> Double) {
        self.name = name
        self.limit = limit
        self.measure = measure
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? { round == 1 ? Sample(quantity: try measure()) : nil }
}
