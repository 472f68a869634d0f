public import BellwetherJSON

/// An app's experiments and rollouts, prepared for any number of evolutions. It is created at publish.
public final class ExperimentSet: Sendable {
    /// A recipe's state in the catalog, which is not part of its document (docs/reference/http-api.md#lifecycle).
    public enum State: Sendable, Hashable {
        case live
        /// The recipe offers nothing. Enrollments stay as they are, unless their client opts out.
        case paused
    }

    /// Members are shared objects because a poll reads many of them. A copy of a value with many fields would count a
    /// reference for each field.
    package final class Member: Sendable {
        package let experiment: Experiment
        package let state: State
        /// The rank in the set's order, from 0.
        let rank: Int
        /// The features that only one recipe of a kind can hold at a time, by number. The numbers are below the set's
        /// `featureCount`.
        let exclusiveFeatures: [Int]
        /// The number of its namespace and randomization unit. One hash decides for all recipes with the same pair.
        let namespace: Int
        let targetingBasis: TargetingBasis

        fileprivate init(
            _ experiment: Experiment, _ state: State, rank: Int, exclusiveFeatures: [Int], namespace: Int
        ) {
            self.experiment = experiment
            self.state = state
            self.rank = rank
            self.exclusiveFeatures = exclusiveFeatures
            self.namespace = namespace
            targetingBasis = TargetingBasis(of: experiment.targeting)
        }

        package var slug: Identifier { experiment.slug }
    }

    /// All members, in canonical order.
    package let members: [Member]
    /// Slugs of the recipes in which every client counts as enrolled: bare messaging values, in canonical order.
    let universal: [Identifier]
    /// The members of each kind, in canonical order. Features are held within a kind.
    let rollouts: [Member]
    let experiments: [Member]
    /// The number of exclusive features that have numbers.
    let featureCount: Int
    /// The number of pairs of namespace and randomization unit.
    let namespaceCount: Int
    private let positions: [Identifier: Int]

    /// Creates a set with one recipe per slug. A recipe that is neither live nor paused is gone and is not in the set.
    /// A co-enrolling feature is never held (docs/reference/experiments.md#features).
    public init(
        live: [Experiment], paused: [Experiment] = [], universal: [Identifier] = [],
        coenrolling: Set<Identifier> = [Experiment.messagingFeature]
    ) {
        let free = coenrolling
        let all = live.map { ($0, State.live) } + paused.map { ($0, State.paused) }
        var numbers: [Identifier: Int] = [:]
        var namespaces: [RandomizationUnit: [Identifier: Int]] = [:]
        var namespaceCount = 0
        members = all.sorted { $0.0.mergeOrder < $1.0.mergeOrder }.enumerated().map { rank, recipe in
            let exclusive = recipe.0.featureIDs.filter { !free.contains($0) }
            for feature in exclusive where numbers[feature] == nil { numbers[feature] = numbers.count }
            let (unit, name) = (recipe.0.bucketConfig.randomizationUnit, recipe.0.bucketConfig.namespace)
            let namespace = namespaces[unit]?[name] ?? namespaceCount
            namespaces[unit, default: [:]][name] = namespace
            if namespace == namespaceCount { namespaceCount += 1 }
            return Member(
                recipe.0, recipe.1, rank: rank, exclusiveFeatures: exclusive.compactMap { numbers[$0] },
                namespace: namespace)
        }
        featureCount = numbers.count
        self.namespaceCount = namespaceCount
        rollouts = members.filter(\.experiment.isRollout)
        experiments = members.filter { !$0.experiment.isRollout }
        self.universal = universal
        positions = Dictionary(
            members.map { ($0.slug, $0.rank) },
            uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter live: the live recipes in canonical order, like `paused`.
    public convenience init(live: [Recipe], paused: [Recipe]) {
        self.init(
            live: live.compactMap(\.experiment), paused: paused.compactMap(\.experiment),
            universal: live.filter { $0.experiment == nil }.map(\.slug))
    }

    /// Whether there is no recipe in which a client could be enrolled.
    public var isEmpty: Bool { members.isEmpty }

    func member(_ slug: Identifier) -> Member? { rank(of: slug).map { members[$0] } }

    func rank(of slug: Identifier) -> Int? { positions[slug] }
}
