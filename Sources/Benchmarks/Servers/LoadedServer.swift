/// The daemon that the load generator polls. It serves the app of ``PollMessages`` in a separate process, because
/// publishes and events beside the polls would change the measurements of other rows.
enum LoadedServer {
    static let clients = PollMessages.clients

    static func server(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("loaded") {
            let folder = "\(bench.directory)/loaded"
            try SampleApp(recipes: 100, kind: .mixed).write(to: folder, from: bench.app)
            // The limits leave room for adverse connections beside the measured ones, and end half-open connections
            // soon after a turn.
            let settings = ["LIMITS_CONNECTIONS": "20000", "LIMITS_HEAD_SECONDS": "3"]
            let server = try BellwetherServer(on: folder, settings: settings, bench: bench)
            try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
            for _ in 0..<2 { try clients.poll(server.port) }
            try fillMemory(of: server, bench)
            return server
        }
    }

    /// Sends twice as many polls as the daemon caches responses for, so that the rows measure it at its full size.
    private static func fillMemory(of server: BellwetherServer, _ bench: Workbench) throws {
        try bench.takeLoadCore()
        let source = try PollSource(clients)
        while source.asked < 262_144 {
            let polls = source.stream("polls", .closed, connections: bench.connections)
            try LoadGenerator(port: server.port, [polls]).run(seconds: 1)
            guard polls.failed == 0 else { throw Failure("polls: \(polls.complaint)") }
        }
    }
}
