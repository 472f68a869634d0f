import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Waiting for records, with the clock in hand.
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
        // A commit without records wakes, and the wait goes on.
        #expect(waiting.response == nil)
        try display()
        worker.settle()
        #expect(waiting.status == 200)
        #expect(waiting.headers.contains("Bellwether-Next: t1\r\n"))
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

    @Test func `A cursor older than what is kept is 410`() throws {
        for _ in 0..<5 { try display() }
        worker.store.expire(upTo: 3)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry?after=t2").status == 410)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry?after=t3").status == 200)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry").status == 200)
    }
}
