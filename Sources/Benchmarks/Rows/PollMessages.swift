/// Polls of 100,000 clients that the server knows, with 100 live messages of which the one at place 50 is eligible.
enum PollMessages {
    static let name = "poll 200, 100 messages"
    static let clients = Population(size: 100_000)

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparison = Comparison(base: EvhttpBare.found, figure: \.cpu, limit: .atMost(1.3))
        return [
            LoadBenchmark(name, on: bench, expecting: 200, comparedWith: [comparison]) {
                let server = try server(bench)
                let answer = try LoopbackClient(port: server.port).get(clients.path(0))
                guard answer.status == 200, answer.text.contains(#""key":"bench-0\#(SampleApp.eligiblePlace)""#) else {
                    throw Failure("the message at place \(SampleApp.eligiblePlace) should be offered: \(answer.text)")
                }
                let lines = (0..<clients.size).map { clients.path($0) }
                return (server, try Load.replay(lines, named: "poll-200.txt", bench: bench))
            }
        ]
    }

    /// The daemon that all polls go to.
    static func server(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("polls") {
            let server = try BellwetherServer(named: "polls", recipes: 100, bench: bench)
            try clients.introduce(to: server.port)
            return server
        }
    }
}
