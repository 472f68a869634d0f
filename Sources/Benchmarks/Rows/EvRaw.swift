/// The same answer on bare libevent events: what is left when the HTTP layer costs nothing.
enum EvRaw {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard let program = bench.reference("ev_raw") else { return [] }
        let server = { try bench.server("ev_raw") { try ReferenceServer(program, ["2048"], bench: bench) } }
        return ReferencePair.rows(bench, server: server, path: "/body", names: ("ev_raw 200", "ev_raw 304"))
    }
}
