import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

/// The audit records the owners' changes and exports of responses (docs/reference/http-api.md#audit).
@Suite struct ResponseAuditTests {
    private static let app = "/v1/apps/app"
    private let world: WorkerUnderTest
    private let id: String

    init() throws {
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        ]
        let world = try WorkerUnderTest(recipes: ["q": recipe])
        let save: JSONValue = ["client_id": "phone", "answers": ["q1": "CANARY"], "is_complete": true]
        let saved = try world.send(.post, Self.app + "/questionnaires/q/responses", body: save)
        id = try #require(saved.json["id"].string)
        self.world = world
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) throws -> RecordedResponse {
        try world.send(method, "\(Self.app)/\(path)", body: body)
    }

    /// The audit records so far, without those of files.
    private func records() throws -> [JSONValue] {
        let lines = try world.send(.get, "/v1/audit").body.split(separator: 0x0A)
        return lines.compactMap { try? JSONValue(parsing: Array($0)) }.filter { $0["by"] == "dev" }
    }

    private func expectRecords(_ expected: [[JSONValue]], _ keys: String...) throws {
        #expect(try records().map { record in keys.map { record[$0] } } == expected)
    }

    @Test func aStatusIsToldOnce() throws {
        for status in ["in_review", "in_review", "addressed"] as [JSONValue] {
            #expect(try send(.patch, "responses/\(id)", ["status": status]).status == 200)
        }
        #expect(try send(.patch, "responses/0", ["status": "new"]).status == 404)
        try expectRecords(
            [
                ["change", "response", "q", "in_review", "new"], ["change", "response", "q", "addressed", "in_review"],
            ], "action", "kind", "name", "status", "previous_status")
        let digest = Digest.hex(Digest.sha256(Array(id.utf8)))
        #expect(try records().allSatisfy { $0["response"] == .string(digest) && !$0.text.contains(id) })
    }

    @Test func aCommentIsToldWithoutItsText() throws {
        let made = try send(.post, "responses/\(id)/comments", ["body": "SECRET"])
        let comment = try #require(made.json["id"].string)
        #expect(try send(.patch, "comments/\(comment)", ["body": "SECRET 2"]).status == 200)
        #expect(try send(.delete, "comments/\(comment)").status == 204)
        #expect(try send(.delete, "comments/\(comment)").status == 404)
        try expectRecords(
            [["create", "comment", "q", 1], ["change", "comment", "q", 1], ["delete", "comment", "q", 1]],
            "action", "kind", "name", "comment")
        #expect(try records().allSatisfy { !$0.text.contains("SECRET") && !$0.text.contains(id) })
    }

    @Test func aDeletedResponseDoesNotVanishUnseen() throws {
        #expect(try send(.delete, "responses/\(id)").status == 204)
        #expect(try send(.delete, "responses/\(id)").status == 404)
        try expectRecords([["delete", "response", "q", "app"]], "action", "kind", "name", "app")
    }

    @Test func copiesOfAPersonsDataAreTold() throws {
        #expect(try send(.post, "identify", ["client_id": "phone", "user_id": "ada-lovelace"]).status == 200)
        #expect(try send(.get, "clients/phone/export").status == 200)
        #expect(try send(.get, "users/ada-lovelace/export").status == 200)
        try expectRecords([["export", "client"], ["export", "user"]], "action", "kind")
        let digest = ClientDigest.make(.user(UserReference(app: "app", id: "ada-lovelace")), secret: [1, 2, 3])
        #expect(try records()[1]["user"] == .string(Digest.hex(digest)))
        #expect(try records().allSatisfy { !$0.text.contains("ada-lovelace") && !$0.text.contains("phone") })
    }

    @Test func anErasureIsOneRecord() throws {
        #expect(try send(.post, "identify", ["client_id": "phone", "user_id": "ada-lovelace"]).status == 200)
        #expect(try send(.delete, "users/ada-lovelace").status == 204)
        #expect(try send(.delete, "clients/phone").status == 204)
        try expectRecords([["erase", "user", nil], ["erase", "client", nil]], "action", "kind", "name")
    }

    @Test func anExportOfResponsesIsTold() throws {
        #expect(try send(.get, "questionnaires/q/responses").json["items"][0]["id"].string == id)
        #expect(try send(.get, "questionnaires/q/responses?export=true").json["items"][0]["id"].string == id)
        try expectRecords([["export", "response", "q"]], "action", "kind", "name")
    }

    @Test func whatCannotBeRecordedIsNotGivenOut() throws {
        world.store.failWrites(.unavailable("told to"))
        for path in ["clients/phone/export", "questionnaires/q/responses?export=true"] {
            let refused = try send(.get, path)
            #expect(refused.status == 503 && !refused.json.text.contains("CANARY"))
        }
        #expect(try send(.get, "questionnaires/q/responses").status == 200)
    }

    @Test func aPreviewWritesNoRecord() throws {
        #expect(try send(.post, "recipes/q/preview").status == 200)
        try expectRecords([], "action")
    }
}
