public import BellwetherBase
public import BellwetherJSON
public import Surveys

/// The conditions on runs in a list that no index finds (docs/reference/http-api.md#responses).
public struct RunFilter: Sendable, Hashable {
    /// The earliest time at which the runs began.
    public var from: Timestamp?
    public var experiment: Identifier?
    /// `BRANCH` or `EXPERIMENT/BRANCH`.
    public var branch: Identifier?
    public var revision: Int?
    /// The round that the runs are the answers of.
    public var round: Int?
    /// The values of attributes; see `Run.attribute`. All have to be equal.
    public var attributes: [Identifier: String] = [:]
    /// The id of a question that was answered.
    public var question: Identifier?
    /// A text within an answer that lists may show, or within the answer to `question` if it is given. The case of
    /// letters is ignored.
    public var text: String?

    public init() {}

    public var isEmpty: Bool { self == RunFilter() }

    func means(_ run: Run) -> Bool {
        if let experiment, run.experiment != experiment { return false }
        if let branch, !ResultCell(run).isOf(branch: branch) { return false }
        if let revision, run.revision != revision { return false }
        if let round, run.round != round { return false }
        guard attributes.allSatisfy({ run.attribute($0.key) == $0.value }) else { return false }
        guard question != nil || text != nil else { return true }
        let answers = answers(of: run)
        guard let text = text?.lowercased() else { return !answers.isEmpty }
        return answers.contains { $0.holds(text) }
    }

    /// The answers of a run; for a flow, the answers of each field.
    private func answers(of run: Run) -> [JSONValue] {
        let open = run.openAnswers
        let all = run.kind == .flow ? open.flatMap { $0.value.object.map(Array.init) ?? [] } : Array(open)
        return all.filter { member in question.map { $0 == member.key } ?? true }.map(\.value)
    }
}

extension JSONValue {
    /// Whether one of its texts contains the part, which is in lower case.
    fileprivate func holds(_ part: String) -> Bool {
        switch self {
        case .string(let text): text.lowercased().contains(part)
        case .array(let values): values.contains { $0.holds(part) }
        case .object(let members): members.contains { $0.value.holds(part) }
        case .null: false
        default: text == part
        }
    }
}

/// A page of a list of runs.
public struct RunPage: Sendable {
    public var runs: [Run] = []
    /// The position at which the next page begins; nil for the last page.
    public var cursor: RunCursor?
    /// The number of runs that were examined.
    public var examined = 0
}

extension Store {
    /// The maximum number of runs that a search examines before it returns a cursor.
    private static var maximumExamined: Int { 5_000 }
    private static var searchedAtOnce: Int { 200 }

    /// Searches runs. The query's limit is the size of the page.
    func searchRuns(_ query: RunQuery, _ filter: RunFilter) throws(StoreError) -> RunPage {
        var (page, query, limit) = (RunPage(), query, query.limit)
        query.limit = filter.isEmpty ? limit + 1 : Self.searchedAtOnce
        limit = max(limit, 1)
        while true {
            let found = try readRuns(query)
            for run in found {
                if let from = filter.from, run.createdAt < from {
                    page.cursor = nil
                    return page
                }
                guard page.runs.count < limit else { return page }
                page.examined += 1
                page.cursor = RunCursor(run)
                if filter.means(run) { page.runs.append(run) }
            }
            guard found.count == query.limit, let last = found.last else {
                page.cursor = nil
                return page
            }
            guard page.examined < Self.maximumExamined else { return page }
            query.after = RunCursor(last)
        }
    }
}
