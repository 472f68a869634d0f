/// libevent's own HTTP server with 2 KB from memory, which polls are compared with.
enum EvhttpBare {
    static let found = "evhttp_bare 200"
    static let unchanged = "evhttp_bare 304"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard let program = bench.reference("evhttp_bare") else { return [] }
        let server = { try bench.server("evhttp_bare") { try ReferenceServer(program, ["1", "2048"], bench: bench) } }
        return [
            LoadBenchmark(found, on: bench, expecting: 200) { (try server(), .replay(["/body"])) },
            // The response as 304, when its own ETag is sent back.
            LoadBenchmark(unchanged, on: bench, expecting: 304) {
                let server = try server()
                let answer = try LoopbackClient(port: server.port).get("/body")
                guard let tag = answer.headers["etag"] else { throw Failure("\(unchanged): no ETag") }
                return (server, .replay([HTTPText.get("/body", ifNoneMatch: tag)]))
            },
        ]
    }
}
