public import BellwetherAuthoring
internal import BellwetherJSON
internal import Surveys

/// What came back of questionnaires, surveys and flows, over rows of counts.
extension Store {
    /// Adds up the counts of a recipe's runs, and shows the newest runs to results that need them.
    public func readResults<Results: RunResults>(
        _ query: RunResultsQuery, into results: Results
    ) throws(StoreError) -> Results {
        var results = results
        if try value(of: EarlierRuns.name(app: query.app, slug: query.slug)) == nil {
            for (cell, counts) in try cells(query) { results.add(counts, of: cell) }
        } else {
            try countRuns(query, into: &results)
        }
        try showRuns(query, to: &results)
        return results
    }

    private func cells(_ query: RunResultsQuery) throws(StoreError) -> [(ResultCell, ResultCounts)] {
        let index = RowIndex.counts(app: query.app, prefix: ResultCell.prefix(query.slug))
        var cells: [(ResultCell, ResultCounts)] = []
        for row in try find(index, limit: .max) {
            guard case .counts(_, let key) = row.name, let cell = ResultCell(key: key), query.means(cell),
                case .counts(let counts) = try row.value.get()
            else { continue }
            cells.append((cell, counts))
        }
        return cells
    }

    /// Where runs are not counted yet, all of them are read.
    private func countRuns(
        _ query: RunResultsQuery, into results: inout some RunResults
    ) throws(StoreError) {
        try eachPage(query.runs(limit: 1_000)) { runs in
            for run in runs {
                let marked = run.marks == nil ? results.marked(run) : run
                let cell = ResultCell(marked)
                if query.means(cell), let counts = marked.counts { results.add(counts, of: cell) }
            }
            return true
        }
    }

    private func showRuns(_ query: RunResultsQuery, to results: inout some RunResults) throws(StoreError) {
        guard results.needsRuns else { return }
        var left = RunResultsQuery.maximumShownRuns
        try eachPage(query.runs(limit: 100)) { runs in
            for run in runs where run.status != .preview && run.status != .screenedOut {
                if query.means(ResultCell(run)) { results.show(run) }
            }
            left -= runs.count
            return left > 0 && results.needsRuns
        }
    }

    /// Runs a page at a time; the query's limit is a page's.
    ///
    /// - Parameter body: false: no more are needed.
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
    /// How many of the newest runs are looked at for what respondents wrote.
    public static let maximumShownRuns = 1_000
}
