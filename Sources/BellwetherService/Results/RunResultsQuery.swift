internal import BellwetherBase
public import BellwetherJSON
public import Surveys

/// An owner's query for the results of a questionnaire, survey or flow.
public struct RunResultsQuery: Sendable, Hashable {
    public let app: Identifier
    public let slug: Identifier
    /// Nil means both.
    public var isDevelopment: Bool?
    public var isSubmittedOnly = false
    /// Nil means both.
    public var isImported: Bool?
    /// The first and the last day in UTC on which runs began, both included.
    public var from: CalendarDay?
    public var to: CalendarDay?
    /// A branch, alone or after its experiment and `/`.
    public var branch: Identifier?
    /// Only runs with this value of a kept attribute, or of the respondent's attribution, count.
    public var attribute: ResultAttribute?
    /// The fact by whose values results are broken down; nil if they are not.
    public var breakdown: Breakdown?

    /// The facts by which results are broken down (docs/reference/surveys.md#breakdowns).
    public enum Breakdown: Sendable, Hashable {
        case branch
        case attribute(Identifier)
        /// The round of each answer (docs/reference/rounds.md#results).
        case round
        case period(ResultPeriod)

        /// Whether groups are a series of rounds or of times, which has only submitted runs.
        var isSeries: Bool {
            switch self {
            case .branch, .attribute: false
            case .round, .period: true
            }
        }
    }

    public init(app: Identifier, slug: Identifier) {
        self.app = app
        self.slug = slug
    }

    /// Whether the query includes a run.
    func means(_ run: Run) -> Bool {
        guard means(ResultCell(run)) else { return false }
        return attribute.map { run.resultAttributes.contains($0) } ?? true
    }

    /// Whether the query includes the runs of a cell.
    public func means(_ cell: ResultCell) -> Bool {
        if let isDevelopment, cell.isDevelopment != isDevelopment { return false }
        if isSubmittedOnly, !cell.isSubmitted { return false }
        if let isImported, cell.isImported != isImported { return false }
        if let from, cell.day.precedes(from.text) { return false }
        if let to, to.text.precedes(cell.day) { return false }
        return branch.map(cell.isOf) ?? true
    }

    /// A query for the recipe's runs, newest first, that begins at the end of the last day.
    func runs(limit: Int) -> RunQuery {
        var query = RunQuery(app: app, limit: limit)
        (query.slug, query.isSubmittedOnly, query.isDevelopment) = (slug, isSubmittedOnly, isDevelopment)
        if let to { query.after = RunCursor("\(to.end.milliseconds)- ") }
        return query
    }
}

extension ResultCell {
    /// - Parameter name: `BRANCH` or `EXPERIMENT/BRANCH`.
    func isOf(branch name: Identifier) -> Bool {
        guard !experiment.isEmpty else { return false }
        return name == branch || name == "\(experiment)/\(branch)"
    }
}
