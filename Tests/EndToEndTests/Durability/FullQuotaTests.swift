import BellwetherJSON
import TestSupport
import Testing

/// The response that fills a quota or a limit is acknowledged only when every worker knows it
/// (docs/reference/messaging.md#quotas).
@Suite struct FullQuotaTests {
    @Test func `What was acknowledged as the last response is offered by no worker afterwards`() throws {
        let app = try TestApp(on: try Daemon(["--dev", "--workers", "4"]))
        // There are more connections than workers, so several workers have some.
        let connections = try (0..<16).map { _ in try app.server.connect() }
        for round in 0..<12 {
            let slug = "q\(round)"
            let limits: [JSONValue] = [
                ["response_limit": 1], ["quotas": [["name": "all", "when": true, "limit": 1]]],
            ]
            try app.publish(
                slug,
                [
                    "kind": "questionnaire", "name": "Q",
                    "schema": ["version": 1, "questions": [["id": "t", "type": "text", "title": "?"]]],
                    "offer": ["surface": "card", "text": "A minute?", "pacing": limits[round % 2]],
                ])
            #expect(try app.keys("somebody", "&surface=card") == [slug])
            let saved = try app.server.post(
                "\(app.path)/questionnaires/\(slug)/responses",
                ["client_id": "first", "answers": [:], "is_complete": true])
            #expect(saved.json["status"] == "new")
            for connection in connections {
                try connection.send("GET", "\(app.path)/messages?client_id=somebody&surface=card")
            }
            for connection in connections { #expect(try connection.receive().json["messages"] == []) }
            #expect(try app.server.send("DELETE", "\(app.path)/recipes/\(slug)").status == 204)
        }
    }
}
