internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// A recipe's document, stored or not, in the form for respondents (docs/web.md#preview).
struct ShownDocument {
    private let document: JSONValue
    private let served: ServedDefinition
    private let messages: MessagePreview
    private let requested: LanguageTag?
    private let app: AppSnapshot

    init(
        slug: Identifier, revision: Int, document: JSONValue, app: AppSnapshot, locale: LanguageTag?, arrived: Timestamp
    ) {
        (self.document, self.app, requested) = (document, app, locale)
        let definition = ContentKind(of: document).flatMap {
            SurveyDefinition(JSONReader(document, findings: Findings()), $0)
        }
        texts = SurveyTexts(locale, in: app, of: definition)
        served = ServedDefinition(slug: slug, revision: revision, locale: locale, app: app, arrived: arrived)
        messages = MessagePreview(slug: slug, revision: revision, document: document, app: app, locale: locale)
    }

    private var contentKind: String? { document.object?["kind"]?.string }

    /// The kind, under the name that the page's script uses.
    var kind: String { contentKind ?? "message" }
    let texts: SurveyTexts
    var locale: String { requested?.text ?? texts.locale }
    var branches: [Identifier] { contentKind == nil ? messages.branches : [] }

    var theme: Theme? {
        let own = document.object?["theme"].flatMap { Theme(JSONReader($0, findings: Findings())) }
        return Theme.merged(contentKind == nil ? nil : own, over: app.manifest.theme)
    }

    /// The allowed parameters of the page's address.
    var link: LinkParameters? {
        contentKind == nil
            ? nil : document.object?["link"].flatMap { LinkParameters(JSONReader($0, findings: Findings())) }
    }

    /// Whether the document is a flow that calls its owner's server.
    var hasHooks: Bool {
        guard ContentKind(of: document) == .flow else { return false }
        return FlowDefinition(JSONReader(document, findings: Findings()), slug: "preview")?.hooks.isEmpty == false
    }

    /// The card that invites to the content, as a poll would have it; nil if the document has no offer.
    var offer: JSONValue? {
        guard contentKind != nil, document.object?["offer"]?.object != nil else { return nil }
        return messages.json(branch: nil)?.object?["messages"]?.array?.first ?? [:]
    }

    /// The content; nil if the document or the branch has none.
    func content(branch: Identifier?) -> JSONValue? {
        contentKind == nil ? messages.json(branch: branch) : served.preview(of: document)
    }
}
