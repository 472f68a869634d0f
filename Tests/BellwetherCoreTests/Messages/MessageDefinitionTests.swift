import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// The defaults by dialect, and the effect of a wrong type (docs/reference/messaging.md#message-fields).
@Suite struct MessageDefinitionTests {
    @Test func defaultsOnIOS() {
        let message = MessageDefinition([:], dialect: .ios)
        #expect(message.title == nil && message.text.isEmpty && message.buttonLabel == nil)
        #expect(!message.isControl && message.style == "DEFAULT" && message.surface == "Unknown")
        #expect(message.action == nil && message.actionParameters.isEmpty && message.experiment == nil)
        #expect(message.triggers == ["ALWAYS"] && message.exclusions.isEmpty)
        #expect(message.microsurvey.icon == "lightbulbLarge" && message.microsurvey.utmContent == nil)
        #expect(message.microsurvey.options == MicrosurveyStrings.fallbackOptions)
    }

    @Test func defaultsOnAndroid() {
        let message = MessageDefinition([:], dialect: .android)
        #expect(message.surface == "homescreen" && message.action == "OPEN_URL" && message.triggers.isEmpty)
        #expect(message.style == "DEFAULT" && message.exclusions.isEmpty)
    }

    @Test func exclusionsHaveTheirDialectsSpelling() {
        let document: JSONObject = ["except-if-any": ["A"], "exclude-if-any": ["B"]]
        #expect(MessageDefinition(document, dialect: .ios).exclusions == ["A"])
        #expect(MessageDefinition(document, dialect: .android).exclusions == ["B"])
    }

    @Test func parametersAreSortedByName() {
        let message = MessageDefinition(
            ["action-params": ["b": "1", "a": "2", "é": "3", "B": "4", "c": 5]], dialect: .ios)
        #expect(message.actionParameters.map(\.name) == ["B", "a", "b", "é"])
    }

    /// A field, and a value of the wrong type: the document reads the same as without the field.
    @Test(
        arguments: [
            ("action", 1), ("action-params", []), ("title", []), ("text", 1), ("is-control", "true"), ("is-control", 1),
            ("button-label", false), ("style", ["DEFAULT"]), ("trigger-if-all", "ALWAYS"), ("trigger-if-all", [:]),
            ("except-if-any", "NEVER"), ("exclude-if-any", 1), ("surface", 5), ("surface", "nowhere"),
            ("experiment", 1), ("microsurveyConfig", "x"), ("microsurveyConfig", ["icon": 1, "options": "x"]),
            ("microsurveyConfig", ["utm-content": 7, "options": []]),
        ] as [(String, JSONValue)], Dialect.allCases)
    func wrongTypeReadsAsMissing(_ field: (name: String, value: JSONValue), _ dialect: Dialect) throws {
        let manifest = try Sample.manifest(messaging: [:], dialect: dialect)
        func definition(_ fields: JSONObject) throws -> MessageDefinition {
            let catalog = try Sample.catalog(["e": ["messages": ["m": .object(fields)]]], in: manifest)
            return try #require(catalog.messages.first?.definition ?? catalog.malformed.first?.definition)
        }
        var document: JSONObject = ["other": 1]
        let expected = try definition(document)
        document[field.name] = field.value
        #expect(try definition(document) == expected)
    }

    @Test func wrongItemsAndEntriesAreDropped() throws {
        let manifest = try Sample.manifest(messaging: ["triggers": ["T": "true"]])
        let catalog = try Sample.catalog(
            [
                "e": [
                    "messages": [
                        "m": [
                            "text": "t", "trigger-if-all": ["T", 5, nil, "ALWAYS"], "except-if-any": [[], "NEVER"],
                            "action-params": ["a": 1, "b": "2", "c": nil],
                            "microsurveyConfig": ["options": ["x", 1, nil, "y"]],
                        ], "n": 5, "o": "text", "p": nil, "q": [],
                    ], "styles": ["S": 1], "triggers": ["T": 5], "actions": ["A": []],
                ]
            ], in: manifest)
        #expect(catalog.messages.map(\.key) == ["m"] && catalog.malformed.isEmpty)
        let message = try #require(catalog.messages.first?.definition)
        #expect(message.triggers == ["T", "ALWAYS"] && message.exclusions == ["NEVER"])
        #expect(message.actionParameters == [ActionParameter(name: "b", value: "2")])
        #expect(message.microsurvey.options == ["x", "y"])
        #expect(catalog.triggers.map(\.source).contains("true"), "the manifest's T stays")
    }
}
