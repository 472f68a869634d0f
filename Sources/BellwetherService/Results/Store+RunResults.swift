public import BellwetherAuthoring
internal import BellwetherJSON
internal import Surveys

/// The results of questionnaires, surveys and flows, over rows of counts.
extension Store {
    /// Adds up the counts of a recipe's runs, and passes the newest runs to results that need them.
    public func readResults<Results: RunResults>(
        _ query: RunResultsQuery, into results: Results
    ) throws(StoreError) -> Results { try readBrokenDown(query, into: results).all }

    /// Reads results, and the results of each group of the query's breakdown.
    func readBrokenDown<Results: RunResults>(
        _ query: RunResultsQuery, into results: Results, maximumRows: Int = BrokenDown<Results>.maximumRows
    ) throws(StoreError) -> BrokenDown<Results> {
        var broken = BrokenDown(results, query)
        var earlier: RunDefinitions?
        if try value(of: EarlierRuns.name(app: query.app, slug: query.slug)) == nil {
            try addCells(query, to: &broken)
            try addGroups(query, to: &broken, maximumRows)
        } else {
            let definitions = try definitions(of: query.slug, in: query.app)
            try countRuns(query, of: definitions, into: &broken)
            earlier = definitions
        }
        try showRuns(query, of: earlier, to: &broken)
        return broken
    }

    private func addCells(
        _ query: RunResultsQuery, to broken: inout BrokenDown<some RunResults>
    ) throws(StoreError) {
        let start =
            query.attribute.map { ResultCell.prefix(query.slug, attribute: $0.name, value: $0.value.text) }
            ?? ResultCell.prefix(query.slug)
        try eachCell(query, of: query.attribute?.name, startingWith: start, limit: .max) { cell, counts, _ in
            broken.add(counts, of: cell)
        }
    }

    private func addGroups(
        _ query: RunResultsQuery, to broken: inout BrokenDown<some RunResults>, _ maximumRows: Int
    ) throws(StoreError) {
        guard query.breakdown != .round else { return try addRounds(query, to: &broken) }
        guard case .attribute(let name) = query.breakdown else { return }
        let start = ResultCell.prefix(query.slug, attribute: name)
        var last: Identifier = ""
        let count = try eachCell(query, of: name, startingWith: start, limit: maximumRows) { cell, counts, value in
            broken.add(counts, of: cell, value: value)
            last = value
        }
        // The rows of a value are adjacent. So only the last value may have rows that were not read.
        if count == maximumRows { broken.leaveOut(last) }
    }

    private func addRounds(
        _ query: RunResultsQuery, to broken: inout BrokenDown<some RunResults>
    ) throws(StoreError) {
        let name = ResultAttribute.roundName
        let start = ResultCell.prefix(query.slug, attribute: name)
        let limit = Self.maximumRoundRows
        let count = try eachCell(query, of: name, startingWith: start, limit: limit) { cell, counts, value in
            broken.add(counts, of: cell, round: value)
        }
        if count == limit { broken.leaveOut("1") }
    }

    /// The maximum number of rows of counts of rounds that are read: a row for each day and round.
    private static var maximumRoundRows: Int { 200_000 }

    /// - Returns: the number of rows that were read.
    @discardableResult
    private func eachCell(
        _ query: RunResultsQuery, of attribute: Identifier?, startingWith start: String, limit: Int,
        _ body: (ResultCell, ResultCounts, _ value: Identifier) -> Void
    ) throws(StoreError) -> Int {
        let rows = try find(.small(.counts, app: query.app, prefix: start), limit: limit)
        for row in rows {
            guard case .counts(_, let key) = row.name,
                let (cell, value) = ResultCell.reading(key, query.slug, of: attribute),
                query.means(cell), case .counts(let counts) = try row.value.get()
            else { continue }
            body(cell, counts, value)
        }
        return rows.count
    }

    /// Reads all runs, because some of them are not counted yet.
    private func countRuns(
        _ query: RunResultsQuery, of definitions: RunDefinitions, into broken: inout BrokenDown<some RunResults>
    ) throws(StoreError) {
        try eachPage(query.runs(limit: 1_000)) { runs in
            for run in runs where query.means(run) {
                let marked = definitions.marking(run)
                guard let counts = marked.counts else { continue }
                let cell = ResultCell(marked)
                broken.add(counts, of: cell)
                if query.breakdown == .round, let round = marked.resultRound {
                    broken.add(counts, of: cell, round: round.value)
                }
                guard case .attribute(let name) = query.breakdown else { continue }
                let value = run.resultAttributes.first { $0.name == name }?.value
                if let value { broken.add(counts, of: cell, value: value) }
            }
            return true
        }
    }

    /// - Parameter earlier: the definitions of runs that are not counted yet; nil if all are counted.
    private func showRuns(
        _ query: RunResultsQuery, of earlier: RunDefinitions?, to results: inout BrokenDown<some RunResults>
    ) throws(StoreError) {
        guard results.needsRuns else { return }
        var left = RunResultsQuery.maximumShownRuns
        try eachPage(query.runs(limit: 100)) { runs in
            for run in runs where run.status != .preview && run.status != .screenedOut {
                if query.means(run) { results.show(earlier?.marking(run) ?? run) }
            }
            left -= runs.count
            return left > 0 && results.needsRuns
        }
    }

    /// Reads runs page by page; the query's limit is the size of a page.
    ///
    /// - Parameter body: returns false if no more runs are needed.
    func eachPage(_ query: RunQuery, _ body: ([Run]) -> Bool) throws(StoreError) {
        var query = query
        while true {
            let runs = try readRuns(query)
            guard body(runs), runs.count == query.limit, let last = runs.last else { return }
            query.after = RunCursor(last)
        }
    }
}

extension RunResultsQuery {
    /// The maximum number of newest runs that are read for texts of respondents.
    public static let maximumShownRuns = 1_000
}
