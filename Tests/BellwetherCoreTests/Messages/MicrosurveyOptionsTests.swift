import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// The options of a microsurvey as Android's authors write them, and what cannot be read
/// (docs/reference/messaging.md#microsurveys).
@Suite struct MicrosurveyOptionsTests {
    private static let answers: JSONValue = [
        ["text": "Bad", "ordering": 2], ["text": "Good", "ordering": 0], ["text": "So so", "ordering": 1],
    ]

    private func catalog(_ fields: JSONObject, _ dialect: Dialect, defaults: JSONObject? = nil) throws -> Catalog {
        let styles: JSONValue = ["MICROSURVEY": ["priority": 50]]
        var messaging: JSONObject = ["styles": styles]
        if let defaults { messaging["messages"] = ["m": .object(defaults)] }
        let manifest = try Sample.manifest(messaging: .object(messaging), dialect: dialect)
        var message: JSONObject = ["text": "How is it?", "style": "MICROSURVEY", "surface": "microsurvey"]
        for field in fields { message[field.key] = field.value }
        return try Sample.catalog(["e": ["messages": ["m": .object(message)]]], in: manifest)
    }

    @Test(arguments: ["microsurvey-config", "microsurveyConfig"], ["answers", "options"])
    func `Android's answers are read in their order, with icon and utm`(_ key: String, _ list: String) throws {
        let config: JSONValue = .object(["icon": "ic_home", "utm-content": "home", list: Self.answers])
        let survey = try #require(try catalog([key: config], .android).messages.first?.definition.microsurvey)
        #expect(survey.options == ["Good", "So so", "Bad"])
        #expect(survey.icon == "ic_home" && survey.utmContent == "home")
    }

    @Test func `Answers of the same ordering, and without one, keep their order`() throws {
        let options: JSONValue = [["text": "a"], ["text": "b", "ordering": 0], ["text": "c", "ordering": -1]]
        let config: JSONValue = ["answers": options]
        #expect(
            try catalog(["microsurveyConfig": config], .android).messages.first?.definition.microsurvey.options
                == ["c", "a", "b"])
    }

    @Test(
        arguments: [
            ("title", 5), ("button-label", []), ("microsurveyConfig", "x"), ("microsurveyConfig", ["icon": 1]),
            ("microsurveyConfig", ["utm-content": 7]), ("microsurveyConfig", ["options": "Good, bad"]),
            ("microsurveyConfig", ["options": [1, nil]]), ("microsurveyConfig", ["choices": ["Good", "Bad"]]),
            ("microsurveyConfig", ["options": [["text": 7]]]), ("microsurvey-config", ["options": [["label": "a"]]]),
            ("microsurveyConfig", ["answers": [["text": "a", "ordering": "first"]]]),
        ] as [(String, JSONValue)], Dialect.allCases)
    func `What cannot be read makes the message malformed`(
        _ field: (key: String, value: JSONValue), _ dialect: Dialect
    ) throws {
        let catalog = try catalog([field.key: field.value], dialect)
        #expect(catalog.messages.isEmpty)
        guard case .unreadable? = catalog.malformed.first?.reason else {
            Issue.record("\(String(describing: catalog.malformed.first?.reason))")
            return
        }
    }

    @Test(
        arguments: [
            [:], ["title": nil], ["microsurveyConfig": nil], ["microsurveyConfig": [:]],
            ["microsurveyConfig": ["options": []]], ["microsurveyConfig": ["options": ["a", 7, nil]]],
            ["microsurveyConfig": ["target-feature": "printing"]], ["title": 5, "is-control": true],
        ] as [JSONObject], Dialect.allCases)
    func `What is absent has its default`(_ fields: JSONObject, _ dialect: Dialect) throws {
        #expect(try catalog(fields, dialect).malformed.isEmpty)
    }

    @Test func `A recipe cannot hide an unreadable list behind the manifest's`() throws {
        let good: JSONObject = ["text": "Q", "microsurveyConfig": ["options": ["a", "b"]]]
        let broken = try catalog(["microsurveyConfig": ["options": "x"]], .ios, defaults: good)
        #expect(broken.malformed.first?.reason == .unreadable("microsurveyConfig.options"))
        let bad: JSONObject = ["text": "Q", "microsurveyConfig": ["options": "x"]]
        let mended = try catalog(["microsurveyConfig": ["options": ["c"]]], .ios, defaults: bad)
        #expect(mended.messages.first?.definition.microsurvey.options == ["c"])
    }

    @Test func `Publishing says that the message is malformed, and why`() throws {
        func warnings(_ config: JSONValue, _ dialect: Dialect = .android) throws -> [String] {
            let findings = Findings()
            let manifest = try Sample.manifest(messaging: ["styles": ["MICROSURVEY": [:]]], dialect: dialect)
            let value: JSONValue = [
                "messages": ["m": ["text": "Q", "style": "MICROSURVEY", "microsurvey-config": config]]
            ]
            _ = Recipe.read(value, slug: "e", revision: 1, manifest: manifest, findings: findings)
            return findings.warnings.map { "\($0.code) \($0.pointer) \($0.message)" }
        }
        #expect(try warnings(["answers": Self.answers, "icon": "ic_home"]).isEmpty)
        #expect(
            try warnings(["answers": [["text": 7]]]) == [
                "type /messages/m/microsurvey-config/answers/0/text expected a string, found an integer: "
                    + "the message is malformed"
            ])
        #expect(
            try warnings(["answers": ["a"]], .ios).map { $0.prefix(5) } == ["alias", "alias"])
    }
}
