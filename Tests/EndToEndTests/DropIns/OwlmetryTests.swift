import BellwetherJSON
import Foundation
import Gzip
import TestSupport
import Testing

/// Apps with Owlmetry's SDKs, on a real daemon (docs/reference/http-api.md#owlmetry).
@Suite struct OwlmetryTests {
    private static let recipe: JSONValue = [
        "kind": "questionnaire", "name": "Weekly",
        "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "?"]]],
    ]

    private struct Phone {
        let daemon: Daemon
        let headers: [String: String]

        func post(_ path: String, _ body: JSONValue) throws -> HTTPResponse {
            let zipped = try #require(Deflation.gzip(body.encoded, level: 6))
            let coding = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
            return try daemon.send("POST", path, headers: headers.merging(coding) { $1 }, body: zipped)
        }

        func fetch(_ user: String) throws -> JSONValue {
            try daemon.get("/v1/questionnaires/weekly?user_id=\(user)", headers: headers).json
        }

        func launches(_ client: String, _ app: String) throws -> JSONValue {
            try daemon.get("/v1/apps/\(app)/clients/\(client)/counters", headers: headers).json["launches"]
        }
    }

    @Test func `What an installation did is the user's after a login and a crash, and counts once`() throws {
        var daemon = try Daemon()
        let app = try TestApp(on: daemon)
        try app.publish("weekly", Self.recipe)
        let body: JSONValue = ["scope": "client", "app": .string(app.name), "prefix": "owl_client_"]
        let token = try #require(try daemon.post("/v1/tokens", body).json["token"].string)
        var phone = Phone(daemon: daemon, headers: ["Authorization": "Bearer \(token)"])
        let save: JSONValue = ["user_id": "owl_anon_1", "answers": ["q": .string(String(repeating: "x", count: 3000))]]
        #expect(try phone.post("/v1/questionnaires/weekly/responses", save).status == 201)
        #expect(try phone.post("/v1/questionnaires/dismiss", ["user_id": "owl_anon_2"]).status == 200)
        let event: JSONValue = [
            "client_event_id": "e", "session_id": "s", "user_id": "owl_anon_1", "level": "info",
            "message": "app_launch",
        ]
        #expect(try phone.post("/v1/ingest", ["events": [event]]).json == ["accepted": 1, "rejected": 0])
        for (installation, user) in [("owl_anon_1", "nora"), ("owl_anon_2", "emil")] {
            let claim: JSONValue = ["anonymous_id": .string(installation), "user_id": .string(user)]
            #expect(try phone.post("/v1/identity/claim", claim).json["claimed"] == true)
        }
        try daemon.kill()
        daemon = try Daemon(data: daemon.data)
        phone = Phone(daemon: daemon, headers: phone.headers)
        #expect(try phone.fetch("nora")["in_progress"]["answers"] == save["answers"])
        #expect(try phone.fetch("emil")["reason"] == "globally_dismissed")
        #expect(try phone.post("/v1/ingest", ["events": [event]]).json == ["accepted": 0, "rejected": 0])
        #expect(try phone.launches("owl_anon_1", app.name) == 1)
    }
}
