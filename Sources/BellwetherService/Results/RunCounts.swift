public import BellwetherBase
internal import Surveys

/// How many have answered a recipe; those of development, previews and who was screened out apart
/// (docs/reference/http-api.md#recipes).
public struct RunCounts: Sendable, Hashable {
    public var started = 0
    public var submitted = 0
    /// When the newest run was begun.
    public var lastAt: Timestamp?
    /// There may be more of both.
    public var isBound = false
}

extension Store {
    /// Rows that are counted for one request: few recipes are counted to the end, many to a bound.
    private static var countedRows: Int { 1_000_000 }
    /// The least number of a recipe's runs that are counted, however many there are.
    private static var leastCounted: Int { 1_000 }
    /// Runs among which the newest that counts is looked for.
    private static var newest: Int { 20 }

    /// By slug.
    func runCounts(of slugs: [String], in app: String) throws(StoreError) -> [String: RunCounts] {
        let limit = max(Self.leastCounted, Self.countedRows / max(1, slugs.count))
        var counts: [String: RunCounts] = [:]
        for slug in slugs { counts[slug] = try runCounts(of: slug, in: app, limit: limit) }
        return counts
    }

    private func runCounts(of slug: String, in app: String, limit: Int) throws(StoreError) -> RunCounts {
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

    /// Runs that are listed and count nowhere.
    private func others(_ query: RunQuery, _ limit: Int) throws(StoreError) -> Int {
        var (count, query) = (0, query)
        for status in [Run.Status.preview, .screenedOut] {
            query.status = status
            count += try self.count(.runs(query), limit: limit)
        }
        return count
    }
}
