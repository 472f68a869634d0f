import Testing

@testable import BellwetherBase

/// The built-in texts of the interface (docs/reference/surveys.md#texts-of-the-interface).
struct InterfaceTextTests {
    @Test func everyLanguageHasEveryText() {
        let languages = ["ar", "de", "es", "fr", "he", "it", "ja", "nl", "pl", "pt"]
        #expect(InterfaceTranslations.all.keys.sorted() == languages)
        for (language, texts) in InterfaceTranslations.all {
            #expect(texts.count == InterfaceText.all.count && !texts.contains(""), "\(language)")
        }
    }

    @Test func aRegionSpeaksItsLanguageAndOthersSpeakEnglish() {
        #expect(InterfaceText.all(in: LanguageTag("pt_BR"))[3].text == "Avançar")
        #expect(InterfaceText.all(in: LanguageTag("sv"))[3].text == "Next")
        #expect(InterfaceText.all(in: nil)[3].text == "Next")
    }

    @Test func aStringIdHasItsBuiltInText() {
        #expect(InterfaceText.text(of: "Questionnaire/nextButton", in: LanguageTag("de-AT")) == "Weiter")
        #expect(InterfaceText.text(of: "Questionnaire/nextButton", in: LanguageTag("sv")) == "Next")
        for other in ["nextButton", "Questionnaire/next", "Other/nextButton", "Questionnaire"] {
            #expect(InterfaceText.text(of: other, in: nil) == nil, "\(other)")
        }
    }
}
