public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// Deletes drafts that were not changed for 90 days, and runs that are older than their retention
/// (docs/reference/surveys.md#clean-up). The store's retention removes them completely later.
public struct CleanUpRuns: Sendable {
    /// A rule that selects the runs to delete.
    public struct Rule: Sendable, Hashable {
        public let app: Identifier
        /// Nil means all recipes.
        public var slug: Identifier?
        var status: Run.Status?
        /// The seconds since the last save.
        public var seconds: Int64
        /// Whether runs are deleted because of retention. Then a run is removed at once, and its respondent is not
        /// asked again.
        public var isRetention: Bool
    }

    private static let draftSeconds: Int64 = 90 * 86_400
    private static let pageSize = 500

    private let store: Persistence
    private let now: Timestamp

    public init(in store: Persistence, now: Timestamp) { (self.store, self.now) = (store, now) }

    /// - Parameter days: the retention of all recipes; a recipe may have a shorter one. Nil means that runs are kept.
    public static func rules(for app: AppSnapshot, retentionDays days: Int?) -> [Rule] {
        var rules = [
            Rule(app: app.name, status: .draft, seconds: draftSeconds, isRetention: false)
        ]
        if let days { rules.append(Rule(app: app.name, seconds: Int64(days) * 86_400, isRetention: true)) }
        for recipe in app.recipes.values {
            guard let own = recipe.published?.retentionDays, own < days ?? .max else { continue }
            rules.append(
                Rule(app: app.name, slug: recipe.stored.slug, seconds: Int64(own) * 86_400, isRetention: true))
        }
        return rules
    }

    /// The lifetime of the lease. No clean-up takes so long. A daemon that dies during one keeps others from it for
    /// this time.
    public static let leaseSeconds: Int64 = 3_600
    private static let lease: Identifier = "runs.clean-up"

    /// Deletes the runs under the lease. The lease is released at the end, so that a daemon that starts again need not
    /// wait.
    ///
    /// - Parameter completion: receives false if another daemon holds the lease, or died while it held it.
    public func run(
        _ rules: [Rule], holding holder: Identifier, _ completion: @escaping @Sendable (_ wasDone: Bool) -> Void
    ) {
        LeasedJob(Self.lease, of: holder, seconds: Self.leaseSeconds)
            .run(in: store, now: now, { done in run(rules, done) }, completion)
    }

    /// Applies one rule after another. Runs that are saved meanwhile stay.
    public func run(_ rules: [Rule], _ completion: @escaping @Sendable () -> Void = {}) {
        guard let rule = rules.first else { return completion() }
        var query = RunQuery(app: rule.app, limit: Self.pageSize)
        (query.slug, query.status, query.untouchedSince) = (rule.slug, rule.status, limit(of: rule))
        store.readRuns(query) { [self] result in
            guard case .success(let runs) = result else { return completion() }
            delete(runs.map { RunReference(app: rule.app, id: $0.id) }[...], rule) { [self] isDone in
                // Rows that a store cannot delete now are deleted at the next clean-up.
                guard isDone else { return completion() }
                let hasMore = runs.count == Self.pageSize
                run(hasMore ? rules : Array(rules.dropFirst()), completion)
            }
        }
    }

    private func limit(of rule: Rule) -> Timestamp { now.adding(seconds: -rule.seconds) }

    /// Deletes runs one after another. Completes with false if the store failed.
    private func delete(
        _ runs: ArraySlice<RunReference>, _ rule: Rule, _ completion: @escaping @Sendable (_ isDone: Bool) -> Void
    ) {
        guard let run = runs.first else { return completion(true) }
        store.submit(transaction(run, rule)) { [self] result in
            guard case .success = result else { return completion(false) }
            delete(runs.dropFirst(), rule, completion)
        }
    }

    private func transaction(_ reference: RunReference, _ rule: Rule) -> Transaction<ChangeRun.Outcome> {
        let change = ChangeRun(rule.isRetention ? .expire : .delete, of: reference, by: "", now: now)
        let limit = limit(of: rule)
        return Transaction(names: [.run(reference)], now: now) { rows in
            guard let run = rows.run(reference), rule.status == nil || run.status == rule.status,
                run.updatedAt < limit
            else { return .done(TransactionOutcome(result: .unknownRun)) }
            return change.transaction.apply(rows)
        }
    }
}
