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

    /// - Parameter document: the last revision of the period. Nil if it declares no goals that can be read.
    public init?(_ number: Int, since: Timestamp, document: JSONValue) {
        guard let goals = RecipeGoals(counted: document) else { return nil }
        let branches = (document.object?["branches"]?.array ?? []).compactMap(\.object).compactMap { branch in
            branch["slug"]?.identifier.map { Branch(slug: $0, ratio: branch["ratio"]?.integer ?? 1) }
        }
        let reference = document.object?["referenceBranch"]?.identifier
        guard let control = branches.first(where: { $0.slug == reference })?.slug ?? branches.first?.slug else {
            return nil
        }
        (self.number, self.since, self.control) = (number, since, control)
        (self.branches, self.goals) = (branches, goals.goals)
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

    /// Whether the goal counts the same as another, so that both can be counted together.
    func countsSame(as other: Goal) -> Bool {
        name == other.name && event == other.event && counts == other.counts && property == other.property
            && cap == other.cap && days == other.days
    }
}

extension Recipe {
    /// Whether a revision that comes into force after this one begins a period
    /// (docs/reference/goals.md#periods).
    public func beginsPeriod(after earlier: Recipe) -> Bool {
        guard let goals, let experiment else { return false }
        guard let counted = earlier.goals, let former = earlier.experiment else { return true }
        let isSame = goals.goals.elementsEqual(counted.goals) { $0.countsSame(as: $1) }
        return !isSame || !experiment.placesClients(as: former) || member("referenceBranch") != earlier.member("referenceBranch")
            || member("targeting") != earlier.member("targeting")
    }

    private func member(_ name: Identifier) -> JSONValue? {
        let value = document.object?[name]
        return value == .null ? nil : value
    }
}

extension Experiment {
    /// Whether clients are placed in the same branches. A larger share adds clients, and moves none.
    fileprivate func placesClients(as other: Experiment) -> Bool {
        let (buckets, others) = (bucketConfig, other.bucketConfig)
        return branches.map(\.slug) == other.branches.map(\.slug) && branches.map(\.ratio) == other.branches.map(\.ratio)
            && buckets.randomizationUnit == others.randomizationUnit && buckets.namespace == others.namespace
            && buckets.start == others.start && buckets.total == others.total && buckets.count >= others.count
    }
}

/// The periods of an app's recipes, from which it follows what an event counts for.
public struct GoalTable: Sendable {
    /// The goals of one recipe.
    public struct Entry: Sendable {
        /// All periods, oldest first. A period whose goals can no longer be read is absent.
        public let periods: [GoalPeriod]
        /// Whether clients are placed in the newest period.
        public let isInForce: Bool
        /// Whether exposures count.
        public let isLive: Bool

        public init(periods: [GoalPeriod], isInForce: Bool, isLive: Bool) {
            (self.periods, self.isInForce, self.isLive) = (periods, isInForce, isLive)
        }
    }

    public static let none = GoalTable([:])

    private let recipes: [Identifier: Entry]

    public init(_ recipes: [Identifier: Entry]) { self.recipes = recipes }

    var isEmpty: Bool { recipes.isEmpty }

    public subscript(slug: Identifier) -> Entry? { recipes[slug] }

    func period(of entry: GoalEntry) -> GoalPeriod? {
        recipes[entry.slug]?.periods.first { $0.number == entry.period }
    }
}
