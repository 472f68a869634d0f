import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// Waiting for records, with a clock that the test sets.
@Suite struct TelemetryWaitTests {
    private let worker: WorkerUnderTest

    init() throws {
        worker = try WorkerUnderTest(recipes: ["r": ["messages": ["m": ["surface": "card", "text": "x"]]]])
    }

    private func display() throws {
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "m"]
        _ = try worker.send(.post, "/v1/apps/app/events", body: ["client_id": "c", "events": [event]])
    }

    @Test func `The next commit answers, and one that brings nothing to the app does not`() throws {
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?wait=30")
        worker.settle()
        #expect(waiting.response == nil)
        let visit: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "v"]]]
        _ = try worker.send(.post, "/v1/apps/app/events", body: visit)
        worker.settle()
        // A commit without records wakes no request.
        #expect(waiting.response == nil)
        try display()
        worker.settle()
        #expect(waiting.status == 200)
        #expect(waiting.headers.contains("Bellwether-Next: t1-1\r\n"))
    }

    @Test func `The end of the time, or of the daemon, answers with nothing`() throws {
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?wait=30")
        worker.settle()
        #expect(waiting.response == nil)
        worker.settle(endsWaits: true)
        #expect(waiting.status == 200)
        #expect(waiting.body.isEmpty)
        #expect(waiting.headers.contains("Bellwether-Next: \r\n"))
    }

    /// The query, and the reason why nothing can be read with it.
    @Test(arguments: [
        ("", nil), ("?after=", nil), ("?after=t3-1", nil), ("?after=t5-1", nil), ("?after=t2-1", "cursor_expired"),
        ("?after=t7-1", "cursor_beyond_end"), ("?after=t4-2", "cursor_foreign"), ("?after=t4", "cursor_foreign"),
        ("?after=t7-1&wait=30", "cursor_beyond_end"), ("?after=t4-2&format=glean", "cursor_foreign"),
    ])
    func `A cursor that nothing can be read after is 410`(_ query: String, _ code: String?) throws {
        // A display at the cap is recorded as two events, and the fifth display reaches the cap.
        for _ in 0..<5 { try display() }
        worker.store.expire(upTo: 3)
        let answer = try worker.send(.get, "/v1/apps/app/telemetry" + query)
        #expect(answer.status == (code == nil ? 200 : 410))
        guard let code else { return }
        #expect(answer.json["errors"].array?.map { $0["code"] } == [.string(code)])
        #expect(answer.json["detail"] == answer.json["errors"].array?.first?["message"])
    }

    @Test func `An app without records has no place for a cursor`() throws {
        #expect(try worker.send(.get, "/v1/apps/app/telemetry").status == 200)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry?after=t1-2").status == 410)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry?after=t1-1").status == 410)
        #expect(try worker.send(.get, "/v1/apps/other/telemetry?after=t1-2").status == 404)
    }
}
