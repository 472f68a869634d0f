public import BellwetherJSON
public import JEXL

/// All messages of an app: merged, resolved and compiled at publish.
///
/// A message that recipes change occurs once for each variant that some client sees. A client's branches choose among
/// the variants (`ClientVariants`), so a poll merges nothing. The catalog is immutable, and all workers share it.
/// Messages are in the order of selection: priority descending, then key ascending by code point
/// (docs/reference/messaging.md#selection).
public final class Catalog: Sendable {
    /// The revision, which grows with every publish in the app.
    public let revision: UInt64
    /// The live and paused experiments and rollouts. Variants differ between their branches.
    public let experiments: ExperimentSet
    /// The messages, in all variants.
    public let messages: [Message]
    public let malformed: [MalformedMessage]
    public let triggers: [CompiledTrigger]
    /// The keys of messages that are not served, because recipes give them too many variants.
    public let oversized: [Identifier]
    /// Whether clients in different branches can see different messages.
    public let isVaried: Bool
    /// The recipes that messages may present, by slug. They include recipes that are gone.
    let contents: [Identifier: PresentedContent]
    /// The pacing that applies to all messages.
    public let pacing: AppPacing?
    public let derivedEvents: DerivedEvents
    /// The segments in force, and what else expressions of audiences mean.
    public let scope: AudienceScope
    /// The quotas that are full, as far as this process knows.
    public let reached: ReachedLimits

    /// The messages in the form that selection reads.
    package let candidates: CandidateTable
    private let onControl: Varying<OnControl>
    private let positionsByKey: [Identifier: [Int]]

    /// `recipes` are the live recipes, whose experiments are members of the set. `numbering` returns the revisions of
    /// the variants of one message; each variant that it receives has the revision of the document that last changed
    /// it. Triggers that `previous`, the app's previous catalog, has compiled are not compiled again.
    public init(
        manifest: Manifest, manifestRevision: Int, definitions: [Identifier: Int] = [:], recipes: [Recipe],
        experiments: ExperimentSet, scope: AudienceScope = .none, revision: UInt64,
        contents: [Identifier: PresentedContent] = [:],
        after previous: Catalog? = nil,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.contents = contents
        pacing = manifest.pacing
        derivedEvents = DerivedEvents(manifest.events, definitions: definitions, revision: manifestRevision)
        reached = ReachedLimits()
        self.scope = scope
        var builder = CatalogBuilder(
            manifest: manifest, manifestRevision: manifestRevision,
            recipes: CatalogRecipe.all(Recipe.inCanonicalOrder(recipes), in: experiments), contents: self.contents,
            scope: scope, after: previous,
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
        positionsByKey = Dictionary(grouping: messages.indices, by: { messages[$0].key })
    }

    /// Creates the same catalog with other reached limits.
    init(_ other: Catalog, reached: ReachedLimits) {
        (revision, experiments, messages) = (other.revision, other.experiments, other.messages)
        (derivedEvents, scope) = (other.derivedEvents, other.scope)
        (malformed, triggers, oversized) = (other.malformed, other.triggers, other.oversized)
        (isVaried, contents, pacing) = (other.isVaried, other.contents, other.pacing)
        (candidates, onControl, positionsByKey) = (other.candidates, other.onControl, other.positionsByKey)
        self.reached = reached
    }

    /// Returns the variants that a client in these branches sees.
    public func variants(for branches: BranchVector) -> ClientVariants { ClientVariants(branches: branches) }

    /// A message in the variant that a client sees.
    public func message(_ key: Identifier, for variants: ClientVariants) -> Message? {
        positionsByKey[key]?.lazy.map { self.messages[$0] }.first { variants.meets($0.requirements) }
    }

    /// A message in the variant for clients that are in no branch.
    public func message(_ key: Identifier) -> Message? { message(key, for: variants(for: .none)) }

    /// The recipe of a slug that messages may present.
    public func content(_ slug: Identifier) -> PresentedContent? { contents[slug] }

    /// Returns the facts of a message in each of its variants.
    public func variants(of key: Identifier) -> [MessageFacts] {
        positionsByKey[key]?.map { messages[$0].facts } ?? []
    }

    /// The revisions under which the variants of a message are served.
    public func revisions(of key: Identifier) -> [Int] {
        positionsByKey[key]?.map { messages[$0].revision } ?? []
    }

    /// The number of messages. Variants of one message count once.
    public var messageCount: Int { positionsByKey.count }

    public func malformed(for variants: ClientVariants) -> [MalformedMessage] {
        malformed.filter { variants.meets($0.requirements) }
    }

    public func onControl(for variants: ClientVariants) -> OnControl { variants.variant(of: onControl) }
}
