public import BellwetherBase
public import BellwetherJSON

/// A period of a recipe: the time in which it counts the same goals, and places clients in the same way
/// (docs/reference/goals.md#periods).
public struct GoalPeriod: Sendable, Hashable {
    /// 1 for the first period of a recipe.
    public let number: Int
    public let since: Timestamp
    public let control: Identifier
    /// The branches with their ratios, in the order of the recipe.
    public let branches: [Branch]
    /// The goals by the last revision of the period, in the order in which entries have their values.
    public let goals: [Goal]

    public struct Branch: Sendable, Hashable {
        public let slug: Identifier
        public let ratio: Int64
    }

    /// Nil if the document declares no goals that can be read.
    ///
    /// - Parameters:
    ///   - document: the last revision of the period.
    ///   - properties: the properties that goals add, by the goal's name. Of a derived event that is a sum, the
    ///     document does not have it.
    public init?(
        _ number: Int, since: Timestamp, document: JSONValue, properties: [Identifier: Identifier] = [:]
    ) {
        guard var goals = RecipeGoals(counted: document)?.goals else { return nil }
        for index in goals.indices { if let own = properties[goals[index].name] { goals[index].takeSum(own) } }
        let branches = (document.object?["branches"]?.array ?? []).compactMap(\.object).compactMap { branch in
            branch["slug"]?.identifier.map { Branch(slug: $0, ratio: branch["ratio"]?.integer ?? 1) }
        }
        let reference = document.object?["referenceBranch"]?.identifier
        guard let control = branches.first(where: { $0.slug == reference })?.slug ?? branches.first?.slug else {
            return nil
        }
        (self.number, self.since, self.control) = (number, since, control)
        (self.branches, self.goals) = (branches, goals)
    }

    /// Whether all windows of an entry are closed.
    func isOver(_ entry: GoalEntry, at now: Timestamp) -> Bool {
        guard let exposedAt = entry.exposedAt else { return false }
        return goals.allSatisfy { $0.windowEnd(after: exposedAt) < now }
    }
}

extension RecipeGoals {
    /// The goals of a stored revision, whatever the manifest declares now.
    init?(counted document: JSONValue) {
        let items = document.object?["goals"]?.array ?? []
        var goals = items.compactMap { Goal(JSONReader($0, findings: Findings())) }
        guard !goals.isEmpty, goals.count == items.count else { return nil }
        if !goals.contains(where: \.isPrimary) { goals[0].isPrimary = true }
        self.goals = goals
        let guards = document.object?["guards"]?.array ?? []
        self.guards = guards.compactMap { GoalGuard(JSONReader($0, findings: Findings())) }
        notify = nil
    }
}

extension Goal {
    /// The last moment at which an event counts.
    func windowEnd(after exposure: Timestamp) -> Timestamp {
        exposure.adding(seconds: days * Timestamp.secondsPerDay)
    }
}

extension Recipe {
    /// Whether a revision that comes into force after this one begins a period
    /// (docs/reference/goals.md#periods).
    public func beginsPeriod(after earlier: Recipe) -> Bool {
        guard let goals, let experiment else { return false }
        guard let former = earlier.experiment else { return true }
        return !goals.counts(like: earlier.goals) || !experiment.placesClients(as: former)
            || control(of: experiment) != earlier.control(of: former) || targeting != earlier.targeting
    }

    private func control(of experiment: Experiment) -> Identifier? {
        let reference = document.object?["referenceBranch"]?.identifier
        return experiment.branches.first { $0.slug == reference }?.slug ?? experiment.branches.first?.slug
    }

    private var targeting: JSONValue? {
        let value = document.object?["targeting"]
        return value == .null ? nil : value
    }
}

extension Experiment {
    /// Whether clients are placed in the same branches. A larger share adds clients, and moves none.
    fileprivate func placesClients(as other: Experiment) -> Bool {
        let (buckets, others) = (bucketConfig, other.bucketConfig)
        return branches.map(\.slug) == other.branches.map(\.slug)
            && branches.map(\.ratio) == other.branches.map(\.ratio)
            && buckets.randomizationUnit == others.randomizationUnit && buckets.namespace == others.namespace
            && buckets.start == others.start && buckets.total == others.total && buckets.count >= others.count
    }
}

/// The periods of an app's recipes, from which it follows what an event counts for.
public struct GoalTable: Sendable {
    /// The goals of one recipe.
    public struct Entry: Sendable {
        /// The periods that are counted, oldest first.
        public let periods: [GoalPeriod]
        /// The number of all periods, also of those that are no longer counted.
        public let count: Int
        /// The number of the period in which clients are placed; nil if the recipe is not in force.
        public let current: Int?
        /// Whether exposures count.
        public let isLive: Bool

        public init(periods: [GoalPeriod], of count: Int, current: Int?, isLive: Bool) {
            (self.periods, self.count, self.current, self.isLive) = (periods, count, current, isLive)
        }
    }

    public static let none = GoalTable([:])

    private var recipes: [Identifier: Entry]

    public init(_ recipes: [Identifier: Entry]) { self.recipes = recipes }

    var isEmpty: Bool { recipes.isEmpty }

    public subscript(slug: Identifier) -> Entry? { recipes[slug] }

    /// Whether another process has begun the period of an entry, and this table does not have it yet.
    public func isBehind(_ entry: GoalEntry) -> Bool { entry.period > recipes[entry.slug]?.count ?? 0 }

    /// Adds periods that another process has begun.
    public mutating func add(_ periods: [GoalPeriod], of count: Int, to slug: Identifier) {
        let entry = recipes[slug]
        recipes[slug] = Entry(
            periods: (entry?.periods ?? []) + periods, of: count, current: entry?.current, isLive: entry?.isLive ?? true
        )
    }

    func period(of entry: GoalEntry) -> GoalPeriod? {
        recipes[entry.slug]?.periods.first { $0.number == entry.period }
    }
}
