/// Polls of 100,000 clients whose enrollments are settled, with 100 live experiments. Each client is in about fifty of
/// them, in a set of branches that hardly any other client has. The cost of experiments is the ratio to the same poll
/// without them.
enum PollEnrolled {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparisons = [
            Comparison(base: PollMessages.plain, figure: \.cpu, limit: .atMost(1.7)),
            Comparison(base: EvhttpBare.found, figure: \.cpu, limit: nil),
        ]
        return [
            LoadBenchmark(
                "poll 200, asked anew, 100 experiments", on: bench, expecting: 200, comparedWith: comparisons
            ) {
                let clients = PollMessages.clients
                let server = try bench.server("enrolled") {
                    let server = try BellwetherServer(
                        named: "enrolled", recipes: 100, of: .experiments, bench: bench)
                    try clients.introduce(to: server.port)
                    // The first poll enrolls the client; the second finds nothing to change, which is cached.
                    for _ in 0..<2 { try clients.poll(server.port) }
                    return server
                }
                try check(clients, server)
                return (server, .replayAnew(clients.respelledPaths))
            }
        ]
    }

    /// Checks that clients are offered the messages of their branches, and that the branches vary between clients.
    private static func check(_ clients: Population, _ server: BellwetherServer) throws {
        let client = try LoopbackClient(port: server.port)
        var branches: Set<String> = []
        for number in 0..<200 {
            let answer = try client.get(clients.path(number))
            let parts = answer.text.split(separator: "\"branch\":\"")
            guard answer.status == 200, parts.count == 2,
                let branch = parts[1].split(separator: "\"").first,
                let key = answer.text.split(separator: "\"").dropFirst(5).first, key.hasSuffix(branch)
            else {
                throw Failure(
                    "a message of a branch should be offered: \(answer.status) \(answer.text.prefix(500))")
            }
            branches.insert(String(key))
        }
        guard branches.count >= 8 else {
            throw Failure("clients should be in different branches: \(branches)")
        }
    }
}
