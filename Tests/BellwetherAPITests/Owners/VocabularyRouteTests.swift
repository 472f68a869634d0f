import BellwetherJSON
import HTTPWire
import JEXL
import TestSupport
import Testing

@testable import BellwetherAPI

/// The names that a document may use (docs/reference/http-api.md#vocabulary).
@Suite struct VocabularyRouteTests {
    private func world() throws -> WorkerUnderTest {
        let world = try WorkerUnderTest()
        let manifest: JSONValue = [
            "app_name": "app", "default_locale": "en", "attributes": ["plan": "string", "locale": "string"],
            "surfaces": ["home"], "features": ["editor": ["variables": ["size": ["type": "int"]]]],
            "pacing": ["caps": [["count": 1, "seconds": 60, "tags": ["sale"]]]],
        ]
        let put = try world.send(.put, "/v1/apps/shop/manifest", body: manifest)
        try #require([200, 201].contains(put.status), "\(String(decoding: put.body, as: UTF8.self))")
        return world
    }

    private func vocabulary(_ world: WorkerUnderTest) throws -> JSONObject {
        let answer = try world.send(.get, "/v1/apps/shop/vocabulary")
        #expect(answer.status == 200)
        return try #require(answer.json.object)
    }

    @Test func `The vocabulary has built-in names and those of the manifest`() throws {
        let words = try vocabulary(try world())
        let attributes = words["attributes"]?.array ?? []
        #expect(attributes.contains(["name": "plan", "type": "string", "source": "manifest"]))
        #expect(attributes.contains(["name": "locale", "type": "string", "source": "manifest"]))
        #expect(attributes.contains(["name": "app_version", "type": "string", "source": "sdk"]))
        #expect(attributes.contains(["name": "current_date", "type": "number", "source": "daemon"]))
        #expect(words["triggers"] == ["ALWAYS", "NEVER"] && words["styles"] == ["DEFAULT"])
        #expect(words["features"] == ["editor"] && words["tags"] == ["sale"])
        #expect(words["surfaces"]?.array?.contains("home") == true)
    }

    @Test func `Each transform of the language is told with its arguments`() throws {
        let transforms = try vocabulary(try world())["transforms"]?.array ?? []
        let names = transforms.compactMap { $0.object?["name"]?.string }
        #expect(Set(names) == CompiledExpression.ownTransforms && names.count == CompiledExpression.ownTransforms.count)
        let seen = try #require(transforms.first { $0.object?["name"] == "eventLastSeen" }?.object)
        #expect(seen["arguments"]?.array?.compactMap { $0.object?["name"] } == ["interval", "start"])
        #expect(seen["returns"] == "number")
    }

    @Test func `Names of recipes are there until the recipe has ended`() throws {
        let world = try world()
        let recipe: JSONValue = [
            "triggers": ["OFTEN": "'page_viewed'|eventSum('Days', 7, 0) > 3"], "styles": ["LOUD": ["priority": 90]],
            "actions": ["RATE": "https://example.org/rate"],
            "messages": [
                "mood": [
                    "text": "Hello", "surface": "card", "style": "LOUD", "trigger-if-all": ["OFTEN"],
                    "pacing": ["tags": ["survey"]],
                ]
            ],
        ]
        #expect(try world.send(.put, "/v1/apps/shop/recipes/mood", body: recipe).status == 201)
        let words = try vocabulary(world)
        #expect(words["events"] == ["page_viewed"] && words["actions"] == ["RATE"])
        #expect(words["triggers"] == ["ALWAYS", "NEVER", "OFTEN"] && words["styles"] == ["DEFAULT", "LOUD"])
        #expect(words["surfaces"]?.array?.contains("card") == true && words["tags"] == ["sale", "survey"])
        #expect(try world.send(.post, "/v1/apps/shop/recipes/mood/state", body: ["state": "ended"]).status == 200)
        #expect(try vocabulary(world)["triggers"] == ["ALWAYS", "NEVER"])
    }

    @Test func `Answers that are facts have their names there`() throws {
        let world = try world()
        #expect(try vocabulary(world)["answers"] == nil)
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "facts": ["nps": "q", "again": "q"],
            "schema": ["version": 1, "questions": [["id": "q", "type": "nps", "title": "Tell?"]]],
        ]
        #expect(try world.send(.put, "/v1/apps/shop/recipes/q", body: recipe).status == 201)
        #expect(try vocabulary(world)["answers"] == ["again", "nps"])
    }

    @Test func `A vocabulary that has not changed is not sent again`() throws {
        let world = try world()
        let first = try world.send(.get, "/v1/apps/shop/vocabulary")
        let line = first.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
        let tag = String(try #require(line).dropFirst("ETag: ".count))
        #expect(try world.send(.get, "/v1/apps/shop/vocabulary", headers: [("If-None-Match", tag)]).status == 304)
        #expect(try world.send(.get, "/v1/apps/shop/vocabulary?state=draft").status == 400)
    }
}
