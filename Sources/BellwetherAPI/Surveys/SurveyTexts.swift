internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// The texts of a definition in a respondent's language (docs/reference/surveys.md#texts-of-the-interface): ids of the
/// app's string tables are resolved, anything else is a text as it is. What is an answer stays what it is.
struct SurveyTexts {
    let texts: Texts
    /// The language in which the texts are.
    let locale: String

    init(_ locale: LanguageTag?, in app: AppSnapshot) {
        let localizer = app.strings.localizer(for: locale)
        texts = Texts(localizer: localizer, shortName: app.manifest.shortName)
        self.locale = localizer.servedLocale ?? app.manifest.defaultLocale
    }

    var direction: String { LanguageTag(locale)?.isRightToLeft == true ? "rtl" : "ltr" }

    /// Members that hold a text for people, wherever they stand in a question.
    private static let questionKeys: Set<String> = [
        "title", "subtitle", "placeholder", "question", "header", "low_tag", "high_tag", "on_fail_message",
        "button_title",
    ]

    func schema(_ definition: SurveyDefinition, ranges: [(id: String, range: PickerRange)] = []) -> JSONObject {
        var schema = definition.schema
        let isChoiceLabel = definition.kind == .questionnaire
        schema["questions"] = schema["questions"].map { questions in
            .array((questions.array ?? []).map { question($0, labels: isChoiceLabel, ranges) })
        }
        if let submit = schema["submit"] { schema["submit"] = resolved(submit, labels: false) }
        return schema
    }

    private func question(_ value: JSONValue, labels: Bool, _ ranges: [(id: String, range: PickerRange)]) -> JSONValue {
        guard case .object(var question) = resolved(value, labels: labels) else { return value }
        if let id = question["id"]?.string, let found = ranges.first(where: { $0.id == id }) {
            question["range"] = found.range.json
        }
        if let below = question["sub_questions"]?.array {
            question["sub_questions"] = .array(below.map { self.question($0, labels: labels, ranges) })
        }
        return .object(question)
    }

    /// `labels`: whether `label` is a text and no part of an answer.
    private func resolved(_ value: JSONValue, labels: Bool) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map { resolved($0, labels: labels) })
        case .object(let members):
            .object(
                JSONObject(
                    members.map { key, value in
                        guard let text = value.string else {
                            return (key, holdsAnswers(key, labels) ? value : resolved(value, labels: labels))
                        }
                        let isText = Self.questionKeys.contains(key) || labels && key == "label"
                        return (key, isText ? .string(texts.resolve(text)) : value)
                    }))
        default: value
        }
    }

    /// Conditions and answers are compared with what the author wrote. An option of a survey is its own answer.
    private func holdsAnswers(_ key: String, _ labels: Bool) -> Bool {
        key == "show_if" || key == "label_options" || key == "options" && !labels
    }

    /// The texts of the interface: the author's, else the app's, else the built-in ones.
    func interface(_ definition: SurveyDefinition) -> JSONObject {
        var strings = JSONObject()
        for builtIn in InterfaceText.all {
            var text = definition.strings[builtIn.key]?.string.map(texts.resolve)
            if builtIn.key == "consentBody", let description = definition.description {
                text = texts.resolve(description)
            }
            let id = "Questionnaire/\(builtIn.key)"
            let own = texts.resolve(id)
            strings[builtIn.key] = .string(text ?? (own == id ? builtIn.text : own))
        }
        return strings
    }
}
