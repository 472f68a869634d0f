/// Polls whose answer has not changed: each client sends the ETag of its own last answer.
enum PollUnchanged {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparison = Comparison(base: EvhttpBare.unchanged, figure: \.cpu, limit: .atMost(0.75, aim: 0.65))
        return [
            LoadBenchmark("poll 304", on: bench, expecting: 304, comparedWith: [comparison]) {
                let server = try PollMessages.server(bench, for: "again")
                let clients = Population(size: 10_000)
                let connection = try LoopbackClient(port: server.port)
                let requests = try (0..<clients.size).map { number in
                    let answer = try connection.get(clients.path(number))
                    guard answer.status == 200, let tag = answer.headers["etag"] else {
                        throw Failure("poll: \(answer.status) \(answer.text.prefix(500))")
                    }
                    return HTTPText.get(clients.path(number), ifNoneMatch: tag)
                }
                return (server, .replay(requests))
            }
        ]
    }
}
