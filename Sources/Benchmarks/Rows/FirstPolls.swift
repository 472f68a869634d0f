/// First polls with 100 live experiments: each enrolls a client that was never seen in some fifty of them, with as many
/// events, durable before the answer. No client polls for the first time twice, so this is measured apart from the
/// rest.
enum FirstPolls {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            LoadBenchmark("first poll, 100 experiments", on: bench, expecting: 200) {
                let server = try bench.server("first polls") {
                    try BellwetherServer(named: "first-polls", recipes: 100, of: .experiments, bench: bench)
                }
                let path = PollMessages.clients.path(0, id: "CLIENT")
                return (server, Load(script: "strangers.lua") { [path, LoadTag.next("first")] })
            }
        ]
    }
}
