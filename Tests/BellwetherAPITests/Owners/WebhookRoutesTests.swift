import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The list of an app's webhooks (docs/reference/webhooks.md#list).
@Suite struct WebhookRoutesTests {
    private let worker: WorkerUnderTest
    private let start = Timestamp(seconds: 1_773_144_000)

    init() throws {
        worker = try WorkerUnderTest()
        var group = WriteGroup()
        group.outbox = (0..<3).map { number in
            OutboxRow(
                id: "msg_\(number)", app: "app", url: "https://user:word@a.example/hook?key=s3cret", secretName: "crm",
                body: Array("{\"answer\": \"s3cret\"}".utf8), createdAt: start.adding(seconds: Int64(number)))
        }
        _ = try worker.store.write([group])
        let request = OutboxLeaseRequest(
            owner: "a", now: start, leaseEnd: start.adding(seconds: 120), limit: 10)
        _ = try worker.store.leaseOutbox(request)
        let dead = OutboxResult.Outcome.dead(at: start.adding(seconds: 9), failure: "status 410")
        try worker.store.finishOutbox([OutboxResult(id: "msg_0", dead)], of: "a")
    }

    private func list(_ query: String = "") throws -> RecordedResponse {
        try worker.send(.get, "/v1/apps/app/webhooks\(query)")
    }

    @Test func `They are listed without anything that may be secret`() throws {
        let answer = try list("?state=dead")
        let expected: JSONValue = [
            "items": [
                [
                    "id": "msg_0", "url": "https://a.example/hook", "state": "dead", "attempts": 1,
                    "next_attempt": nil, "last_failure": "status 410", "created_at": "2026-03-10T12:00:00Z",
                    "dead_at": "2026-03-10T12:00:09Z",
                ]
            ], "cursor": nil, "has_more": false,
        ]
        #expect(answer.status == 200 && answer.json == expected)
        let all = try list()
        #expect(all.json["items"].array?.map { $0["id"] } == ["msg_2", "msg_1", "msg_0"])
        #expect(!all.json.text.contains("s3cret") && !all.json.text.contains("word"))
    }

    @Test func `Pages follow each other`() throws {
        let first = try list("?limit=2")
        #expect(first.json["has_more"] == true)
        let cursor = try #require(first.json["cursor"].string)
        let second = try list("?limit=2&cursor=\(cursor)")
        #expect(second.json["items"].array?.map { $0["id"] } == ["msg_0"] && second.json["cursor"] == .null)
        #expect(try list("?state=pending&limit=2").json["has_more"] == false)
    }

    @Test(arguments: ["?state=alive", "?cursor=5", "?cursor=.x", "?limit=0", "?limit=1001", "?url=x", "?state="])
    func `A question that cannot be is refused`(_ query: String) throws { #expect(try list(query).status == 400) }

    @Test func `An app that is not known is not found`() throws {
        #expect(try worker.send(.get, "/v1/apps/nobody/webhooks").status == 404)
    }
}

/// A webhook that was given up can be sent again (docs/reference/webhooks.md#send-again).
extension WebhookRoutesTests {
    private func retry(_ id: String, app: String = "app", _ body: JSONValue? = [:]) throws -> RecordedResponse {
        try worker.send(.post, "/v1/apps/\(app)/webhooks/\(id)/retry", body: body)
    }

    @Test func `One that was given up waits again, due at once, and the audit tells of it`() throws {
        let answer = try retry("msg_0")
        #expect(answer.status == 202 && answer.json["state"] == "pending" && answer.json["dead_at"] == .null)
        #expect(answer.json["attempts"] == 1 && answer.json["last_failure"] == "status 410")
        #expect(try list("?state=dead").json["items"] == [])
        let request = OutboxLeaseRequest(
            owner: "b", now: start.adding(seconds: 1_000_000_000), leaseEnd: start.adding(seconds: 1_000_000_120),
            limit: 10)
        #expect(try worker.store.leaseOutbox(request).rows.map(\.id).contains("msg_0"))
        let records = try worker.send(.get, "/v1/apps/app/audit?kind=webhook").json["items"].array ?? []
        #expect(records.map { $0["action"] } == ["retry"] && records.map { $0["name"] } == ["msg_0"])
        #expect(!records.map(\.text).joined().contains("s3cret"))
    }

    @Test func `One that waits, that is gone, or that is another app's is refused`() throws {
        let waiting = try retry("msg_1")
        #expect(waiting.status == 409 && waiting.json["errors"][0]["code"] == "webhook_pending")
        #expect(try retry("msg_9").status == 404)
        #expect(try retry("msg_0", app: "other").status == 404)
        #expect(try retry("msg_0", ["now": true]).status == 422)
        #expect(try list("?state=dead").json["items"].array?.count == 1)
        #expect(try retry("msg_0", nil).status == 202)
    }
}
