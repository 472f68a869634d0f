import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Segments over HTTP (docs/reference/audiences.md#segments).
@Suite struct SegmentRouteTests {
    private static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card"],
        "attributes": ["age": "number", "plan": "string"],
    ]
    private static let active = "'open'|eventSum('Days', 7, 0) >= 2"
    private let world: WorkerUnderTest

    init() throws {
        var settings = APISettings.open
        settings.minimumCell = 1
        world = try WorkerUnderTest(manifest: Self.manifest, settings: settings)
        let offer: JSONValue = [
            "triggers": ["FAN": "segment.fan"],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["FAN"]]],
        ]
        let recipes: KeyValuePairs = [
            "active": Self.segment(Self.active), "adult": Self.segment("age >= 18"),
            "fan": Self.segment("segment.active && segment.adult"), "offer": offer,
        ]
        for (slug, document) in recipes {
            #expect(try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: document).status == 201)
        }
    }

    private static func segment(_ expression: String) -> JSONValue {
        ["kind": "segment", "expression": .string(expression)]
    }

    private func open(_ client: String, times: Int = 2) throws {
        let events = JSONValue.array(Array(repeating: ["type": "behavior", "name": "open"], count: times))
        let sent = try world.send(
            .post, "/v1/apps/app/events", body: ["client_id": .string(client), "events": events])
        #expect(sent.status == 200)
    }

    private func offered(_ query: String) throws -> Int {
        try world.send(.get, "/v1/apps/app/messages?\(query)").json["messages"].array?.count ?? -1
    }

    @Test func `A poll and explain read segments`() throws {
        #expect(try offered("client_id=c&age=20") == 0)
        try open("c")
        #expect(try offered("client_id=c&age=20") == 1 && offered("client_id=c&age=17") == 0)
        #expect(try offered("client_id=c") == 0)
        func audience(_ body: JSONObject) throws -> JSONValue {
            try world.send(.post, "/v1/apps/app/explain", body: .object(body)).json["audience"]["segments"]
        }
        let here: JSONObject = ["client_id": "c", "surface": "card", "context": ["age": 17]]
        #expect(try audience(here) == ["active": true, "adult": false, "fan": false])
        #expect(try audience(["surface": "card"]) == ["active": false, "adult": "error", "fan": false])
        let other: JSONValue = [["slug": "adult", "document": Self.segment("age >= 16")]]
        var supposing = here
        supposing["suppose"] = other
        #expect(try audience(supposing) == ["active": true, "adult": true, "fan": true])
    }

    @Test func `What is read cannot go, and a segment has no results`() throws {
        let gone = try world.send(.delete, "/v1/apps/app/recipes/active")
        #expect(gone.status == 409 && gone.json["errors"][0]["code"] == "in_use" && gone.json["used_by"] == ["fan"])
        let paused = try world.send(.post, "/v1/apps/app/recipes/fan/state", body: ["state": "paused"])
        #expect(paused.status == 409 && paused.json["errors"][0]["code"] == "no_transition")
        #expect(try world.send(.get, "/v1/apps/app/results/fan").status == 404)
        let circle = Self.segment("segment.fan")
        let tried = try world.send(.post, "/v1/apps/app/recipes/validate?slug=active", body: circle)
        #expect(tried.status == 422 && tried.json["errors"][0]["code"] == "circular")
        #expect(try world.send(.put, "/v1/apps/app/recipes/active", body: circle).status == 422)
        let list = try world.send(.get, "/v1/apps/app/recipes").json["recipes"].array ?? []
        #expect(list.filter { $0["kind"] == "segment" }.map { $0["slug"] } == ["active", "adult", "fan"])
    }

    @Test func `A forecast says how many clients are in a segment`() throws {
        for number in 0..<10 {
            if number < 4 { try open("c\(number)") }
            #expect(try offered("client_id=c\(number)\(number < 8 ? "&age=\(10 + number * 3)" : "")") >= 0)
        }
        let path = "/v1/apps/app/recipes/forecast"
        let size = try world.send(.post, path, body: Self.segment("segment.adult && " + Self.active)).json["size"]
        #expect(size["low"] == 0.1 && size["high"] == 0.1 && size["sampled"] == 10)
        #expect(
            size["closes"] == [["name": "segment.adult", "high": 0.5], ["name": .string(Self.active), "high": 0.1]])
        #expect(size["missing"] == [["name": "age", "share": 0.2]])
        #expect(try world.send(.post, path, body: ["messages": [:]]).json["size"] == .null)
    }

    @Test func `Conditions and audiences of flows read segments as facts`() throws {
        func flow(_ more: JSONObject) -> JSONValue {
            var flow: JSONObject = [
                "kind": "flow", "steps": [["id": "s", "type": "welcome", "config": ["title": "T"]]],
            ]
            for (key, value) in more { flow[key] = value }
            return .object(flow)
        }
        func put(_ slug: String, _ document: JSONValue) throws {
            #expect(try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: document).status == 201)
        }
        try put("all", flow(["active": true]))
        let rules: JSONValue = ["conditions": [["trait": "segment.active", "operator": "equals", "value": true]]]
        try put("fans", flow(["audience_rules": rules]))
        try open("c")
        func chosen(_ query: String) throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/flows/active\(query)").json["flow"]["slug"]
        }
        #expect(try chosen("?client_id=c") == "fans" && chosen("?client_id=d") == "all" && chosen("") == "all")

        let when: JSONValue = ["ref": "segment.active", "op": "eq", "value": true]
        let quota: JSONValue = ["name": "active", "when": when, "limit": 1]
        try put(
            "ask",
            [
                "kind": "questionnaire", "name": "Q",
                "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "T"]]],
                "offer": ["surface": "card", "text": "x", "pacing": ["quotas": [quota]]],
            ])
        func answer(_ client: String) throws -> JSONValue {
            let body: JSONValue = ["client_id": .string(client), "answers": ["q": "x"], "submit": true]
            return try world.send(.post, "/v1/apps/app/questionnaires/ask/responses", body: body).json["status"]
        }
        try open("e")
        let statuses = try ["c", "d", "e"].map(answer)
        #expect(statuses[0] == statuses[1] && statuses[1] != statuses[2], "\(statuses)")
        #expect(try world.send(.delete, "/v1/apps/app/recipes/active").json["used_by"] == ["ask", "fan", "fans"])
    }

    @Test func `Predicates read segments`() throws {
        let survey: JSONValue = [
            "kind": "survey", "name": "S", "predicates": ["grown": "answers.snack == 'Fruit' && segment.adult"],
            "questions": [
                ["id": "snack", "question": "What?", "question_type": "single_select", "options": ["Fruit", "Bread"]],
                [
                    "id": "which", "question": "Which?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["snack"], "extra": ["predicate": "grown"]],
                ],
            ],
        ]
        #expect(try world.send(.put, "/v1/apps/app/recipes/s", body: survey).status == 201)
        func visible(_ age: Int64) throws -> [JSONValue] {
            let body: JSONValue = ["answers": ["snack": "Fruit"], "attributes": ["age": .integer(age)]]
            let live = try world.send(.post, "/v1/apps/app/surveys/s/evaluate", body: body).json["visible"]
            var trial = body.object ?? [:]
            trial["document"] = survey
            let simulated = try world.send(.post, "/v1/apps/app/recipes/simulate", body: .object(trial)).json["visible"]
            return [live, simulated]
        }
        #expect(try visible(30) == [["snack", "which"], ["snack", "which"]])
        #expect(try visible(3) == [["snack"], ["snack"]])
    }
}
