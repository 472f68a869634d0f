import BellwetherJSON
import Foundation

/// OpenFeature's bulk evaluation of 20 features for 100,000 clients that have sent the same request before, compared
/// with a repeated poll. Each feature has two variables and an experiment with two branches; half of the clients are in
/// each experiment. So hardly two clients get the same response.
enum BulkFlags {
    static let again = "OFREP bulk, 20 features, asked again"
    private static let features = 20
    private static let path = "/v1/apps/\(SampleApp.name)/ofrep/v1/evaluate/flags"
    private static let clients = PollMessages.clients

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let comparison = Comparison(base: PollMessages.again, figure: \.cpu, limit: .atMost(1.2))
        return [
            LoadBenchmark(again, on: bench, expecting: 200, comparedWith: [comparison]) {
                let server = try bench.server("flags") {
                    let server = try BellwetherServer(
                        on: try write(to: "\(bench.directory)/flags", bench), bench: bench)
                    // The first request enrolls the client; the response to the second is cached.
                    for _ in 0..<2 { try ask(server.port) }
                    return server
                }
                return (server, .replay((0..<clients.size).map(request)))
            }
        ]
    }

    private static func write(to folder: String, _ bench: Workbench) throws -> String {
        try SampleApp(recipes: 0).write(to: folder, from: bench.app)
        let manifest = "\(folder)/apps/\(SampleApp.name)/manifest.json"
        var document = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: manifest)))).object ?? [:]
        let variables: JSONValue = [
            "variables": [
                "enabled": ["type": "boolean", "default": false], "label": ["type": "string", "default": "Continue"],
            ]
        ]
        document["features"] = .object(JSONObject((0..<features).map { (key: "feature-\($0)", value: variables) }))
        try JSONValue.object(document).text.write(toFile: manifest, atomically: false, encoding: .utf8)
        for number in 0..<features {
            let file = "\(folder)/recipes/\(SampleApp.name)/experiment-\(number).json"
            try recipe(number).write(toFile: file, atomically: false, encoding: .utf8)
        }
        return folder
    }

    private static func recipe(_ number: Int) -> String {
        let branches = ["control": "{}", "treatment": #"{"enabled": true, "label": "Go on"}"#].map { branch, value in
            """
            {"slug": "\(branch)", "ratio": 1, "features": [{"featureId": "feature-\(number)", "value": \(value)}]}
            """
        }
        return """
            {"schemaVersion": "1.12.0", "slug": "experiment-\(number)", "appName": "firefox_ios", "userFacingName": "\(number)",
             "userFacingDescription": "The benchmark's", "isEnrollmentPaused": false, "isRollout": false,
             "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "n-\(number)", "start": 0, "count": 5000,
                              "total": 10000},
             "targeting": "true", "proposedEnrollment": 7, "branches": [\(branches.joined(separator: ","))]}
            """
    }

    private static func request(_ number: Int) -> [UInt8] {
        let body = #"{"context":{"targetingKey":"client-\#(number)","locale":"en-US","os_version":"17.4"}}"#
        return HTTPText.request("POST", path, body: Array(body.utf8))
    }

    /// Sends one request for each client, on many connections at once, so that enrollments are committed in groups.
    private static func ask(_ port: Int) throws {
        let connections = try (0..<100).map { _ in try LoopbackClient(port: port) }
        for start in stride(from: 0, to: clients.size, by: connections.count) {
            try Interruption.check()
            let asking = zip(connections, start..<min(start + connections.count, clients.size))
            for (connection, number) in asking {
                try connection.send(request(number))
            }
            for (connection, _) in asking {
                let answer = try connection.answer()
                guard answer.status == 200, answer.text.contains(#""key":"feature-19.label""#) else {
                    throw Failure("flags: \(answer.status) \(answer.text.prefix(500))")
                }
            }
        }
    }
}
