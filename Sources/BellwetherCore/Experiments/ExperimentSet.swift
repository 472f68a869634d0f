internal import BellwetherJSON

/// An app's experiments and rollouts, ready for any number of evolutions: made at publish.
public final class ExperimentSet: Sendable {
    /// A recipe's state in the catalog, which is not part of its document (docs/reference/http-api.md#lifecycle).
    public enum State: Sendable, Hashable {
        case live
        /// Nothing of it is offered; enrollments stay as they are, unless their client opts out.
        case paused
    }

    /// A shared object, because a poll reads many: copying a value with many fields would count a reference for each.
    package final class Member: Sendable {
        package let experiment: Experiment
        package let state: State
        /// In the set's order, from 0.
        let rank: Int
        /// The features that one recipe of a kind can hold at a time, by number: below the set's `featureCount`.
        let exclusiveFeatures: [Int]
        /// The number of its namespace and randomization unit: one hash decides for all recipes that have both.
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

        package var slug: String { experiment.slug }
    }

    /// In canonical order.
    package let members: [Member]
    /// Slugs of the recipes in which every client counts as enrolled: bare messaging values, in canonical order.
    let universal: [String]
    /// Members of each kind, in canonical order: features are held within a kind.
    let rollouts: [Member]
    let experiments: [Member]
    /// How many exclusive features have numbers.
    let featureCount: Int
    /// How many pairs of namespace and randomization unit have numbers.
    let namespaceCount: Int
    private let positions: [ByteKey: Int]

    /// One recipe a slug. Recipes that are neither live nor paused are gone: they are not in it. Co-enrolling features
    /// are never held (docs/reference/experiments.md#features).
    public init(
        live: [Experiment], paused: [Experiment] = [], universal: [String] = [],
        coenrolling: Set<String> = [Experiment.messagingFeature]
    ) {
        let free = Set(coenrolling.map { ByteKey(text: $0) })
        let all = live.map { ($0, State.live) } + paused.map { ($0, State.paused) }
        var numbers: [ByteKey: Int] = [:]
        var namespaces: [RandomizationUnit: [ByteKey: Int]] = [:]
        var namespaceCount = 0
        members = all.sorted { $0.0.mergeOrder < $1.0.mergeOrder }.enumerated().map { rank, recipe in
            let exclusive = recipe.0.featureIDs.map { ByteKey(text: $0) }.filter { !free.contains($0) }
            for feature in exclusive where numbers[feature] == nil { numbers[feature] = numbers.count }
            let (unit, name) = (recipe.0.bucketConfig.randomizationUnit, recipe.0.bucketConfig.namespace)
            let namespace = namespaces[unit]?[ByteKey(text: name)] ?? namespaceCount
            namespaces[unit, default: [:]][ByteKey(text: name)] = namespace
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
            members.map { (ByteKey(text: $0.slug), $0.rank) },
            uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter live: in canonical order, as `paused`.
    public convenience init(live: [Recipe], paused: [Recipe]) {
        self.init(
            live: live.compactMap(\.experiment), paused: paused.compactMap(\.experiment),
            universal: live.filter { $0.experiment == nil }.map(\.slug))
    }

    /// Whether there is nothing that a client could be enrolled in.
    public var isEmpty: Bool { members.isEmpty }

    func member(_ slug: String) -> Member? { rank(of: slug).map { members[$0] } }

    func rank(of slug: String) -> Int? { positions[ByteKey(text: slug)] }
}
