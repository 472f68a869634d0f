public import BellwetherBase
public import BellwetherJSON

/// A published document, read: what it contributes, whatever its kind.
public struct Recipe: Sendable {
    public let slug: String
    public let revision: Int
    public let kind: Kind
    public let document: JSONValue
    /// The kind of content that the recipe presents, if it does. Its document is then read elsewhere.
    public let content: ContentKind?

    init(slug: String, revision: Int, kind: Kind, document: JSONValue, content: ContentKind? = nil) {
        self.slug = slug
        self.revision = revision
        self.kind = kind
        self.document = document
        self.content = content
    }

    public enum Kind: Sendable {
        /// A bare messaging value: a rollout in which every client counts as enrolled
        /// (docs/reference/http-api.md#recipes). Aliases are normalised, `{experiment}` is replaced.
        case messaging(JSONObject)
        /// A Nimbus experiment or rollout.
        case experiment(Experiment)
    }

    /// Whether it has a say in what clients are offered.
    public var contributes: Bool {
        if content != nil, case .messaging(let value) = kind { !value.isEmpty } else { true }
    }

    /// As messages present it; nil for a recipe that is no content.
    func presented(isLive: Bool) -> PresentedContent? {
        guard let content else { return nil }
        let isActive = isLive && document.object?["is_active"]?.bool != false
        return PresentedContent(kind: content, isActive: isActive, revision: revision)
    }

    /// The branch of a bare messaging value.
    public static let rolloutBranch = "rollout"

    public var experiment: Experiment? {
        if case .experiment(let experiment) = kind { experiment } else { nil }
    }

    /// Where it stands among the recipes of its app. A bare messaging value is a rollout without a date.
    public var mergeOrder: MergeOrder {
        switch kind {
        case .messaging: MergeOrder(isRollout: true, published: nil, slug: slug)
        case .experiment(let experiment): experiment.mergeOrder
        }
    }

    /// The order in which recipes merge (docs/reference/experiments.md#canonical-order).
    public static func inCanonicalOrder(_ recipes: [Recipe]) -> [Recipe] {
        // Orders are compared and moved, not recipes, which are large; most lists that come here are in order.
        let orders = recipes.map(\.mergeOrder)
        guard !zip(orders, orders.dropFirst()).allSatisfy({ $0 < $1 }) else { return recipes }
        return orders.indices.sorted { orders[$0] < orders[$1] }.map { recipes[$0] }
    }
}
