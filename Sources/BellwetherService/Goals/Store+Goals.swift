public import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A query for the counts of a recipe's goals.
public struct GoalQuery: Sendable {
    public let app: AppSnapshot
    public let slug: Identifier
    /// Nil for the newest period in which a client was exposed; if there is none, the newest.
    public var period: Int?
    /// The smallest count of clients above 0 that is shown.
    public let minimum: Int

    public init(_ slug: Identifier, in app: AppSnapshot, period: Int? = nil, minimum: Int = 1) {
        (self.app, self.slug, self.period, self.minimum) = (app, slug, period, minimum)
    }
}

extension AppSnapshot {
    /// The number of periods of a recipe; 0 if it never had goals.
    public func periodCount(of slug: Identifier) -> Int { periods[slug]?.stored.periods.count ?? 0 }
}

extension Store {
    /// Reads the counts of a recipe's goals; nil if it never had goals that can be read. It reads only cells, so the
    /// number of clients does not matter.
    public func readGoals(_ query: GoalQuery) throws(StoreError) -> GoalResults? {
        let (app, slug) = (query.app.name, query.slug)
        var loaded = query.app.periods[slug] ?? LoadedPeriods()
        // Another process may have begun a period just now.
        if case .periods(let stored)? = try value(of: .periods(app: app, slug: slug)), stored != loaded.stored {
            loaded = try self.loaded(stored, slug, in: app)
        }
        var shown: GoalPeriod?
        var cells: [GoalResults.Counted] = []
        for period in loaded.periods.reversed() where query.period == nil || query.period == period.number {
            shown = shown ?? period
            cells = try self.cells(of: period, slug, in: app)
            guard cells.isEmpty else {
                shown = period
                break
            }
        }
        return shown.map { period in
            let isNewest = period.number == loaded.stored.periods.count
            let guards = isNewest ? query.app.recipes[slug]?.recipe.goals?.guards ?? [] : []
            return GoalResults(
                period, of: loaded.stored.periods.count, cells, guards: loaded.stored.standings(of: guards),
                minimum: Int64(query.minimum))
        }
    }

    private func cells(
        of period: GoalPeriod, _ slug: Identifier, in app: Identifier
    ) throws(StoreError) -> [GoalResults.Counted] {
        let prefix = RowName.cells(of: slug, period.number)
        var cells: [GoalResults.Counted] = []
        for row in try find(.small(.cell, app: app, prefix: prefix), limit: .max) {
            guard case .cell(_, let key) = row.name, case .cell(let cell) = try row.value.get() else { continue }
            let parts = key.text.dropFirst(prefix.count).split(separator: "\u{1F}", omittingEmptySubsequences: false)
            guard parts.count == 2, let day = Int32(parts[1]) else { continue }
            cells.append(GoalResults.Counted(branch: Identifier(parts[0]), day: Int64(day), cell: cell))
        }
        return cells
    }
}

extension Persistence {
    /// See `Store.readGoals`. Queued with reads of telemetry.
    public func readGoals(
        _ query: GoalQuery, _ completion: @escaping @Sendable (Result<GoalResults?, StoreError>) -> Void
    ) {
        guard feed.isShared || query.app.periodCount(of: query.slug) > 0 else { return completion(.success(nil)) }
        read(completion) { [store] () throws(StoreError) in try store.readGoals(query) }
    }
}
