import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Events in the format of Owlmetry's SDKs (docs/reference/http-api.md#owlmetry).
@Suite struct OwlmetryEventTests {
    let world: WorkerUnderTest

    init() throws {
        var settings = APISettings()
        settings.tokens = TokenTable(
            try [("owl", "client"), ("owner", "owner")].map { name, scope in
                try Token("\(name):\(scope):app:\(Self.digest(of: name))")
            })
        let trigger = "'bought'|eventSum('Years', 10, 0) >= 2"
        world = try WorkerUnderTest(
            recipes: [
                "r": [
                    "triggers": ["BOUGHT": .string(trigger)],
                    "messages": ["m": ["surface": "card", "text": "Hi", "trigger-if-all": ["BOUGHT"]]],
                ]
            ], settings: settings)
    }

    private static func digest(of text: String) -> String {
        SHA256.hash(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func event(_ message: String, _ more: JSONObject = [:]) -> JSONValue {
        var event: JSONObject = [
            "session_id": "0D6C9E0A-6A0A-4F3B-8B2C-2E5D1C4B3A29", "user_id": "owl_anon_1", "level": "info",
            "message": .string(message), "environment": "ios", "is_dev": false,
            "timestamp": "2026-03-10T11:59:58.123Z", "custom_attributes": ["k": "v"],
        ]
        for member in more { event[member.key] = member.value == .null ? nil : member.value }
        return .object(event)
    }

    private func ingest(_ events: JSONValue...) throws -> RecordedResponse { try ingest(all: .array(events)) }

    private func ingest(all events: JSONValue) throws -> RecordedResponse {
        try world.send(
            .post, "/v1/ingest", headers: [(name: "Authorization", value: "Bearer owl")],
            body: ["bundle_id": "com.example.owl", "events": events])
    }

    /// Whether the client has bought twice.
    private func hasBought(_ client: String) throws -> Bool {
        let answer = try world.send(
            .get, "/v1/apps/app/messages?client_id=\(client)", headers: [(name: "Authorization", value: "Bearer owl")])
        return answer.json["messages"][0]["key"] == "m"
    }

    @Test func `Each event counts by its message, for the client that it names`() throws {
        let answer = try ingest(event("bought"), event("bought", ["user_id": "nora"]), event("bought"))
        #expect(answer.status == 200 && answer.json == ["accepted": 3, "rejected": 0])
        #expect(try hasBought("owl_anon_1"))
        #expect(try !hasBought("nora"))
        #expect(try ingest(event("bought", ["user_id": "nora", "level": "error"])).json["accepted"] == 1)
        #expect(try hasBought("nora"))
    }

    @Test func `Without a user the session is the client`() throws {
        let session = event("bought", ["user_id": nil])
        #expect(try ingest(session, session).json == ["accepted": 2, "rejected": 0])
        #expect(try hasBought("0D6C9E0A-6A0A-4F3B-8B2C-2E5D1C4B3A29"))
    }

    @Test func `An event that is repeated is in neither number`() throws {
        let first = event("bought", ["client_event_id": "1"])
        #expect(try ingest(first, first).json == ["accepted": 1, "rejected": 0])
        #expect(try ingest(first, event("bought", ["client_event_id": "2"])).json["accepted"] == 1)
        #expect(try hasBought("owl_anon_1"))
        #expect(try ingest(first).json == ["accepted": 0, "rejected": 0])
    }

    @Test func `What the SDK says of itself is accepted and counts nothing`() throws {
        #expect(try ingest(event("sdk:app_launched"), event("sdk:x")).json == ["accepted": 2, "rejected": 0])
        let exported = try world.send(
            .get, "/v1/apps/app/clients/owl_anon_1/export", headers: [(name: "Authorization", value: "Bearer owner")])
        #expect(!String(decoding: exported.body, as: UTF8.self).contains("sdk:"))
    }

    @Test func `Faulty events are told by their places, the others count`() throws {
        let answer = try ingest(
            event("bought"), event("bought", ["message": ""]), 7, event(String(repeating: "x", count: 129)),
            event("bought", ["timestamp": "yesterday"]), event("bought", ["session_id": nil]),
            event("bought", ["environment": "banana"]), event("bought", ["timestamp": "2025-03-10T12:00:00Z"]),
            event("bought"))
        #expect(answer.json["accepted"] == 2 && answer.json["rejected"] == 7)
        #expect(answer.json["errors"].array?.map { $0["index"] } == [1, 2, 3, 4, 5, 6, 7])
        #expect(answer.json["errors"].array?.allSatisfy { $0["message"].string?.isEmpty == false } == true)
        #expect(try hasBought("owl_anon_1"))
    }

    @Test func `A faulty envelope is 400 with an error, and nothing is recorded`() throws {
        for events in [[], nil, "x", .array((0...1000).map { event("n\($0)") })] as [JSONValue] {
            let answer = try ingest(all: events)
            #expect(answer.status == 400 && answer.json["error"].string != nil)
        }
    }
}
