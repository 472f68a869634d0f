internal import BellwetherBase
internal import BellwetherJSON
public import Surveys

/// An owner's query for the results of a questionnaire, survey or flow.
public struct RunResultsQuery: Sendable, Hashable {
    public let app: String
    public let slug: String
    /// Nil means both.
    public var isDevelopment: Bool?
    public var isSubmittedOnly = false
    /// Nil means both.
    public var isImported: Bool?
    /// The first and the last day in UTC on which runs began, both included.
    public var from: CalendarDay?
    public var to: CalendarDay?
    /// A branch, alone or after its experiment and `/`.
    public var branch: String?
    /// Only runs with this value of a kept attribute, or of the respondent's attribution, count.
    public var attribute: ResultAttribute?
    /// The fact by whose values results are broken down; nil if they are not.
    public var breakdown: Breakdown?

    /// The facts by which results are broken down (docs/reference/surveys.md#breakdowns).
    public enum Breakdown: Sendable, Hashable {
        case branch
        case attribute(String)
    }

    public init(app: String, slug: String) {
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
    func isOf(branch name: String) -> Bool {
        guard !experiment.isEmpty else { return false }
        return name.hasSameBytes(as: branch) || name.hasSameBytes(as: "\(experiment)/\(branch)")
    }
}
