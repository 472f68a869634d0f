import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The requirements for a new questionnaire, which do not apply to a stored one
/// (docs/reference/surveys.md#questionnaires).
@Suite struct QuestionnaireIntakeTests {
    private static func questionnaire(_ title: String = "Anything?", _ more: JSONObject = ["name": "Q"]) -> JSONValue {
        var document: JSONObject = [
            "kind": "questionnaire",
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": .string(title)]]],
        ]
        for member in more { document[member.key] = member.value }
        return .object(document)
    }

    private var editing = Editing()

    init() throws { try editing.manifest() }

    private mutating func places(_ slug: Identifier, _ document: JSONValue) -> [String] {
        editing.refusal(.putRecipe(slug: slug, document.encoded, asDraft: false))?.faultLocations ?? []
    }

    @Test(arguments: ["Bad_Slug", "has space", "ümlaut", "a/b", "a.b", Identifier(String(repeating: "a", count: 65))])
    mutating func aSlugHasSmallLettersDigitsAndHyphens(_ slug: Identifier) {
        #expect(places(slug, Self.questionnaire()) == ["slug "])
        #expect(places(slug, Self.questionnaire("?", ["name": "Q", "slug": .string(slug)])) == ["slug /slug"])
    }

    @Test(arguments: ["a", "-x", "2026-spring", Identifier(String(repeating: "a", count: 64))])
    mutating func otherSlugsAreTaken(_ slug: Identifier) throws {
        #expect(try editing.recipe(slug, Self.questionnaire())?.effect == .created)
    }

    @Test mutating func aNameIsRequired() {
        #expect(places("q", Self.questionnaire("?", [:])) == ["required /name"])
        #expect(places("Q", Self.questionnaire("?", [:])) == ["slug ", "required /name"])
        #expect(places("q", Self.questionnaire("?", ["name": " "])) == ["blank /name"])
    }

    @Test mutating func aSurveyHasAnySlugAndNoName() throws {
        let survey: JSONValue = [
            "kind": "survey", "questions": [["id": "a", "question": "?", "question_type": "single_text_field"]],
        ]
        #expect(try editing.recipe("A_Survey", survey)?.effect == .created)
    }

    @Test func whatIsStoredStays() throws {
        func document(_ value: JSONValue) -> StoredDocument {
            StoredDocument(revision: 1, source: .api, text: value.encoded, publishedAt: Scene.start)
        }
        let stored = StoredRecipe(slug: "Bad_Slug", state: .live, document: document(Self.questionnaire("?", [:])))
        let app = StoredApp(name: "sample", revision: 1, manifest: document(SampleManifest.with()), recipes: [stored])
        var failures: [String] = []
        let catalog = PublishedCatalog.load(StoredCatalog(apps: [app]), at: Scene.start, failures: &failures)
        var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
        #expect(failures.isEmpty && editor.snapshots["sample"]?.recipes["Bad_Slug"]?.survey != nil)
        let changed = Self.questionnaire("Else?", [:]).encoded
        for change: PublishRequest.Change in [
            .putRecipe(slug: "Bad_Slug", changed, asDraft: false), .setState(slug: "Bad_Slug", .paused),
            .setState(slug: "Bad_Slug", .live),
        ] {
            guard case .stored(let receipt) = try editor.apply(PublishRequest(app: "sample", change: change)) else {
                Issue.record("\(change)")
                return
            }
            #expect(receipt.effect == .changed && receipt.revision == 2)
        }
    }
}
