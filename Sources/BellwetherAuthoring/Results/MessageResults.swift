public import BellwetherJSON

/// The results of one message, in the form for its owner.
///
/// Each count from 1 to below a minimum is withheld, and with it a second count of its table
/// (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
public struct MessageResults: Sendable, Hashable {
    public let message: Identifier
    /// The current options of all branches, then the options of earlier revisions.
    public let options: [ResultOption]
    public let total: AnswerLine
    public let branches: [AnswerLine]
    public let locales: [AnswerLine]
    public let days: [AnswerLine]
    public let funnel: FunnelLine
    public let funnelByBranch: [FunnelLine]
}

public struct ResultOption: Sendable, Hashable {
    public let id: Identifier
    public let text: String
    /// The index among the current options of the first branch that has the option; nil if no branch has it now.
    public let index: Int?
    /// The value on the scale that all branches share; nil outside the scale, and without a shared scale.
    public let value: Int?
}

/// The group of clients in a line of results.
public enum ResultGroup: Sendable, Hashable {
    case named(Identifier)
    /// The clients without a branch of the recipe.
    case none
    /// All groups without a line of their own.
    case rest

    var name: Identifier? {
        if case .named(let name) = self { name } else { nil }
    }
}

/// The answers of one group. A nil count is withheld.
public struct AnswerLine: Sendable, Hashable {
    public let group: ResultGroup
    public let answers: Int?
    /// The indices of the message's options. A branch only lists its own options.
    public let options: [Int]
    /// The counts of these options.
    public let counts: [Int?]
    /// The shares of the group's answers; also nil if there are no answers.
    public let shares: [ShareEstimate?]
    /// The scale of the options; nil if they have none.
    public let scale: AnswerScale?
    /// The score; also nil without a scale, or without answers on it.
    public let score: ScaleScore?
    /// The difference of the mean from that of another branch; nil for other groups, and without two means on one
    /// scale.
    public private(set) var difference: MeanDifference?

    func compared(with reference: AnswerLine?) -> AnswerLine {
        guard let reference, let name = reference.group.name, reference.group != group, let score,
            let other = reference.score, let scale, reference.scale?.measuresTheSame(as: scale) == true
        else { return self }
        var line = self
        line.difference = MeanDifference(
            reference: name.text, estimate: score.sample.difference(from: other.sample))
        return line
    }

    init(_ line: AnswerCells, in cells: WithheldCells, minimum: Int) {
        let answers = cells.shown(line.total)
        let counts = line.cells.map(cells.shown)
        group = line.group
        options = line.columns
        self.answers = answers
        self.counts = counts
        shares = counts.map { count in
            guard let count, let answers else { return nil }
            return ShareEstimate(count, of: answers)
        }
        scale = line.scale
        score = line.scale.flatMap { scale in
            ScaleScore(scale, counts: line.counts, minimum: minimum)?.showing(line.groups.map(cells.shown))
        }
    }
}

/// The mean of a branch minus that of another.
public struct MeanDifference: Sendable, Hashable {
    public let reference: String
    public let estimate: ScaleScore.Estimate
}

/// The answers of one group as cells of a table: a cell for each listed option, one for their sum, and those of the net
/// promoter score's three groups.
struct AnswerCells {
    let group: ResultGroup
    let columns: [Int]
    let scale: AnswerScale?
    let counts: [Int]
    let cells: Range<Int>
    let total: Int
    /// The cells of promoters, passives and detractors; empty without a net promoter score.
    let groups: Range<Int>

    init(_ row: AnswerRow, columns: [Int], scale: AnswerScale?, in table: inout WithheldCells) {
        let counts = columns.map { row.counts[$0] }
        let cells = table.add(counts)
        group = row.group
        (self.columns, self.scale, self.counts, self.cells) = (columns, scale, counts, cells)
        total = table.add([counts.reduce(0, +)]).lowerBound
        table.add(WithheldCells.Sum(total: total, parts: Array(cells)))
        guard let scale, scale.kind == .nps else {
            groups = total..<total
            return
        }
        let members = NetPromoterScore.ranges.map { range in
            zip(cells, scale.values).filter { $1.map(range.contains) ?? false }.map(\.0)
        }
        groups = table.add(members.map { $0.reduce(0) { $0 + counts[$1 - cells.lowerBound] } })
        for (group, parts) in zip(groups, members) { table.add(WithheldCells.Sum(total: group, parts: parts)) }
        let beside = zip(cells, scale.values).filter { $1 == nil }.map(\.0)
        table.add(WithheldCells.Sum(total: total, parts: Array(groups) + beside))
    }

    /// Adds the sums over lines: of each option, and of all answers.
    static func addSums(_ total: AnswerCells, _ lines: [AnswerCells], to table: inout WithheldCells) {
        guard !lines.isEmpty else { return }
        table.add(WithheldCells.Sum(total: total.total, parts: lines.map(\.total)))
        var parts: [Int: [Int]] = [:]
        for line in lines {
            for (column, cell) in zip(line.columns, line.cells) { parts[column, default: []].append(cell) }
        }
        for (column, cell) in zip(total.columns, total.cells) {
            if let parts = parts[column] { table.add(WithheldCells.Sum(total: cell, parts: parts)) }
        }
    }
}

/// The steps of one branch's clients, in the order of `FunnelStep`'s cases. A nil count is withheld.
public struct FunnelLine: Sendable, Hashable {
    public let group: ResultGroup
    public let counts: [FunnelTally.Count?]

    /// The count of a step; nil if it is withheld.
    public func count(of step: FunnelStep) -> FunnelTally.Count? {
        zip(FunnelStep.allCases, counts).first { $0.0 == step }?.1
    }

    /// The number of clients decides whether a count of events is shown.
    private init(_ group: ResultGroup, _ tally: FunnelTally, _ cells: Range<Int>, in table: WithheldCells) {
        self.group = group
        counts = zip(FunnelStep.allCases, cells).map { step, cell in
            table.shown(cell) == nil ? nil : tally.count(of: step)
        }
    }

    /// The lines of all clients, and of each branch.
    static func lines(
        _ all: FunnelTally, _ branches: [(group: ResultGroup, tally: FunnelTally)], minimum: Int
    ) -> (all: FunnelLine, branches: [FunnelLine]) {
        var table = WithheldCells()
        func cells(of tally: FunnelTally) -> Range<Int> {
            table.add(FunnelStep.allCases.map { tally.count(of: $0).clients })
        }
        let total = cells(of: all)
        let rows = branches.map { cells(of: $0.tally) }
        for step in FunnelStep.allCases.indices where !rows.isEmpty {
            let parts = rows.map { $0.lowerBound + step }
            table.add(WithheldCells.Sum(total: total.lowerBound + step, parts: parts))
        }
        table.withhold(below: minimum)
        let lines = zip(branches, rows).map { FunnelLine($0.group, $0.tally, $1, in: table) }
        return (FunnelLine(.none, all, total, in: table), lines)
    }
}
