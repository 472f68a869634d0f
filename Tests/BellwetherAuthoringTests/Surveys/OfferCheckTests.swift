import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The findings for a questionnaire's texts and for the message that offers it, at their positions in the author's
/// document.
@Suite struct OfferCheckTests {
    private static func definition(_ offer: JSONValue?, _ more: JSONObject = [:]) -> JSONValue {
        var definition: JSONObject = [
            "kind": "questionnaire", "name": "Onboarding",
            "schema": ["questions": [["id": "nps", "type": "nps", "title": "Tell a friend?"]]],
        ]
        definition["offer"] = offer
        for member in more { definition[member.key] = member.value }
        return .object(definition)
    }

    /// The findings of the parser and of the checks.
    private static func places(_ document: JSONValue, strings: StringTables? = nil) throws -> [String] {
        let manifest = try Sample.manifest(messaging: ["triggers": ["NEVER_EVER": "age > 3 && age < 2"]])
        let findings = Findings()
        let recipe = Recipe.read(document, slug: "q", revision: 1, manifest: manifest, findings: findings)
        guard let recipe else { return findings.faults.map { "\($0.code) \($0.pointer)" } }
        let tables = strings ?? StringTables(defaultLocale: "en-US", locales: [:])
        DocumentCheck.check(recipe, under: manifest, in: CheckContext(strings: tables), findings: findings)
        return findings.warningLocations
    }

    private static let offers: [(JSONValue, [String])] = [
        (["surface": "moon", "text": "Hello"], ["unknown_surface /offer/surface"]),
        (["surface": "homescreen", "text": 5], ["type /offer/text"]),
        (["surface": "homescreen", "text": "Hi", "style": "NOPE"], ["unknown_style /offer/style"]),
        (
            ["surface": "homescreen", "text": "Hi", "trigger": ["NOPE"]],
            ["alias /offer/trigger", "unknown_trigger /offer/trigger/0"]
        ),
        (["surface": "homescreen", "text": "Hi", "pacing": ["limit": "two"]], ["type /offer/pacing/limit"]),
        (["surface": "homescreen", "text": "Hi", "colour": "red"], ["unknown_key /offer/colour"]),
        (
            ["surface": "homescreen", "text": "Hi", "trigger-if-all": ["NEVER_EVER"]],
            ["never_true /offer/trigger-if-all/0"]
        ),
        (["surface": "homescreen", "text": "Cards/Hello.Title"], ["unknown_string_id /offer/text"]),
        (["surface": "homescreen", "text": "Hi"], []),
        (["surface": "homescreen", "trigger": ["launches": 1], "showsConsent": false], []),
        (["surface": "homescreen", "text": ""], ["empty_text /offer/text"]),
        (["surface": "homescreen", "showsConsent": 1], ["type /offer/showsConsent"]),
        (["surface": "homescreen", "text": "Hi", "trigger": ["launches": "x"]], ["type /offer/trigger/launches"]),
        ("Hi", ["type /offer"]),
    ]

    @Test(arguments: offers)
    func findingsInAnOfferAreAtItsMembers(_ offer: JSONValue, _ expected: [String]) throws {
        #expect(try Self.places(Self.definition(offer)) == expected)
    }

    @Test func `Texts that a language lacks are told where they stand`() throws {
        let tables = StringTables(
            defaultLocale: "en",
            locales: [
                "en": [
                    "Ask": ["Friend.Title": "Tell a friend?", "Both": "Together"],
                    "Questionnaire": ["nextButton": "On"],
                ],
                "de": ["Ask": ["Both": "Beide"]],
            ])
        let definition = Self.definition(
            nil,
            [
                "description": "Ask/Both", "strings": ["title": "Ask/Friend.Title"],
                "schema": [
                    "questions": [
                        ["id": "nps", "type": "nps", "title": "Ask/Friend.Title", "subtitle": "Ask/Nothing.Here"],
                        [
                            "id": "c", "type": "single_choice", "title": "Ask/Both",
                            "options": [["id": "a", "label": "Ask/Both"], ["id": "b", "label": "Ask/Friend.Title"]],
                        ],
                    ]
                ],
            ])
        let places = try Self.places(definition, strings: tables)
        #expect(
            places == [
                "missing_translation /schema/questions/0/title", "unknown_string_id /schema/questions/0/subtitle",
                "missing_translation /schema/questions/1/options/1/label", "missing_translation /strings/title",
                "missing_translation ",
            ])
    }
}
