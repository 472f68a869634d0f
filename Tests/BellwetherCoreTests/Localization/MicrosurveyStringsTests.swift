import BellwetherCore
import Testing

struct MicrosurveyStringsTests {
    @Test func theFallbackOptionsAreTheSixInOrder() {
        let localizer = StringTables(defaultLocale: "en", locales: [:]).localizer(for: nil)
        #expect(
            MicrosurveyStrings.fallbackOptions.map { localizer.resolve($0).text } == [
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
}
