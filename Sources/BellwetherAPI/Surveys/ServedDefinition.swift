internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// A definition in the form for respondents: in their language, without the parts for the daemon
/// (docs/reference/http-api.md#questionnaires).
struct ServedDefinition {
    let slug: Identifier
    let revision: Int
    let arrived: Timestamp
    private let locale: LanguageTag?
    private let app: AppSnapshot
    /// The respondent's earlier choices in other surveys.
    var memory = RespondentMemory()

    init(slug: Identifier, revision: Int, locale: LanguageTag?, app: AppSnapshot, arrived: Timestamp) {
        (self.slug, self.revision, self.arrived) = (slug, revision, arrived)
        (self.locale, self.app) = (locale, app)
    }

    private var theme: Theme? { app.manifest.theme }

    func json(_ definition: SurveyDefinition) -> JSONObject {
        let texts = SurveyTexts(locale, in: app, of: definition)
        var json = definition.kind == .questionnaire ? questionnaire(definition, texts) : survey(definition, texts)
        if !definition.showsConsent { json["shows_consent"] = false }
        json.add(Theme.merged(definition.theme, over: theme))
        return json
    }

    private func questionnaire(_ definition: SurveyDefinition, _ texts: SurveyTexts) -> JSONObject {
        [
            "id": .string(slug), "slug": .string(slug),
            "name": definition.name.map { .string(texts.texts.resolve($0)) } ?? .null,
            "description": definition.description.map { .string(texts.texts.resolve($0)) } ?? .null,
            "revision": .integer(Int64(revision)), "locale": .string(texts.locale),
            "dir": .string(texts.direction), "schema": .object(texts.schema(definition)),
            "strings": .object(texts.interface(definition)),
        ]
    }

    private func survey(_ definition: SurveyDefinition, _ texts: SurveyTexts) -> JSONObject {
        var additions = definition.questions.ranges(at: arrived).map { found in
            SurveyTexts.Addition(question: found.id, key: "range", value: found.range.json)
        }
        additions += definition.questions.preselections { memory[$0] }.map { found in
            SurveyTexts.Addition(question: found.id, key: "preselected", value: .integer(Int64(found.set)))
        }
        var json: JSONObject = [
            "slug": .string(slug), "revision": .integer(Int64(revision)), "locale": .string(texts.locale),
            "dir": .string(texts.direction), "strings": .object(texts.interface(definition)),
        ]
        for member in texts.schema(definition, additions) { json[member.key] = member.value }
        if let name = definition.name { json["name"] = .string(texts.texts.resolve(name)) }
        if let description = definition.description { json["description"] = .string(texts.texts.resolve(description)) }
        return json
    }

    /// The response to a new respondent's GET of the document; nil if the document cannot be shown.
    func preview(of document: JSONValue) -> JSONValue? {
        let reader = JSONReader(document, findings: Findings())
        guard let kind = ContentKind(of: document) else { return nil }
        if let flow = kind == .flow ? FlowDefinition(reader, slug: slug) : nil {
            var document = flow.publicDocument
            document.add(Theme.merged(flow.theme, over: theme))
            return ["flow": .object(document)]
        }
        guard let definition = SurveyDefinition(reader, kind) else { return nil }
        let shown = definition.questions.evaluate([:], QuestionFacts(now: arrived)).shown
        return [
            "eligible": true, kind.rawValue: .object(json(definition)),
            "visible": .array(shown.map { .string($0.id) }), "in_progress": .null,
        ]
    }
}

extension JSONObject {
    /// Adds the theme of the definition; adds nothing without a theme.
    mutating func add(_ theme: Theme?) {
        if let theme { self["theme"] = .object(theme.document) }
    }
}

extension Theme {
    var text: String { String(decoding: JSONValue.object(document).encoded, as: UTF8.self) }
}
