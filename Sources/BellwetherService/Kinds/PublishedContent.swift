public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The content that a recipe publishes for respondents: a questionnaire, a survey or a flow.
///
/// Every difference between kinds of recipes is a member of this protocol, so that the compiler names what a new kind
/// lacks (CONTRIBUTING.md#how-to-add-a-kind-of-recipe). Each kind has its own folder for its type, its use cases and
/// its checks.
public protocol PublishedContent: Sendable {
    var kind: ContentKind { get }
    var revision: Int { get }
    /// The recipe for clients and devices, without the parts that only the daemon needs.
    var publicText: [UInt8] { get }
    /// The parameters that the address of a hosted page may have; nil if it may have none.
    var link: LinkParameters? { get }
    /// Its own theme, which overrides the theme of the manifest; nil if it has none.
    var theme: Theme? { get }
    /// The maximum number of days for which its runs are kept; nil if only the daemon's setting counts.
    var retentionDays: Int? { get }
    /// The ids of all questions that it has and ever had. Empty for a kind whose runs keep the revision that they began
    /// with.
    var questionIDs: Set<Identifier> { get }
    /// The questions that it asks, by which results count its answers.
    var asked: [SeriesLocation] { get }
    /// Attributes that are stored with its runs.
    var keep: KeptAttributes { get }
    /// The ids under which its runs have answers: ids of questions, or of fields of all steps. Nil if hooks and
    /// conversations may add others.
    var answerIDs: Set<Identifier>? { get }
    /// Names of the secrets that it sends in headers of its requests.
    var headerSecrets: [String] { get }
    /// The name of the secret that signs its notifications; nil if no secret does.
    var signingSecret: String? { get }

    /// Reads a document. Nil if the document is of another kind, or cannot be read.
    ///
    /// - Parameter retiredIDs: the ids of questions in earlier revisions.
    init?(_ document: JSONValue, _ kind: ContentKind, slug: Identifier, revision: Int, retiredIDs: Set<Identifier>)

    /// Finds every fault of a document that is being published.
    static func check(_ document: JSONValue, _ kind: ContentKind, _ intake: RecipeIntake, _ findings: Findings)

    /// The results before any run is counted (docs/reference/surveys.md#results).
    ///
    /// - Parameter text: resolves ids of strings.
    func results(text: @escaping @Sendable (String) -> String) -> any RunResults

    /// The answers of a run that expressions of the app read (docs/reference/audiences.md#answers).
    func facts(of run: Run) -> [DeclaredFacts.Answer]

    /// A part of an answer in words; nil if the content does not ask the question.
    ///
    /// - Parameter resolve: resolves ids of strings.
    func words(for part: AnswerPart, of answer: JSONValue, _ resolve: (String) -> String) -> String?

    /// A copy of the run with the marks by which results count it.
    func marking(_ run: Run) -> Run
}

extension PublishedContent {
    public var retentionDays: Int? { nil }
    public var questionIDs: Set<Identifier> { [] }
    public var answerIDs: Set<Identifier>? { questionIDs }
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

    /// The kind that a document names; nil if it names none, or an unknown one.
    public init?(of document: JSONValue) {
        guard let kind = document.object?["kind"]?.string.flatMap(ContentKind.init(rawValue:)) else { return nil }
        self = kind
    }

    /// The content of a published revision; nil if the document is not of such a kind, or cannot be read.
    static func published(_ revision: StoredDocument, slug: Identifier) -> (any PublishedContent)? {
        guard let document = try? JSONValue(parsing: revision.text, limits: .kept), let kind = Self(of: document)
        else { return nil }
        return kind.published.init(document, kind, slug: slug, revision: revision.revision, retiredIDs: [])
    }
}
