import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// `explain` with drafts (docs/reference/http-api.md#explain).
@Suite struct SupposedRecipesTests {
    private static let app = "/v1/apps/shop"

    private static func recipe(_ key: String) -> JSONValue {
        let message: JSONValue = ["surface": "card", "text": "Hello"]
        return ["messages": .object(JSONObject([(key, message)]))]
    }

    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest()
        for (path, body) in [
            ("/manifest", ["app_name": "app", "default_locale": "en", "surfaces": ["card"]] as JSONValue),
            ("/recipes/r", Self.recipe("live")), ("/recipes/r?state=draft", Self.recipe("draft")),
        ] {
            let answer = try world.send(.put, Self.app + path, body: body)
            guard [200, 201].contains(answer.status) else { throw Failure("\(answer.status) \(answer.json.text)") }
        }
    }

    private func explain(_ suppose: JSONValue) throws -> RecordedResponse {
        try world.send(.post, Self.app + "/explain", body: ["surface": "card", "suppose": suppose])
    }

    private func selected(_ suppose: JSONValue) throws -> JSONValue {
        let answer = try explain(suppose)
        #expect(answer.status == 200, "\(answer.json.text)")
        return answer.json["selected"]
    }

    @Test func `A draft, a document and a new recipe are taken as live`() throws {
        #expect(try selected([]) == "live")
        #expect(try selected([["slug": "r", "revision": 2]]) == "draft")
        #expect(try selected([["slug": "r", "document": Self.recipe("mine")]]) == "mine")
        let both = try explain([["slug": "new", "document": Self.recipe("other")]]).json
        #expect(both["messages"].array?.map { $0["key"] }.contains("other") == true)
        #expect(try selected([]) == "live")
    }

    @Test func `A recipe that is paused is served where it is supposed`() throws {
        #expect(try world.send(.post, Self.app + "/recipes/r/state", body: ["state": "paused"]).status == 200)
        #expect(try explain([]).json["not_served"].array?.count == 1)
        let supposed = try explain([["slug": "r", "revision": 1]]).json
        #expect(supposed["not_served"] == [] && supposed["selected"] == "live")
    }

    @Test func `What cannot be supposed is refused`() throws {
        #expect(try explain([["slug": "r", "revision": 9]]).status == 404)
        #expect(try explain([["slug": "r"]]).status == 400)
        let many = (0..<6).map { JSONValue.object(["slug": .string("s\($0)"), "document": Self.recipe("m")]) }
        #expect(try explain(.array(many)).status == 422)
        let wrong = try explain([["slug": "r", "document": ["kind": "flow", "steps": 1]]])
        #expect(wrong.status == 422)
        #expect(wrong.json["errors"][0]["pointer"].string?.hasPrefix("/suppose/0/document") == true)
    }
}
