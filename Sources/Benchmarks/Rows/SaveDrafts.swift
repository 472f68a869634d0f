/// Drafts of a questionnaire, each durable before it is acknowledged, compared with behaviour events.
enum SaveDrafts {
    private static let slug = "bench-drafts"
    private static let clients = 1_000
    private static let path = "/v1/apps/\(SampleApp.name)/questionnaires/\(slug)/responses"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparison = Comparison(base: PostEvents.oneEvent, figure: \.cpu, limit: .atMost(2.7))
        return [
            LoadBenchmark("draft saves", on: bench, expecting: 200, comparedWith: [comparison]) {
                let server = try bench.server("events") {
                    try BellwetherServer(named: "events", recipes: 100, bench: bench)
                }
                try begin(server)
                let load = Load.posts(path) { number, tag in
                    #"{"client_id":"client-\#(number % clients)","answers":{"q\#(number % 5)":"\#(tag)\#(number)"}}"#
                }
                return (server, load)
            }
        ]
    }

    /// Publishes the questionnaire and begins the runs that are saved to: the measured requests begin no run.
    private static func begin(_ server: BellwetherServer) throws {
        let connection = try LoopbackClient(port: server.port)
        let questions = (0..<5).map { #"{"id":"q\#($0)","type":"text","title":"Why?"}"# }.joined(separator: ",")
        let document = #"{"kind":"questionnaire","name":"Drafts","schema":{"version":1,"questions":[\#(questions)]}}"#
        try connection.publish(slug, document)
        for client in 0..<clients {
            let body = #"{"client_id":"client-\#(client)","answers":{"q0":"first"}}"#
            let answer = try connection.post(path, type: "application/json", body: Array(body.utf8))
            guard [200, 201].contains(answer.status) else {
                throw Failure("a draft should be saved: \(answer.status) \(answer.text)")
            }
        }
    }
}
