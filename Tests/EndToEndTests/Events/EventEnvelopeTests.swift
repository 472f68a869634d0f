import BellwetherJSON
import TestSupport
import Testing

/// Faults of the envelope: the whole request is refused, and nothing is recorded
/// (docs/reference/events.md#rejected-events).
@Suite struct EventEnvelopeTests {
    @Test(
        arguments: [
            ("", 400), ("{", 400), ("[]", 400), ("null", 400), (#"{"client_id": "c"}"#, 400),
            (#"{"client_id": "c", "events": []}"#, 400), (#"{"client_id": "c", "events": {}}"#, 400),
            (#"{"events": [{"type": "behavior", "name": "v"}]}"#, 400),
            (#"{"client_id": 7, "events": [{"type": "behavior", "name": "v"}]}"#, 400),
            (#"{"client_id": "", "events": [{"type": "behavior", "name": "v"}]}"#, 400),
            (#"{"client_id": "c", "client_id": "d", "events": [{"type": "behavior", "name": "v"}]}"#, 400),
            (#"{"client_id": "c", "context": {"age": "x"}, "events": [{"type": "behavior", "name": "v"}]}"#, 400),
        ])
    func `A body that is no batch of a client is refused`(_ body: String, _ status: Int) throws {
        let app = try TestApp()
        let answer = try app.server.send("POST", "\(app.path)/events", body: Array(body.utf8))
        #expect(!expectProblem(answer, status).isEmpty)
        #expect(try app.keys() == [])
    }

    @Test func `All faults of the envelope are named`() throws {
        let app = try TestApp()
        let answer = try app.server.post("\(app.path)/events", ["client_id": 7, "context": 8, "events": 9])
        #expect(places(expectProblem(answer, 400)) == ["/client_id type", "/context type", "/events type"])
    }

    @Test func `1000 events are taken, 1001 are too many, and nothing of them is recorded`() throws {
        let app = try TestApp()
        func body(_ count: Int) -> JSONValue {
            ["client_id": "c", "events": .array((0..<count).map { Event.behavior("visit", ["id": .string("\($0)")]) })]
        }
        let refused = try app.server.post("\(app.path)/events", body(1001))
        #expect(places(expectProblem(refused, 422)) == ["/events too_many"])
        let taken = try app.server.post("\(app.path)/events", body(1000))
        #expect(taken.json == ["accepted": 1000, "duplicates": 0, "rejected": []])
        let polled = try app.server.post(
            "\(app.path)/messages", ["client_id": "c", "events": body(1001)["events"]])
        #expect(places(expectProblem(polled, 422)) == ["/events too_many"])
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/problem+json", "",
        "application/x-www-form-urlencoded",
    ])
    func `A body is read as JSON unless it says that it is something else`(_ type: String) throws {
        let app = try TestApp()
        let body: JSONValue = ["client_id": "c", "events": [Event.behavior("visit")]]
        let headers = type.isEmpty ? [:] : ["Content-Type": type]
        #expect(try app.server.send("POST", "\(app.path)/events", headers: headers, body: body.encoded).status == 200)
    }

    @Test(arguments: [
        ["Content-Type": "text/xml"], ["Content-Type": "text/plain;charset=UTF-8"],
        ["Content-Type": "multipart/form-data; boundary=x"], ["Content-Encoding": "br"],
    ])
    func `A body that says it is something else is 415`(_ headers: [String: String]) throws {
        let app = try TestApp()
        for path in ["events", "messages", "responses"] {
            expectProblem(try app.server.post("\(app.path)/\(path)", [:], headers: headers), 415)
        }
        expectProblem(try app.server.put("\(app.path)/recipes/r", [:], headers: headers), 415)
    }
}
