/// Behaviour events with an id each, durable before they are acknowledged. The rows send one event and 100 events in a
/// request. They are repeated with clients of an experiment: each event counts for two of its goals.
enum PostEvents {
    static func rows(_ bench: Workbench) -> [any Benchmark] { events(bench) + goals(bench) }

    private static func goals(_ bench: Workbench) -> [any Benchmark] {
        let clients = PollMessages.clients
        return [1, 100].map { count in
            let base = "events, \(count) a POST"
            return LoadBenchmark(
                "events of goals, \(count) a POST", on: bench, expecting: 200, rowsPerRequest: Double(count),
                comparedWith: [Comparison(base: base, figure: \.cpu, limit: .atMost(1.1))]
            ) {
                let server = try bench.server("goals") {
                    let server = try BellwetherServer(named: "goals", recipes: 100, bench: bench)
                    try LoopbackClient(port: server.port).publish("measured", experiment)
                    try clients.introduce(to: server.port)
                    try clients.poll(server.port)
                    try clients.display("measured", to: server.port)
                    return server
                }
                try GoalResultsSpeed.check(
                    LoopbackClient(port: server.port).get("/v1/apps/\(SampleApp.name)/results/measured"), goals: 2)
                return (server, .events(count, clients: clients.size))
            }
        }
    }

    /// Both branches have the same message, so that every client is exposed by the same event.
    private static let experiment: String = {
        let branches = ["plain", "short"].map { slug in
            #"""
            {"slug":"\#(slug)","ratio":1,"features":[{"featureId":"messaging","value":{"messages":{"measured":
            {"surface":"survey","text":"t","experiment":"{experiment}"}}}}]}
            """#
        }
        return #"""
            {"schemaVersion":"1.12.0","slug":"measured","userFacingName":"M","userFacingDescription":"M",
            "isEnrollmentPaused":false,"proposedEnrollment":7,"bucketConfig":{"randomizationUnit":"nimbus_id",
            "namespace":"measured","start":0,"count":10000,"total":10000},"branches":[\#(branches.joined(separator: ","))],
            "goals":[{"name":"opened","event":"app_cycle.foreground","counts":"converted"},
            {"name":"opens","event":"app_cycle.foreground","counts":"sum","cap":1000000}]}
            """#
    }()

    private static func events(_ bench: Workbench) -> [any Benchmark] {
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
