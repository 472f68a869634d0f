public import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// A published document that was read, of any kind.
public struct Recipe: Sendable {
    public let slug: Identifier
    public let revision: Int
    public let kind: Kind
    public let document: JSONValue
    /// The kind of content that the recipe presents; nil if it presents none. The content's document is read elsewhere.
    public let content: ContentKind?
    /// When the same person may answer the content again; nil: never.
    public let repeats: RepeatRule?
    /// The goals that clients are counted for; nil if the recipe declares none, or if they have a fault.
    public var goals: RecipeGoals?
    /// The timetable of its share; nil if the recipe declares none, or if it has a fault.
    public let stages: RolloutStages?

    init(
        slug: Identifier, revision: Int, kind: Kind, document: JSONValue, content: ContentKind? = nil,
        repeats: RepeatRule? = nil, goals: RecipeGoals? = nil, stages: RolloutStages? = nil
    ) {
        self.slug = slug
        self.revision = revision
        self.kind = kind
        self.document = document
        self.content = content
        self.repeats = repeats
        self.goals = goals
        self.stages = stages
    }

    public enum Kind: Sendable {
        /// A bare messaging value: a rollout in which every client counts as enrolled
        /// (docs/reference/http-api.md#recipes). Aliases are normalised, `{experiment}` is replaced.
        case messaging(JSONObject)
        /// A Nimbus experiment or rollout.
        case experiment(Experiment)
        /// An expression for other recipes.
        case segment(Segment)
    }

    /// Whether the recipe contributes to the messages or features of clients.
    public var contributes: Bool {
        switch kind {
        case .messaging(let value): content == nil || !value.isEmpty
        case .experiment: true
        case .segment: false
        }
    }

    /// The content as messages present it; nil for a recipe without content.
    func presented(isLive: Bool) -> PresentedContent? {
        guard let content else { return nil }
        let isActive = isLive && document.object?["is_active"]?.bool != false
        return PresentedContent(kind: content, isActive: isActive, revision: revision, repeats: repeats)
    }

    /// The members of a recipe that clients do not get.
    public static let membersForOwners = RecipeGoals.members + [RolloutStages.member]

    /// The document without the members that clients do not get; nil if it has none of them.
    package var documentForClients: JSONObject? {
        guard let object = document.object, Self.membersForOwners.contains(where: { object[$0] != nil }) else {
            return nil
        }
        return JSONObject(object.filter { !Self.membersForOwners.contains($0.key) })
    }

    /// The branch of a bare messaging value.
    public static let rolloutBranch: Identifier = "rollout"

    public var experiment: Experiment? {
        if case .experiment(let experiment) = kind { experiment } else { nil }
    }

    public var segment: Segment? {
        if case .segment(let segment) = kind { segment } else { nil }
    }

    /// The same recipe, whose targeting reads these segments.
    func reading(_ scope: AudienceScope) -> Recipe {
        guard let experiment, !scope.segments.isEmpty else { return self }
        let bound = experiment.reading(scope)
        guard bound !== experiment else { return self }
        return Recipe(
            slug: slug, revision: revision, kind: .experiment(bound), document: document, repeats: repeats,
            goals: goals, stages: stages)
    }

    /// The position among the recipes of its app. A bare messaging value is a rollout without a date.
    public var mergeOrder: MergeOrder {
        switch kind {
        case .messaging, .segment: MergeOrder(isRollout: true, published: nil, slug: slug)
        case .experiment(let experiment): experiment.mergeOrder
        }
    }

    /// The order in which recipes merge (docs/reference/experiments.md#canonical-order).
    public static func inCanonicalOrder(_ recipes: [Recipe]) -> [Recipe] {
        // The sort moves merge orders instead of recipes, which are large. Most lists are already in order.
        let orders = recipes.map(\.mergeOrder)
        guard !zip(orders, orders.dropFirst()).allSatisfy({ $0 < $1 }) else { return recipes }
        return orders.indices.sorted { orders[$0] < orders[$1] }.map { recipes[$0] }
    }
}
