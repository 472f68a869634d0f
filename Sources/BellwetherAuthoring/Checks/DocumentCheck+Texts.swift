internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Texts that cannot be shown as intended: ids that no table has, and ids that some languages lack.
extension DocumentCheck {
    func checkTexts(of message: LocatedMessage) {
        guard !message.definition.isControl else { return }
        let locations = ["title", "text", "button-label"].compactMap { message.field($0) } + message.options
        for location in locations {
            checkText(message.text(at: location), at: location.pointer)
        }
        checkOptionTexts(of: message)
        checkIcon(of: message)
    }

    private func checkIcon(of message: LocatedMessage) {
        guard let location = message.location.optional("microsurveyConfig")?.optional("icon"),
            let icon = location.value.string, !PhoneIcon.isDrawn(icon)
        else { return }
        findings.warn(
            "unknown_icon", at: location.pointer,
            "the browser has no drawing for \"\(icon)\": in a browser the survey has no icon")
    }

    /// Respondents distinguish options only by their texts.
    private func checkOptionTexts(of message: LocatedMessage) {
        if let list = message.optionList, list.value.array?.isEmpty == true {
            findings.warn("no_options", at: list.pointer, "a microsurvey without options asks what nobody can answer")
        }
        var texts: Set<String> = []
        for option in message.options {
            guard let text = message.text(at: option), !texts.insert(text).inserted else { continue }
            findings.warn("duplicate", at: option.pointer, "another option has the same text")
        }
    }

    /// Texts of questions, and of the interface.
    func checkTexts(of definition: SurveyDefinition, _ document: JSONReader) {
        let questions = (document.optional("schema") ?? document).optional("questions")
        let texts = DefinitionTexts(definition.kind)
        let parts = [questions, document.optional("submit")].compactMap { $0 }.flatMap { texts.texts(in: $0) }
        let strings = (document.optional("strings")?.members() ?? []).map(\.value)
        let named = [document.optional("name"), document.optional("description")].compactMap { $0 }
        for location in named + parts + strings { checkText(location.value.string, at: location.pointer) }
        guard definition.kind == .questionnaire else { return }
        let own = InterfaceText.all.filter { definition.strings[$0.key] == nil }
        checkTranslations(of: own.map { "Questionnaire/\($0.key)" })
    }

    /// Checks built-in texts. A language without its own text gets the English text.
    func checkTranslations(of ids: [String]) {
        for id in ids {
            guard case .missing(let all) = context.strings.coverage(of: id) else { continue }
            let locales = all.filter { LanguageTag($0)?.language != "en" }
            guard !locales.isEmpty else { continue }
            findings.warn(
                "missing_translation", at: .root, "\"\(id)\" has no translation for \(locales.listed(atMost: 8))")
        }
    }

    private func checkText(_ text: String?, at location: JSONPointer) {
        guard let text else { return }
        checkTemplates(in: text, at: location)
        switch context.strings.coverage(of: text) {
        case .literal, .everywhere: break
        case .unknown:
            findings.warn("unknown_string_id", at: location, "no table has \"\(text)\": people would read just that")
        case .missing(let locales):
            findings.warn(
                "missing_translation", at: location, "\"\(text)\" has no translation for \(locales.listed(atMost: 8))")
        }
    }
}

extension DocumentCheck {
    /// Templates expand in the steps of flows only; in other texts people read the braces.
    private func checkTemplates(in text: String, at location: JSONPointer) {
        let shown = context.strings.localizer(for: nil).resolve(text).text
        guard let first = FlowTemplate.expressions(in: shown).first else { return }
        findings.warn(
            "unknown_template", at: location,
            "nothing fills {{\(first.path)}} here, and people read the braces: templates are for the steps of flows")
    }
}

extension [String] {
    /// A list for a sentence, such as `a, b and 3 more`.
    func listed(atMost count: Int) -> String {
        guard self.count > count else { return joined(separator: ", ") }
        return prefix(count).joined(separator: ", ") + " and \(self.count - count) more"
    }
}
