public import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// The numbers of runs of a recipe. Runs in development, previews and screened-out runs do not count
/// (docs/reference/http-api.md#recipes).
public struct RunCounts: Sendable, Hashable {
    public var started = 0
    public var submitted = 0
    /// The time at which the newest run began.
    public var lastAt: Timestamp?
    /// Whether counting stopped at a bound, so that both numbers may be larger.
    public var isBound = false
}

extension Store {
    /// The maximum number of rows that are counted for one request. A few recipes are counted completely, many recipes
    /// up to a bound.
    private static var countedRows: Int { 1_000_000 }
    /// The least value of the bound for one recipe, however many recipes there are.
    private static var leastCounted: Int { 1_000 }
    /// The number of newest runs in which the newest counted one is searched.
    private static var newest: Int { 20 }

    /// The counts of recipes, by slug.
    func runCounts(of slugs: [Identifier], in app: Identifier) throws(StoreError) -> [Identifier: RunCounts] {
        let limit = max(Self.leastCounted, Self.countedRows / max(1, slugs.count))
        var counts: [Identifier: RunCounts] = [:]
        for slug in slugs { counts[slug] = try runCounts(of: slug, in: app, limit: limit) }
        return counts
    }

    private func runCounts(of slug: Identifier, in app: Identifier, limit: Int) throws(StoreError) -> RunCounts {
        var query = RunQuery(app: app, limit: Self.newest)
        (query.slug, query.isDevelopment) = (slug, false)
        var counts = RunCounts()
        let all = try count(.runs(query), limit: limit)
        guard all > 0 else { return counts }
        counts.lastAt = try readRuns(query).first { $0.status != .preview && $0.status != .screenedOut }?.createdAt
        counts.isBound = all == limit
        counts.started = max(0, all - (try others(query, limit)))
        query.isSubmittedOnly = true
        counts.submitted = max(0, try count(.runs(query), limit: limit) - (try others(query, limit)))
        return counts
    }

    /// The number of runs that are listed, but never counted.
    private func others(_ query: RunQuery, _ limit: Int) throws(StoreError) -> Int {
        var (count, query) = (0, query)
        for status in [Run.Status.preview, .screenedOut] {
            query.status = status
            count += try self.count(.runs(query), limit: limit)
        }
        return count
    }
}
