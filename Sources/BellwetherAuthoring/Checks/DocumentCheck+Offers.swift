internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// What a questionnaire or survey has beside its questions: texts in the app's languages, and the message that offers
/// it.
extension DocumentCheck {
    /// Texts of questions, and of the interface around them.
    func checkTexts(of definition: SurveyDefinition, _ document: JSONReader) {
        let questions = (document.optional("schema") ?? document).optional("questions")
        let own = DefinitionTexts(definition.kind)
        let parts = [questions, document.optional("submit")].compactMap { $0 }.flatMap { own.texts(in: $0) }
        let strings = (document.optional("strings")?.members() ?? []).map(\.value)
        let named = [document.optional("name"), document.optional("description")].compactMap { $0 }
        for location in named + parts + strings { checkText(location.value.string, at: location.pointer) }
        guard definition.kind == .questionnaire else { return }
        for text in InterfaceText.all where definition.strings[text.key] == nil {
            // Without a string of its own a language has the built-in English text.
            guard case .missing(let all) = context.strings.coverage(of: "Questionnaire/\(text.key)") else { continue }
            let locales = all.filter { LanguageTag($0)?.language != "en" }
            guard !locales.isEmpty else { continue }
            findings.warn(
                "missing_translation", at: .root,
                "\"Questionnaire/\(text.key)\" has no translation for \(locales.listed(atMost: 8))")
        }
    }
}
