import TestSupport
import Testing

@testable import BellwetherAuthoring

/// Which cells of a table are withheld (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
struct WithheldCellsTests {
    /// A line with its total: the shown counts, and the shown total as the last one.
    private static func shown(_ counts: [Int], minimum: Int = 5) -> [Int?] {
        var table = WithheldCells()
        let cells = table.add(counts)
        let total = table.add([counts.reduce(0, +)]).lowerBound
        table.add(WithheldCells.Sum(total: total, parts: Array(cells)))
        table.withhold(below: minimum)
        return cells.map(table.shown) + [table.shown(total)]
    }

    @Test(
        arguments: [
            ([0, 5, 9, 22, 3], [0, nil, 9, 22, nil, 39]), ([3, 4, 30], [nil, nil, 30, 37]), ([6, 7], [6, 7, 13]),
            ([0, 0, 1], [nil, 0, nil, nil]), ([0, 0, 9], [0, 0, 9, 9]), ([3], [nil, nil]), ([20, 2], [nil, nil, 22]),
        ] as [([Int], [Int?])])
    func `A second count is withheld with a single one`(_ counts: [Int], _ expected: [Int?]) {
        #expect(Self.shown(counts) == expected)
        #expect(Self.shown(counts, minimum: 1) == counts + [counts.reduce(0, +)])
    }

    /// Random tables of rows and columns with all their sums.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `No withheld count follows from one sum of the table`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (rows, columns) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random))
        let counts = (0..<rows).map { _ in
            (0..<columns).map { _ in Bool.random(using: &random) ? Int.random(in: 0...8, using: &random) : 20 }
        }
        var table = WithheldCells()
        let lines = counts.map { table.add($0 + [$0.reduce(0, +)]) }
        let totals = table.add(
            (0...columns).map { column in
                column < columns ? counts.reduce(0) { $0 + $1[column] } : counts.joined().reduce(0, +)
            })
        var sums = (lines + [totals]).map { WithheldCells.Sum(total: $0.upperBound - 1, parts: Array($0.dropLast())) }
        sums += (0...columns).map { column in
            WithheldCells.Sum(total: totals.lowerBound + column, parts: lines.map { $0.lowerBound + column })
        }
        for sum in sums { table.add(sum) }
        table.withhold(below: 5)
        for sum in sums {
            let withheld = (sum.parts + [sum.total]).filter { table.shown($0) == nil }
            #expect(withheld.count != 1, "\(counts)")
        }
        for (line, counts) in zip(lines, counts) {
            for (cell, count) in zip(line, counts) where (1..<5).contains(count) { #expect(table.shown(cell) == nil) }
        }
    }
}
