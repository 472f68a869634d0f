import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// Warnings about recipes without faults. Each has its code and its position in the author's document, and there is
/// none if the document may be right.
@Suite struct DocumentCheckTests {
    static let messaging: JSONValue = [
        "triggers": [
            "ADULT": "age >= 18", "CHILD": "age < 18", "TEEN": "age > 12 && age < 20", "EN": "'en' in locale",
            "EN_US": "'en-US' in locale", "DE": "'de' in locale", "HALF": "[nimbus_id, 'x']|bucketSample(0, 1, 2)",
            "OTHER_HALF": "[nimbus_id, 'x']|bucketSample(1, 1, 2)",
        ],
        "styles": ["HIGH": ["priority": 90], "GONE": ["max-display-count": 0], "ALSO_HIGH": ["priority": 90]],
        "messages": ["old": ["text": "Hello", "surface": "notification", "trigger-if-all": ["NEVER"]]],
    ]

    static func strings(_ locales: [String: [String: [String: String]]] = [:]) -> StringTables {
        StringTables(defaultLocale: "en-US", locales: locales)
    }

    /// `code pointer` of every warning that the check adds to those of the parser.
    static func warnings(
        _ document: JSONValue, slug: Identifier = "e", live: KeyValuePairs<String, JSONValue> = [:],
        strings: StringTables = strings()
    ) throws -> [String] {
        try findings(document, slug: slug, live: live, strings: strings).warningLocations
    }

