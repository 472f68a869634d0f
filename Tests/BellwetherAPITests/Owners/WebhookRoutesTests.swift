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

    private func list(_ query: String = "") throws -> Answer { try worker.send(.get, "/v1/apps/app/webhooks\(query)") }

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
