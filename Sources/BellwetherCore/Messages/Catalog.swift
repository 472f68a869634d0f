internal import BellwetherJSON

/// All messages of an app: merged, resolved and compiled at publish.
///
/// A message that recipes change stands in it once for each variant that some client sees; a client's branches choose
/// among them (`ClientVariants`), so that a poll merges nothing. Immutable; shared by every worker. Messages stand in
/// the order of selection: priority descending, then key ascending by code point
/// (docs/reference/messaging.md#selection).
public final class Catalog: Sendable {
    /// Grows with every publish in the app.
    public let revision: UInt64
    /// Live and paused experiments and rollouts, between whose branches variants differ.
    public let experiments: ExperimentSet
    /// In all variants.
    public let messages: [Message]
    public let malformed: [MalformedMessage]
    public let triggers: [CompiledTrigger]
    /// Keys of messages that recipes give too many variants to be served.
    public let oversized: [String]
    /// Whether clients of different branches see different things.
    public let isVaried: Bool
    /// Recipes that messages may present, by slug, also those that are gone.
    let contents: [ByteKey: PresentedContent]
    /// The pacing that holds over all messages.
    public let pacing: AppPacing?
    /// Quotas that are full, as far as this process knows.
    public let reached: ReachedLimits

    /// The messages as selection reads them.
    package let candidates: CandidateTable
    private let onControl: Varying<OnControl>
    private let positionsByKey: [ByteKey: [Int]]

    /// `recipes` are the live ones, whose experiments are members of the set. `numbering` gives the variants of one
    /// message their revisions; what it is given has that of the document that last touched it. Triggers that
    /// `previous`, the app's catalog before this one, has compiled are not compiled again.
    public init(
        manifest: Manifest, manifestRevision: Int, recipes: [Recipe], experiments: ExperimentSet, revision: UInt64,
        contents: [String: PresentedContent] = [:],
        after previous: Catalog? = nil,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.contents = Dictionary(contents.map { (ByteKey(text: $0.key), $0.value) }) { $1 }
        pacing = manifest.pacing
        reached = ReachedLimits()
        var builder = CatalogBuilder(
            manifest: manifest, manifestRevision: manifestRevision,
            recipes: CatalogRecipe.all(Recipe.inCanonicalOrder(recipes), in: experiments), contents: self.contents,
            after: previous,
            numbering: numbering)
        builder.build()
        let onControl = builder.onControl()
        self.onControl = onControl
        let messages = builder.messages
        self.revision = revision
        self.experiments = experiments
        self.messages = messages
        malformed = builder.malformed
        triggers = builder.triggers
        oversized = builder.oversized
        isVaried =
            onControl.diagram != nil || messages.contains { !$0.requirements.isEmpty }
            || builder.malformed.contains { !$0.requirements.isEmpty }
        candidates = CandidateTable(messages, builder.triggers, isAppPaced: manifest.pacing != nil)
        positionsByKey = Dictionary(grouping: messages.indices, by: { ByteKey(text: messages[$0].key) })
    }

    /// The same catalog, with other limits reached.
    init(_ other: Catalog, reached: ReachedLimits) {
        (revision, experiments, messages) = (other.revision, other.experiments, other.messages)
        (malformed, triggers, oversized) = (other.malformed, other.triggers, other.oversized)
        (isVaried, contents, pacing) = (other.isVaried, other.contents, other.pacing)
        (candidates, onControl, positionsByKey) = (other.candidates, other.onControl, other.positionsByKey)
        self.reached = reached
    }

    /// Returns the variants of everything that differs for a client of these branches.
    public func variants(for branches: BranchVector) -> ClientVariants { ClientVariants(branches: branches) }

    /// A message as a client sees it.
    public func message(_ key: String, for variants: ClientVariants) -> Message? {
        positionsByKey[ByteKey(text: key)]?.lazy.map { self.messages[$0] }.first { variants.meets($0.requirements) }
    }

    /// A message as a client sees it who is in no branch.
    public func message(_ key: String) -> Message? { message(key, for: variants(for: .none)) }

    /// The recipe of a slug that messages may present.
    public func content(_ slug: String) -> PresentedContent? { contents[ByteKey(text: slug)] }

    /// Returns the facts of a message in each of its variants.
    public func variants(of key: String) -> [MessageFacts] {
        positionsByKey[ByteKey(text: key)]?.map { messages[$0].facts } ?? []
    }

    /// The revisions under which those are served.
    public func revisions(of key: String) -> [Int] {
        positionsByKey[ByteKey(text: key)]?.map { messages[$0].revision } ?? []
    }

    /// The number of messages, whatever their variants.
    public var messageCount: Int { positionsByKey.count }

    public func malformed(for variants: ClientVariants) -> [MalformedMessage] {
        malformed.filter { variants.meets($0.requirements) }
    }

    public func onControl(for variants: ClientVariants) -> OnControl { variants.variant(of: onControl) }
}
