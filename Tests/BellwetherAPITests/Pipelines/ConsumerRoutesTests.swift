import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The routes of consumers' cursors: the requests that they accept, and their responses.
@Suite struct ConsumerRoutesTests {
    private let worker: WorkerUnderTest

    init() throws {
        worker = try WorkerUnderTest()
        for _ in 0..<5 {
            worker.store.log(
                TelemetryRecord(
                    at: Timestamp(seconds: 1_773_144_000), clientID: "c", category: "messaging", name: "shown",
                    extra: [:]))
        }
    }

    private func put(_ name: String, _ body: JSONValue, app: String = "app") throws -> RecordedResponse {
        try worker.send(.put, "/v1/apps/\(app)/consumers/\(name)", body: body)
    }

    @Test func `A place is made, moved, read and removed`() throws {
        let made = try put("one", ["cursor": "t2-1"])
        #expect(made.status == 201)
        let consumer: JSONValue = [
            "name": "one", "cursor": "t2-1", "updated_at": "2026-03-10T12:00:00Z", "lag": 3, "expired": false,
        ]
        #expect(made.json == consumer)
        #expect(try worker.send(.get, "/v1/apps/app/consumers/one").json == consumer)
        worker.pass(seconds: 5)
        let moved = try put("one", ["cursor": "t5-1"])
        #expect(moved.status == 200)
        #expect(moved.json["lag"] == 0 && moved.json["updated_at"] == "2026-03-10T12:00:05Z")
        #expect(try put("one", ["cursor": "t1-1"]).status == 200)
        #expect(try worker.send(.get, "/v1/apps/app/consumers").json["consumers"].array?.count == 1)
        #expect(try worker.send(.delete, "/v1/apps/app/consumers/one").status == 204)
        #expect(try worker.send(.delete, "/v1/apps/app/consumers/one").status == 404)
        #expect(try worker.send(.get, "/v1/apps/app/consumers/one").status == 404)
    }

    @Test func `The start is an empty cursor, as in a read`() throws {
        #expect(try put("one", ["cursor": ""]).json["cursor"] == "")
        worker.store.expire(upTo: 3)
        #expect(try put("one", ["cursor": ""]).json["cursor"] == "t3-1")
    }

    @Test func `What a consumer was answered can be sent back`() throws {
        let made = try put("one", ["cursor": "t2-1"])
        #expect(try put("one", made.json).status == 200)
    }

    @Test(arguments: [
        ("{}", 400, "required"), (#"{"cursor": 5}"#, 400, "type"), (#"{"cursor": null}"#, 400, "type"),
        (#"{"cursor": "5"}"#, 400, "cursor"), (#"{"cursor": "t-1"}"#, 400, "cursor"), ("[]", 400, "type"),
    ])
    func `A cursor that cannot be is refused`(_ body: String, _ status: Int, _ code: String) throws {
        let answer = try put("one", try JSONValue(parsing: body))
        #expect(answer.status == status)
        #expect(answer.json["errors"].array?.map { $0["code"] } == [.string(code)])
        #expect(answer.json["errors"].array?.first?["pointer"] == (body == "[]" ? "" : "/cursor"))
        #expect(try worker.send(.get, "/v1/apps/app/consumers").json == ["consumers": []])
    }

    @Test(arguments: [
        ("t6-1", "cursor_beyond_end"), ("t1y2p0ij32e8e7-1", "cursor_beyond_end"), ("t2-2", "cursor_foreign"),
        ("t2", "cursor_foreign"),
    ])
    func `A cursor beyond the end or of another database is gone`(_ cursor: String, _ code: String) throws {
        let answer = try put("one", ["cursor": .string(cursor)])
        #expect(answer.status == 410)
        #expect(answer.json["errors"].array?.map { $0["code"] } == [.string(code)])
        #expect(try worker.send(.get, "/v1/apps/app/consumers").json == ["consumers": []])
    }

    @Test func `A name is an id`() throws {
        let long = String(repeating: "n", count: 129)
        #expect(try put(String(long.dropLast()), ["cursor": ""]).status == 201)
        #expect(try put(long, ["cursor": ""]).status == 400)
        #expect(try put("a%0Ab", ["cursor": ""]).status == 400)
        #expect(try worker.send(.get, "/v1/apps/app/consumers/\(long)").status == 400)
    }

    @Test func `A consumer that lost records is told`() throws {
        _ = try put("late", ["cursor": "t1-1"])
        worker.store.expire(upTo: 3)
        #expect(try worker.send(.get, "/v1/apps/app/consumers/late").status == 410)
        #expect(try put("late", ["cursor": "t2-1"]).status == 410)
        let list = try worker.send(.get, "/v1/apps/app/consumers")
        #expect(list.json["consumers"].array?.map { $0["expired"] } == [true])
        #expect(try put("late", ["cursor": "t3-1"]).status == 200)
    }

    @Test func `An app has at most a hundred`() throws {
        for number in 0..<TelemetryConsumer.countBound { #expect(try put("\(number)", ["cursor": ""]).status == 201) }
        #expect(try put("more", ["cursor": ""]).status == 422)
        #expect(try put("7", ["cursor": "t1-1"]).status == 200)
    }

    @Test func `An app that never was is 404, a failing store 503`() throws {
        #expect(try put("one", ["cursor": ""], app: "other").status == 404)
        #expect(try worker.send(.get, "/v1/apps/other/consumers").status == 404)
        #expect(try worker.send(.delete, "/v1/apps/other/clients/c").status == 404)
        worker.store.fail(.overloaded)
        #expect(try put("one", ["cursor": ""]).status == 503)
        #expect(try worker.send(.get, "/v1/apps/app/consumers/one").status == 503)
        #expect(try worker.send(.delete, "/v1/apps/app/consumers/one").status == 503)
        #expect(try worker.send(.delete, "/v1/apps/app/clients/c").status == 503)
    }
}
