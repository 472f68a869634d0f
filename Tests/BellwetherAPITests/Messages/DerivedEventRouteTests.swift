import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Derived events over HTTP (docs/reference/events.md#derived-events).
@Suite struct DerivedEventRouteTests {
    private static let events: JSONObject = [
        "purchase": ["properties": ["amount": "number", "plan": "string"]],
        "big": ["of": "purchase", "where": "amount >= 100"], "spent": ["of": "purchase", "sum": "amount"],
    ]
    private static let recipe: JSONValue = [
        "triggers": [
            "BIG": "'big'|eventSum('Days', 7) == 2 && 'spent'|eventSum('Days', 7) == 219.9",
            "AGO": "'big'|eventAgo(0, 60)",
        ],
        "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["BIG", "AGO"]]],
    ]

    private static func manifest(_ events: JSONObject) -> JSONValue {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["events"] = .object(events)
        return .object(manifest)
    }

    private let world: WorkerUnderTest

    init() throws {
        var settings = APISettings.open
        settings.events.recordsBehavior = true
        world = try WorkerUnderTest(
            manifest: Self.manifest(Self.events), recipes: ["r": Self.recipe], settings: settings)
    }

    private func report(_ events: [JSONValue]) throws -> JSONValue {
        let events = events.map { event -> JSONValue in
            var event = event.object ?? [:]
            event["type"] = "behavior"
            return .object(event)
        }
        return try world.send(.post, "/v1/apps/app/events", body: ["client_id": "c", "events": .array(events)]).json
    }

    private func messages() throws -> JSONValue {
        try world.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"]
    }

    @Test func `They count in the commit of their event`() throws {
        let answer = try report([
            ["name": "purchase", "properties": ["amount": 100]],
            ["name": "purchase", "id": "1", "properties": ["amount": 100]],
            ["name": "purchase", "id": "1", "properties": ["amount": 100]],
            ["name": "purchase", "properties": ["amount": 19.9, "plan": 5, "colour": "red"]],
            ["name": "big"],
        ])
        #expect(answer["accepted"] == 3 && answer["duplicates"] == 1)
        #expect(answer["rejected"][0]["index"] == 4 && answer["rejected"][0]["code"] == "derived")
        #expect(
            answer["warnings"] == [
                ["index": 3, "code": "property_type", "name": "plan"],
                ["index": 3, "code": "unknown_property", "name": "colour"],
            ])
        #expect(try messages() != [])
        world.pass(seconds: 60)
        #expect(try messages() == [])
    }

    @Test func `A text that is too long does not count`() throws {
        let text = JSONValue.string(String(repeating: "p", count: 257))
        let answer = try report([["name": "purchase", "properties": ["plan": text, "amount": .null]]])
        #expect(answer["accepted"] == 1)
        #expect(
            answer["warnings"].array?.map { $0["code"] } == ["property_length", "property_type"])
    }

    @Test func `Telemetry has the properties that count, and no derived event`() throws {
        _ = try report([["name": "purchase", "properties": ["amount": 100, "plan": 5]], ["name": "open"]])
        let body = try world.send(.get, "/v1/apps/app/telemetry").body
        let records = try body.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }
        #expect(records.map { $0["name"] } == ["purchase", "open"])
        #expect(records.map { $0["extra"] } == [["count": 1, "properties": ["amount": 100.0]], ["count": 1]])
    }

    @Test func `Another definition begins at nothing, and anything else goes on`() throws {
        let world = try WorkerUnderTest(over: TestStore())
        let path = "/v1/apps/app/manifest"
        #expect(try world.send(.put, path, body: Self.manifest(Self.events)).status == 201)
        #expect(try world.send(.put, "/v1/apps/app/recipes/r", body: Self.recipe).status == 201)
        func messages() throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"]
        }
        func since() throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/vocabulary").json["derived"][0]["since"]
        }
        let purchases: JSONValue = [
            ["type": "behavior", "name": "purchase", "properties": ["amount": 109.95]],
            ["type": "behavior", "name": "purchase", "properties": ["amount": 109.95]],
        ]
        let body: JSONValue = ["client_id": "c", "events": purchases]
        #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 2)
        let first = try since()
        #expect(try messages() != [] && first == "2026-03-10T12:00:00Z")
        world.pass(seconds: 1)
        var events = Self.events
        events["big"] = ["of": "purchase", "where": "amount >= 100", "description": "A lot"]
        #expect(try world.send(.put, path, body: Self.manifest(events)).status == 200)
        #expect(try messages() != [] && since() == first)
        func bundled() throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/bundle").json["event_definitions"]
        }
        func explained(_ more: JSONObject) throws -> JSONValue {
            var body: JSONObject = ["client_id": "c", "surface": "card"]
            for (name, value) in more { body[name] = value }
            return try world.send(.post, "/v1/apps/app/explain", body: .object(body)).json["selected"]
        }
        #expect(try bundled() == ["big": 1, "spent": 1])
        #expect(try explained([:]) == "m")
        #expect(try explained(["suppose": [["slug": "r", "document": Self.recipe]]]) == "m")
        let other = try WorkerUnderTest(over: world.store, at: "2026-03-10T12:00:01Z")
        #expect(try other.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"] != [])
        events["big"] = ["of": "purchase", "where": "amount >= 99"]
        #expect(try world.send(.put, path, body: Self.manifest(events)).status == 200)
        #expect(try messages() == [] && since() == "2026-03-10T12:00:01Z")
        #expect(try bundled() == ["big": 3, "spent": 1])
        #expect(try world.send(.put, path, body: Self.manifest(Self.events)).status == 200)
        #expect(try messages() == [])
    }

    @Test func `Explain takes properties`() throws {
        func holds(_ events: [JSONValue]) throws -> Bool {
            let body: JSONValue = ["surface": "card", "events": .array(events)]
            return try world.send(.post, "/v1/apps/app/explain", body: body).json["selected"] != .null
        }
        let purchase: JSONValue = ["name": "purchase", "properties": ["amount": 109.95]]
        #expect(try holds([purchase, purchase]))
        let body: JSONValue = ["surface": "card", "events": [purchase]]
        let told = try world.send(.post, "/v1/apps/app/explain", body: body).json
        #expect(told["audience"] == ["events": ["big": "2026-03-10T12:00:00Z"]])
        #expect(try world.send(.post, "/v1/apps/app/explain", body: ["surface": "card"]).json["audience"] == .null)
        #expect(try !holds([purchase]))
        // A derived event may be supposed itself, in its own unit.
        #expect(try holds([["name": "big", "count": 2], ["name": "spent", "count": 219], purchase]) == false)
        let rest: JSONValue = ["name": "purchase", "properties": ["amount": 0.9]]
        #expect(try holds([["name": "big", "count": 2], ["name": "spent", "count": 219], rest]))
    }

    @Test func `A goal may name a sum, and no property beside it`() throws {
        func faults(_ goal: JSONObject) throws -> [JSONValue] {
            var goal = goal
            (goal["name"], goal["counts"]) = ("g", "sum")
            let value: JSONValue = ["messages": ["n": ["surface": "card", "text": "x", "experiment": "{experiment}"]]]
            let recipe = NimbusRecipe.experiment("e", ["a": value, "b": value], ["goals": [.object(goal)]])
            let answer = try world.send(.post, "/v1/apps/app/recipes/validate?slug=e", body: recipe)
            return (answer.json["errors"].array ?? []).map { [$0["pointer"], $0["code"]] }
        }
        #expect(try faults(["event": "spent"]) == [])
        #expect(try faults(["event": "big", "property": "amount"]) == [])
        #expect(try faults(["event": "spent", "property": "amount"]) == [["/goals/0/property", "exclusive"]])
        #expect(try faults(["event": "big", "property": "plan"]) == [["/goals/0/property", "reference"]])
    }
}
