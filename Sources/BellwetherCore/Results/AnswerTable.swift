/// The answers of several groups by option, with totals of both. Options are withheld in all tables of a message alike,
/// for the tables have these totals in common.
struct AnswerTable {
    struct Row {
        let group: ResultGroup
        var counts: [Int]

        var sum: Int { counts.reduce(0, +) }
    }

    let rows: [Row]

    /// Groups by themselves are withheld before single counts are.
    func withheldRows(minimum: Int) -> Set<Int> { LineWithholding.withheld([rows.map(\.sum)], minimum: minimum) }

    func lines(_ frame: TableFrame, hidden: Set<Int>) -> [AnswerLine] {
        let cells = TableWithholding(
            rows.map(\.counts), minimum: frame.minimum, rows: hidden, columns: frame.withheldColumns)
        return rows.enumerated().map { place, row in
            let isHidden = frame.isAllWithheld || hidden.contains(place)
            return AnswerLine(
                group: row.group, answers: isHidden ? nil : row.sum,
                counts: row.counts.enumerated().map { column, count in
                    isHidden || cells.withheld[place][column] ? nil : count
                }, scale: frame.scale)
        }
    }
}

/// What the tables of a message have in common: its options with their totals.
struct TableFrame {
    let scale: AnswerScale?
    let minimum: Int
    private let totals: [Int]
    /// So few have answered that nothing is said of them.
    let isAllWithheld: Bool
    let withheldColumns: Set<Int>

    init(totals: [Int], scale: AnswerScale?, minimum: Int) {
        self.totals = totals
        self.scale = scale
        self.minimum = minimum
        isAllWithheld = (1..<max(1, minimum)).contains(totals.reduce(0, +))
        withheldColumns = LineWithholding.withheld([totals], minimum: minimum)
    }

    var total: AnswerLine {
        AnswerLine(
            group: .none, answers: isAllWithheld ? nil : totals.reduce(0, +),
            counts: totals.enumerated().map { isAllWithheld || withheldColumns.contains($0) ? nil : $1 }, scale: scale)
    }
}
