import BellwetherJSON
import TestSupport
import Testing

/// The reason why a message is shown or not (docs/reference/http-api.md#explain).
@Suite struct ExplainTests {
    private func explain(_ app: TestApp, _ question: JSONObject) throws -> JSONValue {
        let answer = try app.server.post("\(app.path)/explain", .object(question))
        guard answer.status == 200 else { throw Failure("\(answer.status): \(answer.text)") }
        return answer.json
    }

    private func reasons(_ explanation: JSONValue) -> [String: String] {
        Dictionary(
            (explanation["messages"].array ?? []).map { ($0["key"].string ?? "", $0["reason"].string ?? "") },
            uniquingKeysWith: { $1 })
    }

    /// One message for each reason.
    private func publishAll(_ app: TestApp) throws {
        let fields: [(String, JSONObject)] = [
            ("chosen", ["style": "MANY"]), ("outranked", ["style": "LOW"]), ("elsewhere", ["surface": "notification"]),
            ("capped", ["style": "TWICE"]), ("dismissed", ["style": "HIGH"]),
            ("untriggered", ["style": "HIGH", "trigger-if-all": ["NEVER"]]),
            ("failing", ["style": "HIGH", "trigger-if-all": ["FAILS"]]),
            ("excluded", ["style": "HIGH", "except-if-any": ["ALWAYS"]]),
            ("exclusion-fails", ["style": "HIGH", "except-if-any": ["FAILS"]]), ("malformed", ["style": "NOPE"]),
            ("control", ["style": "HIGH", "is-control": true, "experiment": "{experiment}"]),
        ]
        var messages: JSONObject = [:]
        for (key, more) in fields {
            messages[key] = .object((Sample.message("m", more)["messages"]["m"]).object ?? [:])
        }
        try app.publish(
            "all",
            [
                "messages": .object(messages), "triggers": ["FAILS": "nowhere == 1"],
                "styles": ["HIGH": ["priority": 90, "max-display-count": 5], "LOW": ["priority": 1]],
            ])
    }

    @Test func `Each reason is told, the first in the order of selection`() throws {
        let app = try TestApp()
        try publishAll(app)
        let explanation = try explain(
            app,
            [
                "surface": "card", "context": [:],
                "ledger": ["capped": ["display_count": 2], "dismissed": ["dismissed": true]],
            ])
        #expect(explanation["selected"] == "chosen")
        #expect(
            reasons(explanation) == [
                "chosen": "selected", "outranked": "outranked", "elsewhere": "wrong_surface", "capped": "expired",
                "dismissed": "interacted", "untriggered": "trigger_false", "failing": "trigger_error",
                "excluded": "excluded", "exclusion-fails": "exclude_error", "malformed": "malformed",
                "control": "control",
            ])
        #expect(
            explanation["enrollments"] == [
                ["slug": "all", "status": "Enrolled", "reason": "Qualified", "branch": "rollout"]
            ])
        let failing = explanation["messages"].array?.first { $0["key"] == "failing" } ?? .null
        #expect(failing["eligible"] == false)
        #expect(failing["priority"] == 90)
        #expect(failing["triggers"][0]["name"] == "FAILS")
        #expect(failing["triggers"][0]["expression"] == "nowhere == 1")
        #expect(failing["triggers"][0]["error"]["kind"] == "undefinedIdentifier")
        let untriggered = explanation["messages"].array?.first { $0["key"] == "untriggered" } ?? .null
        #expect(untriggered["triggers"] == [["name": "NEVER", "expression": "false", "value": false]])
    }

    @Test func `A control that shows none blocks what stands behind it`() throws {
        let app = try TestApp()
        try app.publish(
            "x",
            [
                "on-control": "show-none",
                "messages": [
                    "control": ["is-control": true, "surface": "card", "experiment": "{experiment}"],
                    "behind": ["surface": "card", "text": "x", "style": "MANY"],
                ],
            ])
        let explanation = try explain(app, ["surface": "card"])
        #expect(explanation["selected"] == .null)
        #expect(reasons(explanation) == ["control": "control", "behind": "blocked_by_control"])
    }

    @Test func `Without a client it is a function of the question alone, at any time`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["trigger-if-all": ["TWO_VISITS"]]))
        func selected(_ now: JSONValue, _ events: JSONValue) throws -> JSONValue {
            try explain(app, ["surface": "card", "now": now, "events": events])["selected"]
        }
        let first: JSONValue = ["name": "visit", "at": "2015-03-01T00:00:00Z"]
        #expect(try selected("2015-06-01T00:00:00Z", [first]) == .null)
        #expect(try selected("2015-06-01T00:00:00Z", [first, first]) == "m")
        #expect(
            try selected("2015-06-01T00:00:00Z", [["name": "visit", "at": "2015-03-01T00:00:00Z", "count": 2]]) == "m")
        // Years later the events have left the counters.
        #expect(try selected("2025-06-01T00:00:00Z", [first, first]) == .null)
        #expect(try app.keys() == [])
        #expect(try app.recorded() == [])
    }

    @Test func `With a client it tells what is stored, and writes nothing`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["trigger-if-all": ["TWO_VISITS"], "style": "ONCE"]))
        try app.publish("y", Sample.message("beta", ["trigger-if-all": ["IS_BETA"]]))
        try app.publish("z", Sample.message("control", ["is-control": true, "surface": "notification"]))
        try app.record("c", Event.behavior("visit", ["count": 2]), Event.message("displayed", "m"))
        let recorded = try app.recorded()
        let explanation = try explain(app, ["client_id": "c", "surface": "card"])
        #expect(reasons(explanation)["m"] == "expired")
        #expect(reasons(explanation)["beta"] == "trigger_error")
        #expect(explanation["messages"].array?.first { $0["key"] == "m" }?["display_count"] == 1)
        let beta = try explain(app, ["client_id": "c", "surface": "card", "context": ["beta": true]])
        #expect(beta["selected"] == "beta")
        // A client that was never seen has an empty state.
        #expect(reasons(try explain(app, ["client_id": "stranger", "surface": "card"]))["m"] == "trigger_false")
        _ = try explain(app, ["client_id": "c", "surface": "notification"])
        #expect(try app.recorded() == recorded)
    }

    @Test func `A question that is none is refused, with every fault`() throws {
        let app = try TestApp()
        let answer = try app.server.post(
            "\(app.path)/explain",
            [
                "surface": "nowhere", "now": "soon", "context": ["age": "x"],
                "events": [["at": "2020-01-01T00:00:00Z"]],
                "ledger": ["m": ["display_count": -1]],
            ])
        #expect(
            Set(places(expectProblem(answer, 400))) == [
                "/surface unknown_surface", "/now time", "/context/age type", "/events/0/name required",
                "/ledger/m/display_count range",
            ])
        let nothing = try app.server.post("\(app.path)/explain", [:])
        #expect(places(expectProblem(nothing, 400)) == ["/surface required"])
        let events = JSONValue.array((0..<1001).map { _ in ["name": "visit"] })
        let many = try app.server.post("\(app.path)/explain", ["surface": "card", "events": events])
        #expect(places(expectProblem(many, 422)) == ["/events too_many"])
        expectProblem(try app.server.post("/v1/apps/nobody/explain", ["surface": "card"]), 404)
    }
}
