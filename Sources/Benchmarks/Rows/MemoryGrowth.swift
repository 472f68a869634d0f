import Foundation

/// The memory cost of one more idle connection, one more idle stream and one more known client. Each is the growth of
/// resident memory over many of them, divided by their number.
enum MemoryGrowth {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            row("an idle connection (1,000 to 10,000)", .atMost(4_096, aim: 2_048)) { try ofConnection(bench) },
            row("an idle stream (1,000 to 10,000)", .atMost(8_192)) { try ofStream(bench) },
            row("a known client (20,000 to 200,000)", .atMost(256, aim: 128)) { try ofClient(bench) },
        ]
    }

    private static func row(
        _ name: String, _ limit: Limit, measure: @escaping () throws -> Double
    ) -> any Benchmark {
        QuantityRow("memory of \(name)", unit: "bytes", limit: limit, isMeasuredOnce: true) { _ in try measure() }
    }

    /// Each connection has made one poll, all of them as the same client, so that only connections grow.
    private static func ofConnection(_ bench: Workbench) throws -> Double {
        let path = Population(size: 1).path(0)
        return try growth(to: "connections", counted: "bellwether_connections", bench) { _ in path }
    }

    /// Each stream is of another client.
    private static func ofStream(_ bench: Workbench) throws -> Double {
        try growth(to: "streams", counted: "bellwether_streams", bench) { Population.streamPath($0) }
    }

    /// The growth of the daemon's memory for one of 9,000 connections that have asked for a path each.
    private static func growth(
        to name: String, counted metric: String, _ bench: Workbench, path: (_ number: Int) -> String
    ) throws -> Double {
        let folder = "\(bench.directory)/\(name)"
        try SampleApp(recipes: 100).write(to: folder, from: bench.app)
        let server = try BellwetherServer(on: folder, settings: ["LIMITS_CONNECTIONS": "11000"], bench: bench)
        defer { server.stop() }
        var connections: [LoopbackClient] = []
        let sizes = try [1_000, 10_000].map { count in
            while connections.count < count {
                connections.append(try LoopbackClient(port: server.port))
                let answer = try connections[connections.count - 1].get(path(connections.count))
                guard answer.status == 200 else {
                    throw Failure("\(name): \(answer.status) \(answer.text.prefix(500))")
                }
            }
            // Idle connections release their buffers after a short delay.
            usleep(1_500_000)
            let metrics = try LoopbackClient(port: server.port).get("/metrics").text
            guard let line = metrics.split(separator: "\n").first(where: { $0.hasPrefix("\(metric) ") }),
                let open = line.split(separator: " ").last.flatMap({ Int($0) }), (count...count + 1).contains(open)
            else { throw Failure("\(count) \(name) should be open") }
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
