import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The words of an offer that does not have all of its own (docs/reference/surveys.md#words-of-an-offer).
@Suite struct OfferWordsTests {
    private static let contents: [String: JSONObject] = [
        "questionnaire": [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "nps", "title": "Tell?"]]],
        ],
        "survey": [
            "kind": "survey", "submit": ["button_title": "Send"],
            "questions": [["id": "q1", "question": "Why?", "question_type": "single_text_field"]],
        ],
        "flow": ["kind": "flow", "id": "flow", "steps": [["id": "a", "type": "welcome", "config": ["title": "Hi"]]]],
    ]

    private static func recipe(_ kind: String, _ offer: JSONObject, _ more: JSONObject = [:]) -> JSONValue {
        var recipe = contents[kind] ?? [:]
        var offer = offer
        offer["surface"] = offer["surface"] ?? "card"
        recipe["offer"] = .object(offer)
        for member in more { recipe[member.key] = member.value }
        return .object(recipe)
    }

    private static func world(_ recipe: JSONValue, slug: String = "q") throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card", "microsurvey"]
        let world = try WorkerUnderTest(manifest: .object(manifest), recipes: [:])
        #expect(try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: recipe).status == 201)
        return world
    }

    private static func words(_ world: WorkerUnderTest, locale: String = "en") throws -> [String?] {
        let path = "/v1/apps/app/messages?client_id=c1&locale=\(locale)"
        let message = try world.send(.get, path).json["messages"].array?.first
        return ["title", "text", "button_label"].map { message?[$0].string }
    }

    @Test(arguments: contents.keys.sorted())
    func `An offer of each kind needs only a trigger, and has words in the reader's language`(_ kind: String) throws {
        let slug = kind == "flow" ? "flow" : "q"
        let recipe = Self.recipe(kind, ["trigger": ["launches": 1]])
        let world = try Self.world(recipe, slug: slug)
        let checked = try world.send(.post, "/v1/apps/app/recipes/validate?slug=\(slug)", body: recipe)
        #expect(checked.status == 200 && checked.json["warnings"].array?.isEmpty ?? true, "\(checked.json)")
        #expect(try Self.words(world) == [nil, nil, nil], "the trigger does not hold yet")
        let event: JSONValue = ["type": "behavior", "name": "app_launch"]
        _ = try world.send(.post, "/v1/apps/app/events", body: ["client_id": "c1", "events": [event]])
        #expect(
            try Self.words(world) == [
                "Quick favor?", "Have a minute to answer a few questions?", "Sure, happy to help",
            ])
        #expect(
            try Self.words(world, locale: "de-AT") == [
                "Hast du kurz Zeit?", "Dürfen wir dir ein paar Fragen stellen?", "Ja, gern",
            ])
        let explained = try world.send(
            .post, "/v1/apps/app/explain", body: ["client_id": "c1", "surface": "card"]
        ).json
        #expect(explained["selected"].string == slug, "\(explained)")
    }

    @Test func `What the offer says ranks before the description, and the description before the strings`() throws {
        let strings: JSONValue = ["consentTitle": "Got a minute?", "consentBody": "Body", "consentAccept": "Gladly"]
        let described: JSONObject = ["description": "Two questions.", "strings": strings]
        let cases: [(offer: JSONObject, more: JSONObject, words: [String])] = [
            ([:], ["strings": strings], ["Got a minute?", "Body", "Gladly"]),
            ([:], described, ["Got a minute?", "Two questions.", "Gladly"]),
            (
                [:], ["description": " "],
                ["Quick favor?", "Have a minute to answer a few questions?", "Sure, happy to help"]
            ),
            (
                ["title": "T", "text": "Own", "button-label": "Go"], described, ["T", "Own", "Go"]
            ),
        ]
        for (offer, more, words) in cases {
            #expect(try Self.words(Self.world(Self.recipe("questionnaire", offer, more))) == words)
        }
    }

    @Test func `Built-in words are in the language of the author's words`() throws {
        let world = try Self.world(Self.recipe("questionnaire", [:], ["description": "Two questions."]))
        #expect(try Self.words(world, locale: "de") == ["Quick favor?", "Two questions.", "Sure, happy to help"])
        let texts: JSONValue = ["Texts": ["two": "Zwei Fragen."]]
        #expect(try world.send(.put, "/v1/apps/app/strings/de", body: texts).status == 201)
        let translated = Self.recipe("questionnaire", [:], ["description": "Texts/two"])
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: translated).status == 200)
        #expect(try Self.words(world, locale: "de") == ["Hast du kurz Zeit?", "Zwei Fragen.", "Ja, gern"])
    }

    @Test func `An empty text is no absent one, and a microsurvey gets no question that its author did not write`()
        throws
    {
        for offer: JSONObject in [["text": ""], ["surface": "microsurvey"]] {
            let world = try Self.world(Self.recipe("questionnaire", offer))
            #expect(try Self.words(world) == [nil, nil, nil])
        }
    }

    @Test func `Clients learn that an offer shows no consent`() throws {
        let world = try Self.world(Self.recipe("questionnaire", ["showsConsent": false]))
        let message = try world.send(.get, "/v1/apps/app/messages?client_id=c1").json["messages"].array?.first
        #expect(message?["presents"]["shows_consent"] == false)
        #expect(try world.send(.get, "/v1/apps/app/questionnaires/q").json["questionnaire"]["shows_consent"] == false)
        let wrong = Self.recipe("questionnaire", ["showsConsent": "no"])
        let refused = try world.send(.put, "/v1/apps/app/recipes/q", body: wrong)
        #expect(refused.status == 422 && refused.json["errors"][0]["pointer"] == "/offer/showsConsent")
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: Self.recipe("questionnaire", [:])).status == 200)
        let shown = try world.send(.get, "/v1/apps/app/messages?client_id=c1").json["messages"].array?.first
        #expect(shown?["presents"].object?["shows_consent"] == nil)
    }

    @Test func `A definition that is not translated is in the app's language with all its buttons`() throws {
        let world = try Self.world(Self.recipe("survey", [:]), slug: "s")
        let german: JSONValue = ["Questionnaire": ["nextButton": "Los"], "Texts": ["why": "Warum?"]]
        #expect(try world.send(.put, "/v1/apps/app/strings/de", body: german).status == 201)
        let path = "/v1/apps/app/surveys/s?locale=de"
        let literal = try world.send(.get, path).json["survey"]
        #expect(literal["locale"] != "de" && literal["strings"]["nextButton"] == "Next")
        #expect(literal["strings"]["title"] == "Survey")
        let question: JSONValue = ["id": "q1", "question": "Texts/why", "question_type": "single_text_field"]
        let recipe = Self.recipe("survey", [:], ["questions": [question]])
        #expect(try world.send(.put, "/v1/apps/app/recipes/s", body: recipe).status == 200)
        let translated = try world.send(.get, path).json["survey"]
        #expect(translated["locale"] == "de" && translated["strings"]["nextButton"] == "Los")
        #expect(translated["strings"]["title"] == "Umfrage" && translated["strings"]["backButton"] == "Zurück")
    }
}
