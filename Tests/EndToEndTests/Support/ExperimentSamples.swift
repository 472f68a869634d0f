import BellwetherJSON
import Foundation
import TestSupport

extension Sample {
    /// A Nimbus experiment that enrolls everyone, with a `messaging` value for each branch. Null removes a field.
    static func experiment(
        _ slug: String = "e", _ branches: KeyValuePairs<String, JSONValue> = branches, _ more: JSONObject = [:]
    ) -> JSONValue {
        var fields: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "id": .string(slug), "appName": "test_app",
            "appId": "org.example.test", "userFacingName": "A name", "userFacingDescription": "A description",
            "isEnrollmentPaused": false, "isRollout": false, "proposedEnrollment": 7,
            "bucketConfig": buckets("n-\(slug)"),
            "branches": .array(
                branches.map { slug, value in
                    [
                        "slug": .string(slug), "ratio": 1,
                        "features": [["featureId": "messaging", "value": value]],
                    ]
                }),
        ]
        for (key, value) in more { fields[key] = value == .null ? .none : .some(value) }
        return .object(fields)
    }

    static func buckets(_ namespace: String, start: Int64 = 0, count: Int64 = 10_000) -> JSONValue {
        [
            "randomizationUnit": "nimbus_id", "namespace": .string(namespace), "start": .integer(start),
            "count": .integer(count), "total": 10_000,
        ]
    }

    /// Two branches with a message each.
    static let branches: KeyValuePairs<String, JSONValue> = [
        "control": message("old", ["experiment": "{experiment}", "text": "As before"]),
        "treatment": message("new", ["experiment": "{experiment}", "text": "Something new"]),
    ]

    /// Only one branch, so that each client's branch is known.
    static let treatment: KeyValuePairs<String, JSONValue> = [
        "treatment": message("new", ["experiment": "{experiment}", "text": "Something new"])
    ]
}

extension TestApp {
    func delete(_ slug: String) throws {
        let answer = try server.send("DELETE", "\(path)/recipes/\(slug)")
        guard answer.status == 204 || answer.status == 200 else { throw Failure("not deleted: \(answer.text)") }
    }

    /// The `nimbus_events` of a client, each as `name` and its extras in order.
    func enrollmentEvents(_ client: String = "c") throws -> [String] {
        try telemetry().filter { $0["category"] == "nimbus_events" && $0["client_id"] == .string(client) }.map {
            ([$0["name"].string ?? "?"] + ($0["extra"].object ?? [:]).map { "\($0.key)=\($0.value.string ?? "?")" })
                .joined(separator: " ")
        }
    }

    /// The same app on the same directory, after the daemon was killed.
    func restarted() throws -> TestApp {
        try server.kill()
        return TestApp(on: try Daemon(data: server.data), named: name)
    }
}
