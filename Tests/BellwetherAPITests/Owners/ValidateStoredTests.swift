import BellwetherBase
import BellwetherCore
import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// Documents that were stored before their mistakes became faults (docs/reference/http-api.md#faults-and-warnings).
@Suite struct ValidateStoredTests {
    @Test func `Validation refuses a mistake that is new, and not the document that is stored`() throws {
        let first = try WorkerUnderTest(over: TestStore())
        #expect(try first.send(.put, "/v1/apps/app/manifest", body: WorkerUnderTest.manifest).status == 201)
        var document: JSONObject = ["messages": ["m": ["text": "Hi", "surface": "card", "pacing": ["cooldwn": 3]]]]
        let text = JSONValue.object(document).encoded
        let recipe = StoredRecipe(
            slug: "old", state: .live,
            document: StoredDocument(revision: 1, source: .api, text: text, publishedAt: first.now, author: "ann"))
        let head = try first.store.loadCatalog().head
        _ = try first.store.publish(
            [.recipe(app: "app", recipe)], expecting: head, by: "ann", at: first.now)
        let world = try WorkerUnderTest(over: first.store)
        let path = "/v1/apps/app/recipes/validate?slug=old"
        let same = try world.send(.post, path, body: .object(document))
        #expect(same.status == 200 && same.json["warnings"].text.contains("unknown_key"), "\(same.json.text)")
        document["actions"] = [:]
        #expect(try world.send(.post, path, body: .object(document)).status == 422)
    }
}
