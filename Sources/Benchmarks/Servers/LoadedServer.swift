/// The daemon that the load generator of ours is turned on: what ``PollMessages`` has, on a daemon of its own, since
/// what is published and recorded beside the polls would change what the other rows measure.
enum LoadedServer {
    static let clients = PollMessages.clients

    static func server(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("loaded") {
            let folder = "\(bench.directory)/loaded"
            try SampleApp(recipes: 100, kind: .mixed).write(to: folder, from: bench.app)
            // Room for bad company beside the clients that are measured; what of it is half-open goes soon after a
            // turn.
            let settings = ["LIMITS_CONNECTIONS": "20000", "LIMITS_HEAD_SECONDS": "3"]
            let server = try BellwetherServer(on: folder, settings: settings, bench: bench)
            try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
            for _ in 0..<2 { try clients.poll(server.port) }
            try fillMemory(of: server, bench)
            return server
        }
    }

    /// As many polls as the daemon may remember answers of, twice, so that the rows find it as large as it gets.
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
