/// The daemon that the load generator of ours is turned on: what ``PollMessages`` has, on a daemon of its own, since what is
/// published and recorded beside the polls would change what the other rows measure.
enum LoadedServer {
    static let clients = PollMessages.clients

    static func server(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("loaded") {
            let folder = "\(bench.directory)/loaded"
            try SampleApp(recipes: 100, kind: .mixed).write(to: folder, from: bench.app)
            // Room for bad company beside the clients that are measured.
            let server = try BellwetherServer(
                on: folder, settings: ["LIMITS_CONNECTIONS": "20000"], bench: bench)
            try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
            for _ in 0..<2 { try clients.poll(server.port) }
            return server
        }
    }
}
