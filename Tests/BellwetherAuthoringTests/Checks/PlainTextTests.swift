import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

/// Texts that are no ids count as untranslated where an app has texts in several languages.
@Suite struct PlainTextTests {
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "For owners",
        "schema": [
            "version": 1,
            "questions": [
                ["id": "goal", "type": "text", "title": "Ask/goal"],
                [
                    "id": "how", "type": "single_choice", "title": "How was it?",
                    "options": [
                        ["id": "a", "label": "Good"], ["id": "b", "label": "👍"], ["id": "c", "label": "Good"],
                    ],
                ],
            ],
        ],
        "strings": ["title": "Tell us"], "offer": ["text": "A minute?", "surface": "home"],
    ]

    private static func tables(_ locales: String...) -> StringTables {
        StringTables(
            defaultLocale: "en",
            locales: Dictionary(uniqueKeysWithValues: locales.map { ($0, ["Ask": ["goal": "Goal in \($0)"]]) }))
    }

    @Test func `Each text that is no id is found at its place`() {
        let found = PlainText.all(in: Self.questionnaire, Self.tables("en", "de"))
        #expect(
            found.map(\.pointer.description) == [
                "/schema/questions/1/title", "/schema/questions/1/options/0/label",
                "/schema/questions/1/options/2/label", "/strings/title", "/offer/text",
            ])
        #expect(PlainText.all(in: Self.questionnaire, Self.tables("en", "en-GB")).isEmpty)
    }

    @Test func `A language lacks each plain text once, beside the ids without a translation`() {
        let counts = MissingTranslation.counts(in: Self.questionnaire, Self.tables("en", "de", "fr"))
        #expect(counts.map(\.locale) == ["de", "fr"] && counts.map(\.texts) == [4, 4])
        #expect(MissingTranslation.counts(in: Self.questionnaire, Self.tables("en")).isEmpty)
    }

    @Test func `Messages of all branches have texts, and controls have none`() {
        func branch(_ message: JSONValue) -> JSONValue {
            ["slug": "b", "features": [["featureId": "messaging", "value": ["messages": ["m": message]]]]]
        }
        let options: JSONValue = [
            "title": "Ask/goal", "text": "Hello", "microsurveyConfig": ["options": ["Yes", "No"]],
        ]
        let found = PlainText.all(
            in: ["branches": [branch(options), branch(["is-control": true, "text": "Nothing"])]],
            Self.tables("en", "de"))
        #expect(found.map(\.text) == ["Hello", "Yes", "No"])
    }
}
