import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The theme of an app, and the other values that control the look of the widget (docs/web.md#theming).
@Suite struct ThemeRoutesTests {
    private static let step: JSONValue = ["id": "s", "type": "welcome", "config": ["title": "Hi"]]
    private static let questions: JSONValue = ["questions": [["id": "q1", "type": "text", "title": "?"]]]
    private static let recipes: [String: JSONValue] = [
        "q": ["kind": "questionnaire", "name": "Q", "hosted": true, "schema": questions, "theme": ["radius": 20]],
        "f": ["kind": "flow", "steps": [step]],
        "m": ["messages": ["news": ["surface": "card", "text": "News"]]],
    ]

    private static func world(theme: JSONValue?) throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["theme"] = theme
        return try WorkerUnderTest(manifest: .object(manifest), recipes: recipes)
    }

    private func get(_ target: String, of world: WorkerUnderTest) throws -> RecordedResponse {
        world.send(try Request(.get, target))
    }

    @Test func everyoneGetsTheThemeOfTheAppAndTheRecipeStandsOverIt() throws {
        let world = try Self.world(theme: ["light": ["accent": "#2f6f5e"], "radius": 8])
        let app: JSONValue = ["light": ["accent": "#2f6f5e"], "radius": 8]
        let own: JSONValue = ["light": ["accent": "#2f6f5e"], "radius": 20]
        #expect(try get("/v1/apps/app/questionnaires/q?client_id=c", of: world).json["questionnaire"]["theme"] == own)
        #expect(try get("/v1/apps/app/flows/f", of: world).json["flow"]["theme"] == app)
        let poll = try get("/v1/apps/app/messages?client_id=c&surfaces=card", of: world)
        #expect(poll.json["messages"].array?.first?.object?["theme"] == app)
        let page = String(decoding: try get("/s/app/q", of: world).body, as: UTF8.self)
        #expect(page.contains("data-theme=\"{&quot;light&quot;:{&quot;accent&quot;:&quot;#2f6f5e&quot;}"))
        let made = world.send(
            try Request(.post, "/v1/apps/app/recipes/q/preview", headers: [("Content-Length", "0")]))
        let preview = String(decoding: try get(made.json["url"].string ?? "", of: world).body, as: UTF8.self)
        #expect(preview.contains("data-theme=") && preview.contains("&quot;radius&quot;:20"))
    }

    @Test func withoutAThemeThereIsNoMember() throws {
        let world = try Self.world(theme: nil)
        #expect(try get("/v1/apps/app/flows/f", of: world).json["flow"].object?.keys.contains("theme") == false)
        let poll = try get("/v1/apps/app/messages?client_id=c&surfaces=card", of: world)
        #expect(poll.json["messages"].array?.first?.object?.keys.contains("theme") == false)
    }

    @Test func anotherThemeIsAnotherEntityTagOfAFlow() throws {
        func tag(_ theme: JSONValue?) throws -> String? {
            try get("/v1/apps/app/flows/f", of: Self.world(theme: theme)).headers.split(separator: "\r\n")
                .first { $0.hasPrefix("ETag:") }.map(String.init)
        }
        #expect(try tag(["radius": 1]) != tag(["radius": 2]))
    }

    @Test func theDaemonHasEveryPartThatTheRendererLoads() throws {
        let world = try Self.world(theme: nil)
        let lines = try #require(EmbeddedFile.at("Web/dist/digests")).bytes
        let names = String(decoding: lines, as: UTF8.self).split(separator: "\n")
        #expect(names.count > 10)
        for name in names { #expect(try get("/assets/\(name)", of: world).status == 200, "\(name)") }
    }

    @Test func builtInTextsAreInTheLanguageOfTheOthers() throws {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["default_locale"] = "fr-CA"
        let world = try WorkerUnderTest(manifest: .object(manifest), recipes: Self.recipes)
        let served = try get("/v1/apps/app/questionnaires/q?client_id=c", of: world).json["questionnaire"]
        #expect(served["locale"].string == "fr-CA" && served["strings"]["nextButton"].string == "Suivant")
    }
}

/// The parameters in the address of a hosted page (docs/web.md#links).
@Suite struct LinkTests {
    private static func world(link: JSONValue) throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["attributes"] = ["plan": "string", "trips": "number"]
        let questions: JSONValue = ["questions": [["id": "q1", "type": "text", "title": "?"]]]
        return try WorkerUnderTest(
            manifest: .object(manifest),
            recipes: ["q": ["kind": "questionnaire", "name": "Q", "hosted": true, "schema": questions, "link": link]])
    }

    @Test func onlyWhatTheRecipeListsReachesThePage() throws {
        let world = try Self.world(link: ["answers": ["q1"], "attributes": ["plan", "trips", "undeclared"]])
        func page(_ query: String) throws -> String {
            String(decoding: world.send(try Request(.get, "/s/app/q" + query)).body, as: UTF8.self)
        }
        let all = try page("?q1=%3Cb%3E&plan=pro&trips=3&undeclared=x&other=y&user_id=eve&utm_source=mail")
        #expect(all.contains("&quot;answers&quot;:{&quot;q1&quot;:&quot;&lt;b&gt;&quot;}"))
        #expect(all.contains("&quot;attributes&quot;:{&quot;plan&quot;:&quot;pro&quot;,&quot;trips&quot;:3}"))
        for word in ["undeclared", "eve", "mail", "other"] { #expect(!all.contains(word), "\(word)") }
        #expect(!(try page("?trips=many").contains("data-given")))
        #expect(!(try page("").contains("data-given")))
        let long = String(repeating: "x", count: 1_001)
        #expect(!(try page("?q1=\(long)").contains("data-given")))
    }

    @Test func anAddressNeverSaysWhoAnswers() throws {
        let world = try Self.world(link: [:])
        let document: JSONValue = [
            "kind": "flow", "steps": [["id": "s", "type": "welcome", "config": [:]]],
            "link": ["attributes": ["user_id"], "answers": [1], "more": []],
        ]
        let answer = try world.send(.put, "/v1/apps/app/recipes/f", body: document)
        #expect(answer.status == 422)
        let pointers = answer.json["errors"].array?.compactMap { $0["pointer"].string } ?? []
        #expect(pointers.contains("/link/attributes/0") && pointers.contains("/link/answers/0"))
    }
}