    static func findings(
        _ document: JSONValue, slug: Identifier = "e", live: KeyValuePairs<String, JSONValue> = [:],
        strings: StringTables = strings()
    ) throws -> Findings {
        let manifest = try Sample.manifest(messaging: messaging)
        let recipes = try live.map { try Sample.recipe($1, slug: $0, in: manifest) }
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: strings, recipes: RecipesInForce(live: recipes),
            revision: 1)
        let findings = Findings()
        let context = CheckContext(strings: strings, live: compiledApp)
        DocumentCheck.check(
            try Sample.recipe(document, slug: slug.text, in: manifest), under: manifest, in: context, findings: findings
        )
        return findings
    }

    /// A value of one correct message.
    static func message(_ fields: JSONObject, key: String = "m", _ more: JSONObject = [:]) -> JSONValue {
        var message: JSONObject = ["surface": "homescreen", "text": "Hello"]
        for (name, value) in fields { message[name] = value }
        var value: JSONObject = ["messages": .object([key: .object(message)])]
        for (name, member) in more { value[name] = member }
        return .object(value)
    }

    @Test func `An attribute of the SDK is checked by the type that the manifest declares`() throws {
        let fields = Sample.document(["attributes": ["android_sdk_version": "number", "locale": "number"]])
        let manifest = try #require(Manifest.read(fields, findings: Findings()))
        func warnings(_ expression: String) throws -> [String] {
            let findings = Findings()
            let recipe = try Sample.recipe(
                Self.message(["trigger-if-all": ["T"]], key: "m", ["triggers": ["T": .string(expression)]]), slug: "e",
                in: manifest)
            DocumentCheck.check(
                recipe, under: manifest, in: CheckContext(strings: Self.strings()), findings: findings)
            return findings.warnings.map(\.code)
        }
        #expect(try warnings("android_sdk_version|versionCompare('26') >= 0") == ["type_mismatch"])
        #expect(try warnings("android_sdk_version >= 26") == [])
        #expect(try warnings("'US' in locale") == [], "the daemon derives the locale as a text")
    }

    @Test(arguments: [
        ("homeLarge", true), ("lightbulb", true), ("bookmarkTrayFillLarge", true), ("💡", true),
        ("https://a.example/i.png", true), ("noSuchIcon", false), ("homely", false), ("", false), ("7", false),
    ]) func anIconThatNoBrowserDraws(_ icon: String, _ isDrawn: Bool) throws {
        let config: JSONValue = ["options": ["a"], "icon": .string(icon)]
        let found = try Self.warnings(Self.message(["microsurveyConfig": config]))
        let place = "unknown_icon /messages/m/microsurveyConfig/icon"
        #expect(found.contains(place) == !isDrawn)
    }

    @Test(arguments: [
        ("age == 'x'", "type_mismatch"), ("is_default_browser + 1 > 0", "type_mismatch"),
        ("app_version|versionCompare(2) > 0", "type_mismatch"), ("age|versionCompare('2') > 0", "type_mismatch"),
        ("'x' in age", "type_mismatch"), ("2 in tags", "integer_in_list"), ("age in [1, 2]", "integer_in_list"),
        ("age > 1 && 'e'|eventSum('days', 1) > 1", "always_fails"), ("2 in [1, 2]", "always_true"),
        ("age + 1", "not_boolean"), ("locale", "not_boolean"),
        ("age > 18 && age < 10", "never_true"), ("1 == 2", "never_true"), ("false && is_default_browser", "never_true"),
        ("'e'|eventSum('Days', 1) < 0", "never_true"), ("age >= 1 || age < 1", "always_true"),
        ("1 == 1", "always_true"), ("language == 'en' && language == 'de'", "never_true"),
    ]) func expressionsOfTriggersAndOfTargeting(_ expression: String, _ code: String) throws {
        #expect(try Self.warnings(["triggers": ["T": .string(expression)]]) == ["\(code) /triggers/T"])
        let experiment = NimbusRecipe.experiment("e", ["a": [:]], ["targeting": .string(expression)])
        #expect(try Self.warnings(experiment) == ["\(code) /targeting"])
        let branches = NimbusRecipe.experiment("e", ["a": ["triggers": ["T": .string(expression)]]])
        #expect(try Self.warnings(branches) == ["\(code) /branches/0/features/0/value/triggers/T"])
    }

    @Test(arguments: [
        "true", "age > 18 && age < 20", "age in [1.5]", "2 in [1, 2] && age > 1",
        "undeclared == 1 && undeclared == 2 || age > 1",
        "'en' in locale && 'de' in locale", "city != null", "is_already_enrolled || age > 1", "region == 'DE'",
        "days_since_install < 7", "('x'|eventSum('Days', 1)) > 0", "app_version|versionCompare('2.!') >= 0",
    ]) func expressionsThatMayBeRight(_ expression: String) throws {
        #expect(try Self.warnings(["triggers": ["T": .string(expression)]]) == [])
        #expect(try Self.warnings(NimbusRecipe.experiment("e", ["a": [:]], ["targeting": .string(expression)])) == [])
    }

    @Test func whatReadingTellsIsNotToldAgain() throws {
        for source in ["1 < 'a'", "'text'", "2"] {
            #expect(try Self.warnings(["triggers": ["T": .string(source)]]) == [])
        }
        // A trigger named after a constant is intended; targeting that is never true is a mistake.
        #expect(try Self.warnings(["triggers": ["OFF": "false"]]) == [])
        #expect(
            try Self.warnings(NimbusRecipe.experiment("e", ["a": [:]], ["targeting": "false"])) == [
                "never_true /targeting"
            ])
    }

    /// The fields of a message, and the expected warnings.
    @Test(
        arguments: [
            (["trigger-if-all": ["ADULT", "CHILD"]], ["never_true /messages/m/trigger-if-all"]),
            (["trigger-if-all": ["ALWAYS", "NEVER"]], ["never_true /messages/m/trigger-if-all/1"]),
            (["trigger": ["NEVER"]], ["never_true /messages/m/trigger/0"]),
            (["trigger-if-all": ["ADULT"], "except-if-any": ["ADULT"]], ["never_true /messages/m/trigger-if-all"]),
            (["except-if-any": ["CHILD", "ALWAYS"]], ["never_true /messages/m/except-if-any/1"]),
            (["except-if-any": ["CHILD", "ADULT"]], ["never_true /messages/m/except-if-any"]),
            (["trigger-if-all": ["ADULT", "TEEN"], "except-if-any": ["NEVER"]], []), (["trigger-if-all": []], []),
            (["trigger-if-all": ["ADULT", "UNKNOWN"]], []), ([:], []), (["except-if-any": ["ADULT"]], []),
            (["style": "GONE"], ["cap_zero /messages/m/style"]),
            (["title": "Microsurvey/NoSuchKey.v1"], ["unknown_string_id /messages/m/title"]),
            (["text": "Some Table/Some.Key.v1", "button-label": "OK"], ["unknown_string_id /messages/m/text"]),
            (
                ["microsurveyConfig": ["answers": ["Yes", "Microsurvey/Nope"]]],
                ["unknown_string_id /messages/m/microsurveyConfig/answers/1"]
            ),
            (["title": "Yes/No", "text": "Visit example/mozilla.org", "button-label": "24/7"], []),
            (["title": "See https://mozilla.org/Foo.Bar", "text": "Microsurvey/or any other word"], []),
            (["title": "Microsurvey/Microsurvey.Prompt.Button.v127"], []),
            (["is-control": true, "title": "Microsurvey/NoSuchKey.v1"], []),
            (["action": "https://x.org/{nope}"], ["unknown_attribute /messages/m/action"]),
            (
                ["action": "https://x.org/{age}{uuid}{experiment}", "action-params": ["a": "{city}", "b": "{tags}"]],
                ["unknown_attribute /messages/m/action-params/b"]
            ),
            (["action": "https://x.org/{ }{\"a\"}{1}"], []),
        ] as [(JSONObject, [String])]) func messages(_ fields: JSONObject, _ expected: [String]) throws
    {
        #expect(try Self.warnings(Self.message(fields)) == expected)
        let branch = try Self.warnings(NimbusRecipe.experiment("e", ["a": Self.message(fields)]))
        #expect(branch == expected.map { $0.replacing(" /", with: " /branches/0/features/0/value/") })
    }

    @Test func aTriggerOfTheDocumentIsToldOnceWhereItIsDefined() throws {
        let own = Self.message(["trigger-if-all": ["T"]], ["triggers": ["T": "age > 2 && age < 1"]])
        #expect(try Self.warnings(own) == ["never_true /triggers/T"])
        // A patch that does not change another message's triggers gets no warning about them.
        #expect(try Self.warnings(["messages": ["old": ["title": "A title"]]]) == [])
    }

    @Test func theSentenceNamesThoseThatContradict() throws {
        func sentence(_ fields: JSONObject) throws -> String? {
            try Self.findings(Self.message(fields)).warnings.first?.message
        }
        #expect(
            try sentence(["trigger-if-all": ["EN", "ADULT", "CHILD"]])
                == "\"ADULT\" and \"CHILD\" are never true at once: the message is never eligible")
        #expect(
            try sentence(["trigger-if-all": ["EN", "ADULT"], "except-if-any": ["ADULT"]])
                == "wherever \"ADULT\" is true, \"ADULT\" excludes: the message is never eligible")
    }

    @Test func stylesAndActionsOfTheDocument() throws {
        let value: JSONValue = [
            "styles": ["OFF": ["max-display-count": 0], "ON": ["max-display-count": 1], "ODD": ["priority": 0]],
            "actions": ["GO": "://open?x={nope}", "FINE": "://open?x={city}"],
            "messages": ["m": ["text": "t", "surface": "homescreen", "style": "OFF", "action": "GO"]],
        ]
        #expect(
            try Self.warnings(value) == ["cap_zero /styles/OFF/max-display-count", "unknown_attribute /actions/GO"])
    }

    @Test func languagesWithoutATranslation() throws {
        let strings = Self.strings([
            "en-US": ["T": ["A": "a", "B": "b"]], "en-GB": [:], "de": ["T": ["A": "ä"]], "de-AT": [:],
            "fr": ["T": ["A": "â"], "Microsurvey": [:], "Localizable": ["How are you?": "Ça va ?"]],
        ])
        func told(_ text: String) throws -> [String] {
            try Self.findings(Self.message(["title": .string(text)]), strings: strings).warnings
                .map { "\($0.code) \($0.message)" }
        }
        #expect(try told("T/A") == [])
        #expect(try told("T/B") == ["missing_translation \"T/B\" has no translation for de, de-AT, fr"])
        #expect(try told("T/C").map { $0.prefix(17) } == ["unknown_string_id"])
        #expect(try told("T/C d") == [])
        // A sentence is a text in the default language.
        #expect(try told("How are you?") == ["missing_translation \"How are you?\" has no translation for de, de-AT"])
        #expect(
            try told("Microsurvey/Microsurvey.Survey.Button.v127").map { $0.prefix(19) } == ["missing_translation"])
    }

    private static let quietHours: [(JSONObject, [String])] = [
        (["from": "22:00", "to": "07:00"], []),
        (["from": "07:00", "to": "07:00"], ["limit_zero /pacing/quiet_hours/to"]),
        (
            ["from": "22:00", "to": "07:00", "utc_offset_attribute": "offset"],
            ["unknown_attribute /pacing/quiet_hours/utc_offset_attribute"]
        ),
        (["from": "22:00", "to": "07:00", "utc_offset_attribute": "age"], []),
    ]

    @Test(arguments: quietHours)
    func quietHoursThatAreNoneOrNobodys(_ hours: JSONObject, _ expected: [String]) throws {
        let findings = Findings()
        let manifest = try Sample.manifest(["pacing": ["quiet_hours": .object(hours)]])
        let tables = StringTables(defaultLocale: "en-US", locales: [:])
        DocumentCheck.check(manifest, in: CheckContext(strings: tables), findings: findings)
        #expect(findings.warningLocations == expected)
    }
}
