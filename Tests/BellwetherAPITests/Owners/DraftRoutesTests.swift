import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

/// Drafts that are discarded, and the response to a refused write (docs/reference/http-api.md#lifecycle).
@Suite struct DraftRoutesTests {
    private let world: WorkerUnderTest
    private static let recipe = "/v1/apps/app/recipes/q"

    private static func questionnaire(_ title: String) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": .string(title)]]],
        ]
    }

    init() throws { world = try WorkerUnderTest() }

    @discardableResult
    private func put(_ title: String, _ query: String = "") throws -> JSONValue {
        let answer = try world.send(.put, Self.recipe + query, body: Self.questionnaire(title))
        #expect([200, 201].contains(answer.status), "\(answer.json.text)")
        return answer.json
    }

    private func revisions() throws -> [String?] {
        let list = try world.send(.get, Self.recipe + "/revisions").json["revisions"].array ?? []
        return list.map { "\($0["revision"].integer ?? 0) \($0["state"].string ?? "")" }
    }

    @Test func `A draft goes, what is live stays, and its number is not given again`() throws {
        try put("one")
        try put("two", "?state=draft")
        #expect(try revisions() == ["1 live", "2 draft"])
        #expect(try world.send(.delete, Self.recipe + "/draft").status == 204)
        #expect(try revisions() == ["1 live", "2 superseded"])
        let list = try world.send(.get, "/v1/apps/app/recipes").json["recipes"][0]
        #expect(list["draft"] == .null && list["in_force"] == 1 && list["state"] == "live")
        #expect(try world.send(.delete, Self.recipe + "/draft").status == 404)
        #expect(try put("three", "?state=draft")["revision"] == 3)
        #expect(try put("four")["revision"] == 4)
        let last = try #require(try world.send(.get, "/v1/audit").body.split(separator: 0x0A).dropLast(2).last)
        let record = try JSONValue(parsing: Array(last))
        #expect(record["action"] == "change" && record["revision"] == 1 && record["name"] == "q")
    }

    @Test func `The number is not given again after a start either, nor after the recipe was deleted`() throws {
        try put("one")
        try put("two", "?state=draft")
        #expect(try world.send(.delete, Self.recipe + "/draft").status == 204)
        let catalog = try world.store.loadCatalog()
        #expect(catalog.apps.first { $0.name == "app" }?.retiredRevisions["q"] == 2)
        #expect(try world.send(.delete, Self.recipe).status == 204)
        #expect(try put("again")["revision"] == 3)
    }

    @Test func `A recipe that was never live goes with its draft`() throws {
        try put("one", "?state=draft")
        #expect(try world.send(.delete, Self.recipe + "/draft").status == 204)
        #expect(try world.send(.get, Self.recipe).status == 404)
        #expect(try put("two")["revision"] == 2)
    }

    @Test func `The condition is judged, and a refusal tells the newest revision`() throws {
        try put("one")
        try put("two", "?state=draft")
        let refusal = try world.send(.delete, Self.recipe + "/draft", headers: [("If-Match", "\"1\"")])
        #expect(refusal.status == 412)
        #expect(refusal.json["current"]["revision"] == 2 && refusal.json["current"]["author"] == "dev")
        #expect(try world.send(.delete, Self.recipe + "/draft", headers: [("If-Match", "\"2\"")]).status == 204)
    }

    @Test func `A document with a fault is told its warnings, too`() throws {
        let document: JSONValue = [
            "kind": "questionnaire", "name": "Q", "colour": "red",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "nonsense", "title": "?"]]],
        ]
        for answer in [
            try world.send(.put, Self.recipe, body: document),
            try world.send(.post, "/v1/apps/app/recipes/validate?slug=q", body: document),
        ] {
            #expect(answer.status == 422 && answer.json["errors"].array?.isEmpty == false)
            let warnings = answer.json["warnings"].array ?? []
            #expect(warnings.contains { $0["pointer"] == "/colour" }, "\(answer.json.text)")
        }
    }
}
