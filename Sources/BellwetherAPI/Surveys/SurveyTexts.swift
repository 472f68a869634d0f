internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// The texts of a definition in a respondent's language (docs/reference/surveys.md#texts-of-the-interface). Ids in the
/// app's string tables are resolved, and any other text is used unchanged. Texts that are answers stay unchanged.
struct SurveyTexts {
    let texts: Texts
    /// The language of the texts.
    let locale: String

    /// A definition that has no text in the respondent's language is shown in the app's language, with all its buttons.
    init(_ locale: LanguageTag?, in app: AppSnapshot, of definition: SurveyDefinition? = nil) {
        let wanted = app.strings.localizer(for: locale)
        let isSpoken = definition?.isSpoken(by: wanted) ?? true
        let localizer = isSpoken ? wanted : app.strings.localizer(for: LanguageTag(app.manifest.defaultLocale))
        self.locale = localizer.servedLocale ?? app.manifest.defaultLocale
        texts = Texts(localizer: localizer, shortName: app.manifest.shortName, language: LanguageTag(self.locale))
    }

    var direction: String { LanguageTag(locale)?.isRightToLeft == true ? "rtl" : "ltr" }

    /// A member that a served question has in addition to its author's members.
    struct Addition {
        let question: Identifier
        let key: String
        let value: JSONValue
    }

    func schema(_ definition: SurveyDefinition, _ additions: [Addition] = []) -> JSONObject {
        var schema = definition.schema
        let keys = DefinitionTexts(definition.kind)
        schema["questions"] = schema["questions"].map { questions in
            .array((questions.array ?? []).map { question($0, keys, additions) })
        }
        if let submit = schema["submit"] { schema["submit"] = resolved(submit, keys) }
        return schema
    }

    private func question(_ value: JSONValue, _ keys: DefinitionTexts, _ additions: [Addition]) -> JSONValue {
        guard case .object(var question) = resolved(value, keys) else { return value }
        if let id = question["id"]?.string {
            for addition in additions where addition.question == id { question[addition.key] = addition.value }
        }
        if let below = question["sub_questions"]?.array {
            question["sub_questions"] = .array(below.map { self.question($0, keys, additions) })
        }
        return .object(question)
    }

    private func resolved(_ value: JSONValue, _ keys: DefinitionTexts) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map { resolved($0, keys) })
        case .object(let members):
            .object(
                JSONObject(
                    members.map { key, value in
                        guard let text = value.string else {
                            return (key, keys.holdsAnswers(key) ? value : resolved(value, keys))
                        }
                        return (key, keys.isText(key) ? .string(texts.resolve(text)) : value)
                    }))
        default: value
        }
    }

    /// The texts of the interface: the author's, else the app's, else the built-in texts in the same language.
    func interface(_ definition: SurveyDefinition) -> JSONObject {
        var strings = JSONObject()
        for key in InterfaceText.all.map(\.key) {
            let description = key == "consentBody" ? definition.description : nil
            let isSurvey = definition.kind == .survey && key == "title"
            let id = InterfaceText.id(of: isSurvey ? InterfaceText.surveyTitle : key)
            let text = description ?? definition.strings[key]?.string ?? id
            strings[key] = .string(texts.resolve(text))
        }
        return strings
    }
}

extension SurveyDefinition {
    /// Whether one of the author's texts is in the language that a localizer serves.
    fileprivate func isSpoken(by localizer: Localizer) -> Bool {
        guard let served = localizer.servedLocale.flatMap({ LanguageTag($0)?.language }) else { return true }
        let reader = JSONReader(.object(schema), findings: Findings())
        let questions = DefinitionTexts(kind).texts(in: reader).compactMap(\.value.string)
        let texts = [name, description].compactMap(\.self) + strings.compactMap(\.value.string) + questions
        return texts.contains { text in
            localizer.resolve(text).locale.flatMap { LanguageTag($0)?.language } == served
        }
    }
}
