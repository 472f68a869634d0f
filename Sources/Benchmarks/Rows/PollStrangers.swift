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
