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
        var json = SurveyTexts(locale, in: app, of: definition).served(
            definition, slug: slug, revision: revision, at: arrived, remembered: { memory[$0] })
        json.add(Theme.merged(definition.theme, over: theme))
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

extension SurveyTexts {
    init(_ locale: LanguageTag?, in app: AppSnapshot, of definition: SurveyDefinition? = nil) {
        self.init(locale, in: app.strings, shortName: app.manifest.shortName, of: definition)
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
