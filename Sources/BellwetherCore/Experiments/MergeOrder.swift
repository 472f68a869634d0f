public import BellwetherBase
public import BellwetherJSON

/// The position of a recipe in the canonical order of an app's recipes. Rollouts come before experiments. Within a
/// kind, recipes without a date come first, then the order is by publication, then by slug
/// (docs/reference/experiments.md#canonical-order). In a merge, a later recipe wins.
public struct MergeOrder: Sendable, Hashable, Comparable {
    public let isRollout: Bool
    public let published: Timestamp?
    public let slug: Identifier

    public init(isRollout: Bool, published: Timestamp?, slug: Identifier) {
        self.isRollout = isRollout
        self.published = published
        self.slug = slug
    }

    public static func < (left: MergeOrder, right: MergeOrder) -> Bool {
        if left.isRollout != right.isRollout { return left.isRollout }
        switch (left.published, right.published) {
        case (nil, _?): return true
        case (_?, nil): return false
        case (let one?, let other?) where one != other: return one < other
        default: return left.slug < right.slug
        }
    }
}

extension Experiment {
    public var mergeOrder: MergeOrder { MergeOrder(isRollout: isRollout, published: dates.published, slug: slug) }
}
