import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Patterns and conditions that are written to take long block no other request (docs/reference/surveys.md#budget).
@Suite struct HostilePatternTests {
    private static func flow(_ pattern: String) -> JSONValue {
        let field: JSONValue = ["id": "a", "type": "text", "validation": ["pattern": .string(pattern)]]
        return ["kind": "flow", "name": "F", "steps": [["id": "s", "type": "form", "config": ["fields": [field]]]]]
    }

    /// Without a limit, each pattern would block its thread forever: the publisher, the worker that validates, and the
    /// stop.
    @Test func `Repetitions of nothing are faults at once, and the daemon ends when it is told to`() throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        let patterns = ["((((){1000}){1000}){1000}){1000}", "(((((a{0}){1000}){1000}){1000}){1000}){1000}"]
        for pattern in patterns {
            let published = try daemon.put("\(app.path)/recipes/f", Self.flow(pattern))
            let validated = try daemon.post("\(app.path)/recipes/validate", Self.flow(pattern))
            for answer in [published, validated] {
                #expect(places(expectProblem(answer, 422)) == ["/steps/0/config/fields/0/validation/pattern pattern"])
            }
            #expect(try daemon.get("/__heartbeat__").status == 200)
        }
        try app.publish("f", Self.flow("(a*)*"))
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    /// Each of these tests needs 0.7 s. On the writer's thread they would block the saves of all clients for more than
    /// a minute.
    @Test func `A save that takes too long does not hold up another client's`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let test: JSONValue = ["ref": "answer.t", "op": "matches", "value": "(?:[^a]?.?){999}z"]
        let when: JSONValue = ["any": .array(Array(repeating: test, count: 20))]
        let quotas = (0..<5).map { JSONValue.object(["name": .string("q\($0)"), "when": when, "limit": 1]) }
        let pacing: JSONValue = ["quotas": .array(quotas)]
        try app.publish(
            "q",
            [
                "kind": "questionnaire", "name": "Q",
                "schema": ["version": 1, "questions": [["id": "t", "type": "text", "title": "T?"]]],
                "offer": ["surface": "card", "text": "A minute?", "pacing": pacing],
            ])
        let path = "\(app.path)/questionnaires/q/responses"
        let connection = try daemon.connect()
        let long = JSONValue.string(String(repeating: "b", count: 4_000))
        try connection.send("POST", path, body: JSONValue.object(["client_id": "a", "answers": ["t": long]]).encoded)
        #expect(try daemon.post(path, ["client_id": "b", "answers": [:]]).status == 201)
        #expect(try connection.receive().status == 201)
        let metrics = try PrometheusText(try daemon.get("/metrics").text)
        #expect(metrics.sum("bellwether_judged_apart_total") == 1)
        #expect(metrics.sum("bellwether_over_budget_total", ["what": "condition"]) == 5)
    }
}
