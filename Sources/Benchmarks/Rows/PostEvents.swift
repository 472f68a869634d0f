/// Behaviour events with an id each, durable before they are acknowledged. The rows send one event and 100 events in a
/// request.
enum PostEvents {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [(1, Limit.atLeast(2)), (100, Limit.atLeast(2))].map { count, limit in
            let comparison = Comparison(base: SQLiteFloor.name(batch: count), figure: \.rows, limit: limit)
            return LoadBenchmark(
                "events, \(count) a POST", on: bench, expecting: 200, rowsPerRequest: Double(count),
                comparedWith: [comparison]
            ) {
                let server = try bench.server("events") {
                    try BellwetherServer(named: "events", recipes: 100, bench: bench)
                }
                try check(server)
                return (server, .events(count, clients: clients))
            }
        }
    }

    private static let clients = 100_000
    static let oneEvent = "events, 1 a POST"

    /// Checks that the events of the row are recorded, and only once.
    private static func check(_ server: BellwetherServer) throws {
        let id = LoadTag.next("check")
        let body = #"{"client_id":"c","events":[{"type":"behavior","name":"app_cycle.foreground","id":"\#(id)"}]}"#
        let client = try LoopbackClient(port: server.port)
        for expected in [#""accepted":1"#, #""duplicates":1"#] {
            let answer = try client.post(
                "/v1/apps/\(SampleApp.name)/events", type: "application/json", body: Array(body.utf8))
            guard answer.status == 200, answer.text.contains(expected) else {
                throw Failure("an event should give \(expected): \(answer.status) \(answer.text)")
            }
        }
    }
}
