import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Texts in all languages, the texts that recipes use, and previews of changed texts
/// (docs/reference/http-api.md#texts).
@Suite struct TextsRouteTests {
    private static let app = "/v1/apps/shop"
    private static let manifest: JSONValue = ["app_name": "app", "default_locale": "en", "surfaces": ["card"]]
    private static let card: JSONValue = [
        "messages": ["m": ["surface": "card", "text": "Cards/hello", "title": "Cards/bye"]]
    ]

    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest()
        try put("/manifest", Self.manifest)
        try put("/strings/en", ["Cards": ["hello": "Hello", "bye": "Bye", "old": "Old"]])
        try put("/strings/de", ["Cards": ["hello": "Hallo"]])
        try put("/recipes/r", Self.card)
    }

    private func put(_ path: String, _ body: JSONValue) throws {
        let answer = try world.send(.put, Self.app + path, body: body)
        guard [200, 201].contains(answer.status) else { throw Failure("\(path): \(answer.status) \(answer.json.text)") }
    }

    @Test func `Texts stand in all languages with the places that use them`() throws {
        let json = try world.send(.get, Self.app + "/texts").json
        #expect(json["locales"].array?.map { $0["locale"] } == ["de", "en"])
        let etag = try world.send(.get, Self.app + "/strings/de").headers
        #expect(etag.contains(json["locales"][0]["etag"].string ?? "none"))
        #expect(json["locales"][0]["revision"] == 1 && json["locales"][0]["draft_revision"] == .null)
        let hello: JSONValue = [
            "id": "Cards/hello", "in": ["de": "Hallo", "en": "Hello"],
            "used_by": [["recipe": "r", "state": "live", "pointer": "/messages/m/text"]],
        ]
        let texts = json["texts"].array ?? []
        #expect(texts.map { $0["id"] } == ["Cards/bye", "Cards/hello", "Cards/old"] && texts[1] == hello)
        #expect(texts[2]["used_by"] == [])
    }

    @Test func `Drafts count unless what is in force is asked for`() throws {
        try put("/strings/de?state=draft", ["Cards": ["hello": "Servus"]])
        try put("/strings/fr?state=draft", ["Cards": ["hello": "Salut"]])
        let newest = try world.send(.get, Self.app + "/texts").json
        #expect(newest["texts"][1]["in"] == ["de": "Servus", "en": "Hello", "fr": "Salut"])
        #expect(newest["locales"].array?.map { $0["draft_revision"] } == [2, nil, 1])
        #expect(newest["locales"].array?.map { $0["revision"] } == [1, 1, nil])
        let live = try world.send(.get, Self.app + "/texts?state=live").json
        #expect(live["texts"][1]["in"] == ["de": "Hallo", "en": "Hello"])
        #expect(try world.send(.get, Self.app + "/texts?state=old").status == 400)
        #expect(try world.send(.get, "/v1/apps/none/texts").status == 404)
    }

    @Test func `The list of recipes tells of warnings and of texts that a language lacks`() throws {
        let recipe = try world.send(.get, Self.app + "/recipes").json["recipes"][0]
        #expect(recipe["missing"] == ["de": 1])
        let found = try world.send(.post, Self.app + "/recipes/validate?slug=r", body: Self.card).json["warnings"]
        #expect(recipe["warnings"] == .integer(Int64(found.array?.count ?? 0)) && recipe["warnings"] != 0)
        try put("/strings/de", ["Cards": ["hello": "Hallo", "bye": "Ade"]])
        let after = try world.send(.get, Self.app + "/recipes?counts=true").json["recipes"][0]
        #expect(after["missing"] == [:] && after["warnings"] == 0)
    }

    @Test func `A trial of a manifest or of strings stores nothing`() throws {
        let trial = try world.send(
            .put, Self.app + "/strings/de?dry_run=true", body: ["Cards": ["hello": "Servus"]])
        #expect(trial.status == 200 && trial.json == ["warnings": []])
        #expect(try world.send(.get, Self.app + "/strings/de").json["Cards"]["hello"] == "Hallo")
        let fault = try world.send(.put, Self.app + "/manifest?dry_run=true", body: ["app_name": "app"])
        #expect(fault.status == 422)
        let fewer: JSONValue = ["app_name": "app", "default_locale": "en", "surfaces": ["home"]]
        let warned = try world.send(.put, Self.app + "/manifest?dry_run=true", body: fewer)
        #expect(warned.status == 200 && warned.json["warnings"] != [])
        #expect(try world.send(.get, Self.app + "/manifest").json["surfaces"] == ["card"])
        #expect(try world.send(.put, Self.app + "/recipes/r?dry_run=true", body: Self.card).status == 400)
    }

    @Test func `Personas are known to the manifest and decide nothing`() throws {
        var manifest = Self.manifest.object ?? [:]
        manifest["personas"] = ["Pro": ["surface": "card", "context": ["plan": "pro"]]]
        try put("/manifest", .object(manifest))
        #expect(try world.send(.get, Self.app + "/manifest").json["personas"]["Pro"]["surface"] == "card")
        manifest["personas"] = ["Pro": 1]
        let wrong = try world.send(.put, Self.app + "/manifest", body: .object(manifest))
        #expect(wrong.status == 422 && wrong.json["errors"][0]["pointer"] == "/personas/Pro")
        manifest["personas"] = .object(JSONObject((0..<51).map { ("p\($0)", [:]) }))
        #expect(try world.send(.put, Self.app + "/manifest", body: .object(manifest)).status == 422)
    }
}
