import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// What the scope `reviewer` may do, and who is named afterwards (docs/reference/http-api.md#approval). There is no
/// setting `publish.require_approval`.
@Suite struct ReviewerTests {
    private static let app = "/v1/apps/app"
    private static let live: JSONValue = ["state": "live", "revision": 2]

    private let worker: WorkerUnderTest

    init() throws {
        var settings = APISettings()
        settings.tokens = TokenTable(
            try ["ann:owner", "rob:reviewer", "tom:translator"].map { text in
                let name = text.split(separator: ":")[0]
                return try Token("\(text):app:\(Digest.hex(Token.digest(of: Array(name.utf8))))")
            } + [try Token("root:admin:*:\(Digest.hex(Token.digest(of: Array("root".utf8))))")])
        worker = try WorkerUnderTest(over: TestStore(), settings: settings)
        _ = try send(.put, "/manifest", WorkerUnderTest.manifest, by: "root")
        #expect(try send(.put, "/recipes/r", Self.recipe("one"), by: "ann").status == 201)
    }

    private static func recipe(_ text: String) -> JSONValue {
        ["messages": ["m": ["surface": "card", "text": .string(text)]]]
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, by who: String
    ) throws -> RecordedResponse {
        try worker.send(method, Self.app + path, headers: [("Authorization", "Bearer \(who)")], body: body)
    }

    private func draft(by who: String = "ann") throws {
        #expect(try send(.put, "/recipes/r?state=draft", Self.recipe("two"), by: who).status == 200)
    }

    private func expect(_ answer: RecordedResponse, _ code: String) {
        #expect(answer.status == 403 && answer.json["errors"][0]["code"].string == code, "\(answer.json)")
    }

    private func recipe() throws -> JSONValue {
        try send(.get, "/recipes", by: "rob").json["recipes"][0]
    }

    @Test func `A reviewer puts a draft of somebody else live, and is named`() throws {
        try draft()
        #expect(try recipe()["approved_by"] == .null)
        #expect(try send(.post, "/recipes/r/state", Self.live, by: "rob").status == 200)
        let recipe = try recipe()
        #expect(recipe["in_force"] == 2 && recipe["author"] == "ann" && recipe["approved_by"] == "rob")
        let revisions = try send(.get, "/recipes/r/revisions", by: "rob").json["revisions"].array ?? []
        #expect(revisions.map { $0["approved_by"] } == [.null, "rob"])
        let record = try send(.get, "/audit?kind=recipe", by: "rob").json["items"][0]
        #expect(record["by"] == "rob" && record["written_by"] == "ann" && record["in_force"] == 2)
        // A later revision is approved by nobody until somebody does.
        _ = try send(.put, "/recipes/r", Self.recipe("three"), by: "ann")
        #expect(try self.recipe()["approved_by"] == .null)
    }

    @Test func `The approver is kept by the store`() throws {
        try draft()
        #expect(try send(.post, "/recipes/r/state", Self.live, by: "rob").status == 200)
        let next = try WorkerUnderTest(over: worker.store, settings: worker.worker.settings)
        let recipe = try next.send(.get, Self.app + "/recipes", headers: [("Authorization", "Bearer rob")])
        #expect(recipe.json["recipes"][0]["approved_by"] == "rob")
        #expect(recipe.json["recipes"][0]["author"] == "ann")
    }

    @Test func `A reviewer discards a draft of somebody else`() throws {
        try draft()
        #expect(try send(.delete, "/recipes/r/draft", by: "rob").status == 204)
        #expect(try recipe()["draft_revision"] == .null && recipe()["in_force"] == 1)
    }

    @Test func `A reviewer sends a draft back with a comment, and changes no other note`() throws {
        try draft()
        let comment: JSONValue = ["sent_back": ["revision": 2, "comment": "Too long."]]
        #expect(try send(.patch, "/recipes/r/note", comment, by: "rob").json["sent_back"]["author"] == "rob")
        #expect(try send(.patch, "/recipes/r/note", ["labels": ["spring"]], by: "rob").status == 403)
        #expect(try send(.patch, "/recipes/r/note", comment, by: "tom").status == 403)
    }

    @Test func `A reviewer puts nothing live that has no name, or is another one`() throws {
        try draft()
        #expect(try send(.post, "/recipes/r/state", ["state": "live"], by: "rob").status == 422)
        #expect(try send(.post, "/recipes/r/state", ["state": "live", "revision": 3], by: "rob").status == 412)
        expect(try send(.post, "/recipes/r/state", ["state": "live", "revision": 1], by: "rob"), "not_a_review")
        #expect(try recipe()["in_force"] == 1)
    }

    @Test func `A reviewer neither pauses, resumes, ends nor writes`() throws {
        for state in ["paused", "ended"] {
            expect(try send(.post, "/recipes/r/state", ["state": .string(state)], by: "rob"), "not_a_review")
        }
        #expect(try send(.post, "/recipes/r/state", ["state": "paused"], by: "ann").status == 200)
        expect(try send(.post, "/recipes/r/state", ["state": "live"], by: "rob"), "not_a_review")
        #expect(try send(.put, "/recipes/r?state=draft", Self.recipe("x"), by: "rob").status == 403)
        #expect(try send(.post, "/recipes/r/rollback", ["revision": 1], by: "rob").status == 403)
        #expect(try send(.delete, "/recipes/r", by: "rob").status == 403)
        #expect(try recipe()["state"] == "paused")
    }

    @Test func `Texts and manifests wait for reviewers, too`() throws {
        let strings = "/strings/de"
        #expect(try send(.put, strings + "?state=draft", ["T": ["hello": "Hallo"]], by: "tom").status == 201)
        #expect(try send(.post, strings + "/state", ["state": "live", "revision": 1], by: "rob").status == 200)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["default_locale"] = "de"
        #expect(try send(.put, "/manifest?state=draft", .object(manifest), by: "ann").status == 200)
        #expect(try send(.post, "/manifest/state", Self.live, by: "tom").status == 403)
        #expect(try send(.post, "/manifest/state", Self.live, by: "rob").status == 200)
        let records = try send(.get, "/audit?by=rob", by: "rob").json["items"].array ?? []
        #expect(records.map { $0["written_by"] } == ["ann", "tom"])
    }

    /// Who was an owner when they wrote, and is a reviewer now.
    @Test func `Nobody reviews what they wrote`() throws {
        try draft(by: "ann")
        var settings = worker.worker.settings
        settings.tokens = TokenTable([try Token("ann:reviewer:app:\(Digest.hex(Token.digest(of: Array("ann".utf8))))")])
        worker.worker.receive(Publication(snapshot: worker.snapshot, settings: settings))
        expect(try send(.post, "/recipes/r/state", Self.live, by: "ann"), "own_revision")
        expect(try send(.delete, "/recipes/r/draft", by: "ann"), "own_revision")
    }
}
