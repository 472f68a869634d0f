public import BellwetherBase
public import BellwetherJSON

/// The texts of a definition in a respondent's language (docs/reference/surveys.md#texts-of-the-interface). Ids in the
/// app's string tables are resolved, and any other text is used unchanged. Texts that are answers stay unchanged.
public struct SurveyTexts: Sendable {
    public let texts: Texts
    /// The language of the texts.
    public let locale: String

    /// A definition that has no text in the respondent's language is shown in the app's language, with all its buttons.
    ///
    /// - Parameter shortName: the app's short name.
    public init(
        _ locale: LanguageTag?, in strings: StringTables, shortName: String, of definition: SurveyDefinition? = nil
    ) {
        let wanted = strings.localizer(for: locale)
        let isSpoken = definition?.isSpoken(by: wanted) ?? true
        let localizer = isSpoken ? wanted : strings.localizer(for: LanguageTag(strings.defaultLocale))
        self.locale = localizer.servedLocale ?? strings.defaultLocale
        texts = Texts(localizer: localizer, shortName: shortName, language: LanguageTag(self.locale))
    }

    public var direction: String { LanguageTag(locale)?.isRightToLeft == true ? "rtl" : "ltr" }

    /// A member that a served question has in addition to its author's members.
    public struct Addition: Sendable {
        let question: Identifier
        let key: String
        let value: JSONValue

        public init(question: Identifier, key: String, value: JSONValue) {
            (self.question, self.key, self.value) = (question, key, value)
        }
    }

    public func schema(_ definition: SurveyDefinition, _ additions: [Addition] = []) -> JSONObject {
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
    public func interface(_ definition: SurveyDefinition) -> JSONObject {
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

/// The form in which respondents get a definition (docs/reference/http-api.md#questionnaires).
extension SurveyTexts {
    /// The definition in the respondent's language, without the parts for the daemon.
    ///
    /// - Parameters:
    ///   - now: the time that ranges of pickers are relative to.
    ///   - remembered: the set of labels that the respondent chose before, by the id of the choice.
    public func served(
        _ definition: SurveyDefinition, slug: Identifier, revision: Int, at now: Timestamp,
        remembered: (Identifier) -> Identifier? = { _ in nil }
    ) -> JSONObject {
        var json =
            definition.kind == .questionnaire
            ? questionnaire(definition, slug: slug, revision: revision)
            : survey(definition, slug: slug, revision: revision, at: now, remembered)
        if !definition.showsConsent { json["shows_consent"] = false }
        return json
    }

    private func questionnaire(_ definition: SurveyDefinition, slug: Identifier, revision: Int) -> JSONObject {
        [
            "id": .string(slug), "slug": .string(slug),
            "name": definition.name.map { .string(texts.resolve($0)) } ?? .null,
            "description": definition.description.map { .string(texts.resolve($0)) } ?? .null,
            "revision": .integer(Int64(revision)), "locale": .string(locale), "dir": .string(direction),
            "schema": .object(schema(definition)), "strings": .object(interface(definition)),
        ]
    }

    private func survey(
        _ definition: SurveyDefinition, slug: Identifier, revision: Int, at now: Timestamp,
        _ remembered: (Identifier) -> Identifier?
    ) -> JSONObject {
        var additions = definition.questions.ranges(at: now).map { found in
            Addition(question: found.id, key: "range", value: found.range.json)
        }
        additions += definition.questions.preselections(remembered).map { found in
            Addition(question: found.id, key: "preselected", value: .integer(Int64(found.set)))
        }
        var json: JSONObject = [
            "slug": .string(slug), "revision": .integer(Int64(revision)), "locale": .string(locale),
            "dir": .string(direction), "strings": .object(interface(definition)),
        ]
        for member in schema(definition, additions) { json[member.key] = member.value }
        if let name = definition.name { json["name"] = .string(texts.resolve(name)) }
        if let description = definition.description { json["description"] = .string(texts.resolve(description)) }
        return json
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
