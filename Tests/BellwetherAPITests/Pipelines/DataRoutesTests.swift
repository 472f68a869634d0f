import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The tables of data over HTTP (docs/reference/data.md#over-http).
@Suite struct DataRoutesTests {
    private let world: WorkerUnderTest

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": [
            "version": 1,
            "questions": [
                ["id": "score", "type": "nps", "title": "Score?"],
                ["id": "phone", "type": "text", "title": "Phone?", "sensitive": true],
            ],
        ],
    ]

    init() throws {
        world = try WorkerUnderTest(manifest: FlowRouteTests.manifest)
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: Self.questionnaire).status == 201)
        for client in 0..<5 {
            world.pass(seconds: 1)
            let body: JSONValue = [
                "client_id": .string("client-\(client)"), "answers": ["score": 9, "phone": "secret"],
                "is_complete": true,
            ]
            #expect(try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: body).status == 201)
        }
    }

    private func get(_ query: String) throws -> RecordedResponse {
        try world.send(.get, "/v1/apps/app/responses\(query)")
    }

    private func next(_ answer: RecordedResponse) -> String? {
        answer.headers.split(separator: "\r\n").first { $0.hasPrefix("Bellwether-Next: ") }
            .map { String($0.dropFirst("Bellwether-Next: ".count)) }
    }

    @Test(arguments: ["responses", "answers"]) func `Pages have each response once`(_ table: String) throws {
        var (cursor, texts, count): (String?, String, Int) = ("", "", 0)
        while let after = cursor, count < 20 {
            let answer = try get("?format=parquet&table=\(table)&limit=2" + (after.isEmpty ? "" : "&cursor=\(after)"))
            #expect(answer.status == 200)
            #expect(answer.headers.contains("Content-Type: application/vnd.apache.parquet\r\n"))
            #expect(answer.body.starts(with: "PAR1".utf8) && answer.body.suffix(4).elementsEqual("PAR1".utf8))
            texts += String(decoding: answer.body, as: UTF8.self)
            (cursor, count) = (next(answer), count + 1)
        }
        #expect(cursor == nil)
        #expect(!texts.contains("secret"))
        for client in 0..<5 where table == "responses" { #expect(texts.contains("client-\(client)")) }
        let audit = try world.send(.get, "/v1/apps/app/audit").json["items"].array ?? []
        #expect(audit.count { $0["action"] == "export" } == 1)
    }

    @Test func `Days narrow a page`() throws {
        let all = try get("?format=parquet&from=2026-03-10&to=2026-03-10").body
        #expect(String(decoding: all, as: UTF8.self).contains("client-4"))
        let none = try get("?format=parquet&from=2026-03-11").body
        #expect(!String(decoding: none, as: UTF8.self).contains("client-"))
    }

    @Test func `All faults of a query are named`() throws {
        let answer = try get("?table=events&limit=0&cursor=x&from=today&more=1")
        #expect(answer.status == 400)
        let pointers = (answer.json["errors"].array ?? []).compactMap { $0["pointer"].string }
        #expect(pointers == ["/table", "/limit", "/cursor", "/from", "/more", "/format"])
        #expect(try world.send(.get, "/v1/apps/none/responses?format=parquet").status == 404)
    }

    @Test func `A page of the log can be a file`() throws {
        world.store.log(
            TelemetryRecord(
                at: Timestamp(seconds: 1_773_144_000), clientID: "c", category: "messaging", name: "shown", extra: [:]))
        let answer = try world.send(.get, "/v1/apps/app/telemetry?format=parquet&limit=1")
        #expect(answer.status == 200 && answer.body.starts(with: "PAR1".utf8))
        #expect(next(answer) != nil)
    }

    @Test(arguments: ["t1-1", ""]) func `The cursor of a sink is moved by the daemon alone`(_ cursor: String) throws {
        let answer = try world.send(.put, "/v1/apps/app/consumers/sink:lake", body: ["cursor": .string(cursor)])
        #expect(answer.status == 409)
        #expect(answer.json["errors"][0]["code"] == "in_use")
    }
}
