public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The content that a recipe publishes for respondents: a questionnaire, a survey or a flow.
///
/// Everything in which kinds of recipes differ is a member of this protocol, so that the compiler names what a new kind
/// lacks (CONTRIBUTING.md#how-to-add-a-kind-of-recipe). A kind has a folder of its own for its type, its use cases and
/// its checks.
public protocol PublishedContent: Sendable {
    var kind: ContentKind { get }
    var revision: Int { get }
    /// The recipe as clients and devices get it: what is for the daemon is left out.
    var publicText: [UInt8] { get }
    /// The parameters that the address of a hosted page may have; nil: none.
    var link: LinkParameters? { get }
    /// Its own looks, over those of the manifest; nil: it has none.
    var theme: Theme? { get }
    /// Days that its runs are kept at most; nil: the daemon's setting alone counts.
    var retentionDays: Int? { get }
    /// Ids of all questions that it has and ever had. Empty for a kind whose runs end with the revision that they began
    /// with.
    var questionIDs: Set<String> { get }
    /// Attributes that are stored with its runs.
    var keep: KeptAttributes { get }
    /// Ids under which its runs have answers: of questions, or of fields of all steps. Nil: hooks and conversations add
    /// others.
    var answerIDs: Set<String>? { get }
    /// Names of the secrets that it sends in headers of its requests.
    var headerSecrets: [String] { get }
    /// The name of the secret that signs its notifications; nil: none does.
    var signingSecret: String? { get }

    /// Nil: the document is of another kind, or does not read.
    ///
    /// - Parameter retiredIDs: of questions of earlier revisions.
    init?(_ document: JSONValue, _ kind: ContentKind, slug: String, revision: Int, retiredIDs: Set<String>)

    /// Finds every fault of a document that is being published.
    static func check(_ document: JSONValue, _ kind: ContentKind, _ intake: RecipeIntake, _ findings: Findings)

    /// Results without any run (docs/reference/surveys.md#results).
    ///
    /// - Parameter text: resolves ids of strings.
    func results(at now: Timestamp, text: @escaping @Sendable (String) -> String) -> any RunResults

    /// The run with the marks by which results count it.
    func marking(_ run: Run) -> Run
}

extension PublishedContent {
    public var retentionDays: Int? { nil }
    public var questionIDs: Set<String> { [] }
    public var answerIDs: Set<String>? { questionIDs }
    public var headerSecrets: [String] { [] }
    public var signingSecret: String? { nil }
}

extension ContentKind {
    /// The type of content that a recipe of the kind publishes.
    var published: any PublishedContent.Type {
        switch self {
        case .questionnaire, .survey: SurveyContent.self
        case .flow: FlowContent.self
        }
    }

    /// The kind that a document names; nil: none, or an unknown one.
    public init?(of document: JSONValue) {
        guard let kind = document.object?["kind"]?.string.flatMap(ContentKind.init(rawValue:)) else { return nil }
        self = kind
    }

    /// A document that was published as a revision; nil: it is not of a kind that people answer, or does not read.
    static func published(_ revision: StoredDocument, slug: String) -> (any PublishedContent)? {
        guard let document = try? JSONValue(parsing: revision.text, limits: .kept), let kind = Self(of: document)
        else { return nil }
        return kind.published.init(document, kind, slug: slug, revision: revision.revision, retiredIDs: [])
    }
}
