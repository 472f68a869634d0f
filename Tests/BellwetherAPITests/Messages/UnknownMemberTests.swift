import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Members of events that nothing reads are named in the response (docs/reference/events.md#rejected-events).
@Suite struct UnknownMemberTests {
    private static let events: [JSONValue] = [
        ["type": "behavior", "name": "a", "id": "1", "at": "2026-03-10T12:00:00Z", "count": 2],
        ["type": "behavior", "name": "a", "conut": 3, "action": "x"],
        ["type": "message", "action": "displayed", "message": "nothing", "value": 1],
        ["type": "feature", "action": "exposed", "feature_id": "f", "featureId": "f"],
    ]

    private static let warnings: JSONValue = [
        ["index": 1, "code": "unknown_member", "name": "conut"],
        ["index": 1, "code": "unknown_member", "name": "action"],
        ["index": 2, "code": "unknown_member", "name": "value"],
        ["index": 3, "code": "unknown_member", "name": "featureId"],
    ]

    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private func post(_ path: String, _ body: JSONValue) throws -> JSONValue {
        try world.send(.post, "/v1/apps/app/\(path)", body: body).json
    }

    @Test func `What nothing reads is told, and recorded without it`() throws {
        let receipt = try post("events", ["client_id": "c", "events": .array(Self.events)])
        #expect(receipt.object?["accepted"] == 3)
        #expect(receipt.object?["warnings"] == Self.warnings)
    }

    @Test func `A poll tells it too`() throws {
        let poll = try post("messages", ["client_id": "c", "surfaces": ["card"], "events": .array(Self.events)])
        #expect(poll.object?["events"]?.object?["warnings"] == Self.warnings)
    }

    @Test func `In lines, the client's id is read`() throws {
        let lines = Self.events.enumerated().map { index, event in
            var event = event.object ?? [:]
            event["client_id"] = .string("c\(index % 2)")
            return JSONValue.object(event).text
        }
        let answer = world.send(
            try Request(
                .post, "/v1/apps/app/events", headers: [("Content-Type", "application/x-ndjson")],
                body: Array(lines.joined(separator: "\n").utf8)))
        #expect(answer.json.object?["warnings"] == Self.warnings)
        let one = try post(
            "events", ["client_id": "c", "events": [["type": "behavior", "name": "a", "client_id": "c"]]])
        #expect(one.object?["warnings"]?.array?.count == 1)
    }

    @Test func `At most twenty are told, and none is no member`() throws {
        let event: JSONValue = ["type": "behavior", "name": "a", "x": 1, "y": 2, "z": 3]
        let many = try post("events", ["client_id": "c", "events": .array(Array(repeating: event, count: 50))])
        let told = many.object?["warnings"]?.array ?? []
        #expect(told.count == 20 && told.last?.object?["index"] == 6)
        let none = try post("events", ["client_id": "c", "events": [Self.events[0]]])
        #expect(none.object?["warnings"] == nil && none.object?["rejected"] == [])
    }
}
