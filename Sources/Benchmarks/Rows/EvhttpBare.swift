/// libevent's own HTTP server with 2 KB from memory, which polls are compared with.
enum EvhttpBare {
    static let found = "evhttp_bare 200"
    static let unchanged = "evhttp_bare 304"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard let program = bench.reference("evhttp_bare") else { return [] }
        let server = { try bench.server("evhttp_bare") { try ReferenceServer(program, ["1", "2048"], bench: bench) } }
        return ReferencePair.rows(bench, server: server, path: "/body", names: (found, unchanged))
    }
}

/// The response of a reference server as 200, and as 304 when its own ETag is sent back.
enum ReferencePair {
    static func rows(
        _ bench: Workbench, server: @escaping () throws -> ReferenceServer, path: String,
        names: (found: String, unchanged: String)
    ) -> [any Benchmark] {
        let found = LoadBenchmark(
            names.found, on: bench, expecting: 200, comparedWith: base(EvhttpBare.found, names.found)
        ) {
            let server = try server()
            return (server, try Load.replay([path], named: "\(names.found).txt", bench: bench))
        }
        let unchanged = LoadBenchmark(
            names.unchanged, on: bench, expecting: 304, comparedWith: base(EvhttpBare.unchanged, names.unchanged)
        ) {
            let server = try server()
            let answer = try LoopbackClient(port: server.port).get(path)
            guard let tag = answer.headers["etag"] else { throw Failure("\(names.unchanged): no ETag") }
            return (server, try Load.replay(["\(path)\t\(tag)"], named: "\(names.unchanged).txt", bench: bench))
        }
        return [found, unchanged]
    }

    private static func base(_ base: String, _ name: String) -> [Comparison] {
        base == name ? [] : [Comparison(base: base, figure: \.cpu, limit: nil)]
    }
}
