internal import BellwetherBase
internal import BellwetherJSON
public import Surveys

/// An owner's question: what came back of a questionnaire, survey or flow?
public struct RunResultsQuery: Sendable, Hashable {
    public let app: String
    public let slug: String
    /// Nil: both.
    public var isDevelopment: Bool?
    public var isSubmittedOnly = false
    /// Nil: both.
    public var isImported: Bool?
    /// Days in UTC on which runs began, both included.
    public var from: CalendarDay?
    public var to: CalendarDay?
    /// A branch, or an experiment, `/` and a branch.
    public var branch: String?
    /// Only runs with this value of a kept attribute, or of where the respondent came from.
    public var attribute: ResultAttribute?
    /// Results are also wanted for each value of it.
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

    /// Whether a run is meant.
    func means(_ run: Run) -> Bool {
        guard means(ResultCell(run)) else { return false }
        return attribute.map { run.resultAttributes.contains($0) } ?? true
    }

    /// Whether the runs of a cell are meant.
    public func means(_ cell: ResultCell) -> Bool {
        if let isDevelopment, cell.isDevelopment != isDevelopment { return false }
        if isSubmittedOnly, !cell.isSubmitted { return false }
        if let isImported, cell.isImported != isImported { return false }
        if let from, cell.day.precedes(from.text) { return false }
        if let to, to.text.precedes(cell.day) { return false }
        return branch.map(cell.isOf) ?? true
    }

    /// The recipe's runs, newest first, from the end of the days on.
    func runs(limit: Int) -> RunQuery {
        var query = RunQuery(app: app, limit: limit)
        (query.slug, query.isSubmittedOnly, query.isDevelopment) = (slug, isSubmittedOnly, isDevelopment)
        if let to { query.after = RunCursor("\(to.end.milliseconds)- ") }
        return query
    }
}

extension ResultCell {
    /// - Parameter name: a branch, or an experiment, `/` and a branch.
    func isOf(branch name: String) -> Bool {
        guard !experiment.isEmpty else { return false }
        return name.hasSameBytes(as: branch) || name.hasSameBytes(as: "\(experiment)/\(branch)")
    }
}
