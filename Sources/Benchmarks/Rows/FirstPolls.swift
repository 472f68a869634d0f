/// First polls with 100 live experiments. Each poll enrolls a new client in about fifty of them, and writes as many
/// events, durably before the response. No client can poll for the first time twice, so this is measured apart from the
/// other rows.
enum FirstPolls {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            LoadBenchmark("first poll, 100 experiments", on: bench, expecting: 200) {
                let server = try bench.server("first polls") {
                    try BellwetherServer(named: "first-polls", recipes: 100, of: .experiments, bench: bench)
                }
                let path = PollMessages.clients.path(0, id: "CLIENT")
                return (server, .strangers(path))
            }
        ]
    }
}

/// Polls with new client ids. Many of them must not create a stored state each, and must not evict known clients.
enum PollStrangers {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparison = Comparison(base: EvhttpBare.found, figure: \.cpu, limit: nil)
        return [
            LoadBenchmark(
                "poll 200, ids never seen", on: bench, expecting: 200, comparedWith: [comparison]
            ) {
                let server = try PollMessages.plainServer(bench)
                let path = PollMessages.clients.path(0, id: "CLIENT")
                return (server, .strangers(path))
            }
        ]
    }
}
