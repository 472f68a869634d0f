import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The presentation of a message (docs/reference/messaging.md#microsurveys, docs/reference/http-api.md#the-poll).
@Suite struct PresentationTests {
    private static let strings = StringTables(
        defaultLocale: "en-US",
        locales: [
            "en-US": ["Survey": ["title": "%@ needs you", "text": "How is %1$@?"]],
            "de": [
                "Survey": ["text": "Wie ist %@?"],
                "Microsurvey": ["Microsurvey.Survey.Options.Neutral.v132": "Neutral (de)"],
            ], "ar": ["Survey": ["text": "نص"]],
        ])

    private func present(
        _ fields: JSONObject, locale: String? = nil, manifest changes: JSONObject = [:]
    ) throws -> Presentation {
        var document: JSONObject = ["text": "Survey/text", "surface": "microsurvey"]
        for (key, value) in fields { document[key] = value }
        let manifest = try Sample.manifest(changes)
        let catalog = try Sample.catalog(["e": ["messages": ["m": .object(document)]]], in: manifest)
        let message = try #require(catalog.message("m"))
        let tag = locale.flatMap { LanguageTag($0) }
        return Presentation(
            message, manifest: manifest, localizer: Self.strings.localizer(for: tag), requestedLocale: tag)
    }

    @Test func fallbackStringsOfAMicrosurvey() throws {
        let shown = try present([:])
        #expect(shown.title == "Help us make Sample better. It only takes a minute.")
        #expect(shown.buttonLabel == "Continue")
        let sheet = try #require(shown.microsurvey)
        #expect(sheet.question == "How is Sample?" && shown.text == sheet.question)
        #expect(
            sheet.options == [
                "Very satisfied", "Satisfied", "Neutral", "Dissatisfied", "Very dissatisfied", "I don’t use it",
            ])
        #expect(sheet.icon == "lightbulbLarge" && sheet.header == "Please complete survey")
        #expect(sheet.submitLabel == "Submit" && sheet.privacyLabel == "Privacy notice")
        #expect(sheet.confirmationHeader == "Survey complete")
        #expect(sheet.confirmationText == "Thanks for your feedback!")
    }

    @Test func otherMessagesHaveNoFallback() throws {
        let shown = try present(["surface": "new-tab-card"])
        #expect(shown.title == nil && shown.buttonLabel == nil && shown.microsurvey == nil)
    }

    @Test func styleMakesAMicrosurveyToo() throws {
        let shown = try present(
            ["surface": "new-tab-card", "style": "MICROSURVEY"],
            manifest: ["messaging": ["styles": ["MICROSURVEY": ["max-display-count": 1]]]])
        #expect(shown.microsurvey != nil)
    }

    @Test(arguments: [
        ("Survey/title", "Sample needs you"), ("%@ and %1$@, %2$@ not", "Sample and Sample, %2$@ not"),
        ("50% off", "50% off"), ("100%", "100%"), ("%d %s", "%d %s"), ("either/or and so on", "either/or and so on"),
        ("Survey/missing", "Survey/missing"), ("{city}", "{city}"), ("", ""),
    ])
    func title(_ written: String, _ shown: String) throws {
        #expect(try present(["title": .string(written)]).title == shown)
    }

    @Test func appsNameWithoutAShortOne() throws {
        #expect(try present(["title": "%@"], manifest: ["short_name": nil]).title == "sample")
    }

    @Test func optionsAreResolvedOneByOne() throws {
        let options: JSONObject = [
            "microsurveyConfig": [
                "options": ["Literal 50%", "Microsurvey/Microsurvey.Survey.Options.Neutral.v132", "Survey/nothing"],
                "icon": "homeLarge",
            ]
        ]
        #expect(try present(options).microsurvey?.options == ["Literal 50%", "Neutral", "Survey/nothing"])
        #expect(try present(options, locale: "de-AT").microsurvey?.options[1] == "Neutral (de)")
        #expect(try present(options).microsurvey?.icon == "homeLarge")
    }

    /// The requested locale, the locale of the text, and whether it is right-to-left.
    @Test(arguments: [
        (nil, "en-US", false), ("de", "de", false), ("de-AT", "de", false), ("de_AT", "de", false),
        ("ar-EG", "ar", true),
        ("fr", "en-US", false), ("en", "en-US", false),
    ])
    func locale(_ requested: String?, _ matched: String, _ isRightToLeft: Bool) throws {
        let shown = try present([:], locale: requested)
        #expect(shown.locale == matched && shown.isRightToLeft == isRightToLeft)
    }

    @Test(arguments: [("ar-EG", "ar", true), ("de-AT", "de", false), ("fr", "en-US", false)])
    func literalTextGoesWithTheTextsAroundIt(_ requested: String, _ served: String, _ isRightToLeft: Bool) throws {
        let shown = try present(["text": "Literal"], locale: requested)
        #expect(shown.locale == served && shown.isRightToLeft == isRightToLeft)
    }

    @Test func titleFallsBackForItself() throws {
        let shown = try present(["title": "Survey/title"], locale: "de")
        #expect(shown.title == "Sample needs you" && shown.text == "Wie ist Sample?" && shown.locale == "de")
    }

    private static let utm = "privacy/firefox/?utm_medium=firefox-mobile&utm_source=modal&utm_campaign=microsurvey"

    /// The requested locale, utm-content, and the link.
    @Test(
        arguments: [
            ("en-US", "homepage", "en-US/\(utm)&utm_content=homepage"), ("de", nil, "de/\(utm)"),
            ("fr-CA", "", "fr-CA/\(utm)&utm_content="), ("de", "a&b=c d", "de/\(utm)&utm_content=a%26b%3Dc%20d"),
            (nil, "homepage", "privacy/firefox"),
        ] as [(String?, String?, String)])
    func privacyURL(_ locale: String?, _ content: String?, _ expected: String) throws {
        var config: JSONObject = [:]
        if let content { config["utm-content"] = .string(content) }
        let shown = try present(["microsurveyConfig": .object(config)], locale: locale)
        #expect(shown.microsurvey?.privacyURL == "https://www.mozilla.org/" + expected)
    }

    @Test func withoutPrivacyThereIsNoLink() throws {
        #expect(try present([:], locale: "de", manifest: ["privacy": nil]).microsurvey?.privacyURL == nil)
    }
}
