import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import Testing

struct MicrosurveyStringsTests {
    @Test func theFallbackOptionsAreTheSixInOrder() {
        let localizer = StringTables(defaultLocale: "en", locales: [:]).localizer(for: nil)
        #expect(
            MicrosurveyStrings.fallbackOptions.map { localizer.resolve($0.text).text } == [
                "Very satisfied", "Satisfied", "Neutral", "Dissatisfied", "Very dissatisfied", "I don’t use it",
            ])
        #expect(MicrosurveyStrings.fallbackOptions[0] == "Microsurvey/Microsurvey.Survey.Options.VerySatisfied.v132")
    }

    @Test(arguments: [
        ("LikertScaleOption1.v127", "Very satisfied"), ("LikertScaleOption5.v127", "Very dissatisfied"),
        ("LikertScaleOption6.v129", "I don’t use it"),
    ])
    func olderIdsStandForTheSame(key: String, text: String) {
        #expect(MicrosurveyStrings.english["Microsurvey.Survey.Options." + key] == text)
    }

    @Test(arguments: MicrosurveyStrings.Key.allCases)
    func everyKeyHasEnglish(key: MicrosurveyStrings.Key) {
        #expect(MicrosurveyStrings.english[key.rawValue]?.isEmpty == false)
    }

    @Test func thereAreNoOtherKeys() {
        #expect(MicrosurveyStrings.english.count == MicrosurveyStrings.Key.allCases.count + 6)
    }

    @Test func theTableStandsBehindTheAppsOwn() {
        let tables = StringTables(
            defaultLocale: "en-US",
            locales: [
                "en-US": ["Microsurvey": ["Microsurvey.Survey.Button.v127": "Send"]],
                "de": ["Microsurvey": ["Microsurvey.Prompt.Button.v127": "Weiter"]],
            ])
        func resolve(_ text: String, in locale: String) -> Localizer.Resolved {
            tables.localizer(for: LanguageTag(locale)).resolve(text)
        }
        #expect(resolve("Microsurvey/Microsurvey.Prompt.Button.v127", in: "de").locale == "de")
        #expect(resolve("Microsurvey/Microsurvey.Prompt.Button.v127", in: "fr").text == "Continue")
        #expect(resolve("Microsurvey/Microsurvey.Prompt.Button.v127", in: "fr").locale == "en")
        #expect(resolve("Microsurvey/Microsurvey.Survey.Button.v127", in: "fr").text == "Send")
        #expect(resolve("Microsurvey/NoSuchId.v1", in: "de").looksLikeMissingId)
    }
}
