/// The same response on plain libevent events: the cost that remains without an HTTP layer.
enum EvRaw {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard let program = bench.reference("ev_raw") else { return [] }
        let server = { try bench.server("ev_raw") { try ReferenceServer(program, ["2048"], bench: bench) } }
        return ReferencePair.rows(bench, server: server, path: "/body", names: ("ev_raw 200", "ev_raw 304"))
    }
}
