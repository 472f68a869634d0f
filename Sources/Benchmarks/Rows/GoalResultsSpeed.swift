import BellwetherJSON
import Foundation

/// Results of an experiment with eight goals, in which 100,000 clients were exposed over a week. They are read from
/// sums by branch and day, so more clients cost nothing; more days do.
enum GoalResultsSpeed {
    private static let clients = PollMessages.clients
    private static let slug = "goals"
    private static let days = 7

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            QuantityRow("results of 8 goals, \(clients.size) clients", unit: "ms", limit: .atMost(50)) { _ in
                let server = try bench.server("goal-results") { try filled(bench) }
                let connection = try LoopbackClient(port: server.port)
                let begin = DispatchTime.now().uptimeNanoseconds
                let answer = try connection.get("/v1/apps/\(SampleApp.name)/results/\(slug)")
                let end = DispatchTime.now().uptimeNanoseconds
                try check(answer, goals: 8)
                return Double(end - begin) / 1e6
            }
        ]
    }

    /// Checks that results have so many goals, and that all clients were exposed.
    static func check(_ answer: LoopbackClient.Response, goals number: Int) throws {
        let goals = try JSONValue(parsing: answer.body).object?["goals"]?.object?["goals"]?.array ?? []
        let branches = goals.first?.object?["branches"]?.array ?? []
        let exposed = branches.reduce(0) { $0 + ($1.object?["exposed"]?.integer ?? 0) }
        guard answer.status == 200, goals.count == number, exposed == clients.size else {
            throw Failure("all clients should be exposed: \(answer.status) \(answer.text.prefix(500))")
        }
    }

    private static func filled(_ bench: Workbench) throws -> BellwetherServer {
        let folder = "\(bench.directory)/goal-results"
        try SampleApp(recipes: 0).write(to: folder, from: bench.app)
        let manifest = "\(folder)/apps/\(SampleApp.name)/manifest.json"
        var document = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: manifest)))).object ?? [:]
        document["features"] = ["bar": ["variables": ["place": ["type": "string", "default": "top"]]]]
        try JSONValue.object(document).text.write(toFile: manifest, atomically: false, encoding: .utf8)
        try experiment.write(
            toFile: "\(folder)/recipes/\(SampleApp.name)/\(slug).json", atomically: false, encoding: .utf8)
        let server = try BellwetherServer(on: folder, bench: bench)
        // The polls enroll the clients.
        try clients.poll(server.port)
        let now = Int(Date().timeIntervalSince1970)
        try clients.report(to: server.port) { id, number in
            let time = Date(timeIntervalSince1970: Double(now - number % days * 86_400)).formatted(.iso8601)
            return #"""
                {"client_id":"\#(id)","type":"feature","action":"exposed","experiment":"\#(slug)","feature_id":"bar",\#
                "at":"\#(time)"}
                """#
        }
        return server
    }

    private static let experiment: String = {
        let branches = ["plain", "short"].map { branch in
            #"{"slug":"\#(branch)","ratio":1,"features":[{"featureId":"bar","value":{"place":"\#(branch)"}}]}"#
        }
        let goals = (0..<8).map { #"{"name":"goal-\#($0)","event":"event-\#($0)","counts":"sum"}"# }
        return #"""
            {"schemaVersion":"1.12.0","slug":"\#(slug)","userFacingName":"G","userFacingDescription":"G",
            "isEnrollmentPaused":false,"proposedEnrollment":7,"bucketConfig":{"randomizationUnit":"nimbus_id",
            "namespace":"\#(slug)","start":0,"count":10000,"total":10000},
            "branches":[\#(branches.joined(separator: ","))],"goals":[\#(goals.joined(separator: ","))]}
            """#
    }()
}
