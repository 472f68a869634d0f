import TestSupport
import Testing

@testable import BellwetherCore

/// That counts of few people are told neither by themselves nor by the others.
struct WithholdingTests {
    @Test(arguments: [
        ([10, 20, 0], []), ([3, 20, 30], [0, 1]), ([3, 3, 30], [0, 1]), ([1, 1, 30, 40], [0, 1, 2]),
        ([4, 0, 0, 50], [0, 3]), ([], []), ([0, 0], []), ([1, 2, 3, 4, 5, 6], [0, 1, 2, 3]),
    ])
    func aLineWithholdsAtLeastTwoThatStandForEnough(_ counts: [Int], _ withheld: [Int]) {
        #expect(LineWithholding.withheld([counts], minimum: 5) == Set(withheld))
    }

    @Test func measuresOfTheSamePeopleAreWithheldTogether() {
        #expect(LineWithholding.withheld([[90, 40, 70], [3, 20, 50]], minimum: 5) == [0, 1])
        #expect(LineWithholding.withheld([[9, 9, 9]], minimum: 5, forced: [2]) == [2, 0])
    }

    @Test func aMinimumOfOneWithholdsNothing() {
        #expect(LineWithholding.withheld([[1, 2, 3]], minimum: 1).isEmpty)
        let table = TableWithholding([[1, 0], [2, 3]], minimum: 1, rows: [], columns: [])
        #expect(table.withheld == [[false, false], [false, false]])
    }

    @Test func aCellTakesThreeOthersWithIt() {
        let table = TableWithholding([[2, 10, 50], [30, 20, 50], [40, 40, 50]], minimum: 5, rows: [], columns: [])
        #expect(table.withheld == [[true, true, false], [true, true, false], [false, false, false]])
    }

    @Test func emptyCellsHelpWhereNothingElseCan() {
        let table = TableWithholding([[2, 10], [10, 0]], minimum: 5, rows: [], columns: [])
        #expect(table.withheld == [[true, true], [true, true]])
    }

    /// Two circles that one cell joins: it lies in lines of several withheld cells, and yet can be worked out.
    @Test func aBridgeBetweenCirclesIsFound() {
        var graph = WithheldGraph(rowCount: 4, columnCount: 4)
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
            graph.add(row: row, column: column)
        }
        #expect(graph.bridges.isEmpty)
        graph.add(row: 1, column: 2)
        #expect(graph.bridges.map { [$0.row, $0.column] } == [[1, 2]])
    }

    /// Checked by elimination, which knows nothing of graphs: what is published determines no withheld cell.
    @Test(arguments: 0..<300)
    func nothingWithheldCanBeWorkedOut(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (rows, columns) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...5, using: &random))
        let most = [3, 8, 40].randomElement(using: &random) ?? 8
        let counts = (0..<rows).map { _ in
            (0..<columns).map { _ in
                Bool.random(using: &random) ? Int.random(in: 0...most, using: &random) : 0
            }
        }
        guard counts.joined().reduce(0, +) >= 5 else { return }
        let sums = counts.map { $0.reduce(0, +) }
        let totals = (0..<columns).map { column in counts.reduce(0) { $0 + $1[column] } }
        let hiddenRows = LineWithholding.withheld([sums], minimum: 5)
        let hiddenColumns = LineWithholding.withheld([totals], minimum: 5)
        let table = TableWithholding(counts, minimum: 5, rows: hiddenRows, columns: hiddenColumns)
        for row in 0..<rows {
            for column in 0..<columns where (1..<5).contains(counts[row][column]) {
                #expect(table.withheld[row][column])
            }
        }
        let attack = Attack(table.withheld, rows: hiddenRows, columns: hiddenColumns)
        #expect(attack.determined.isEmpty, "\(counts): \(table.withheld), \(hiddenRows), \(hiddenColumns)")
    }
}

/// Someone who knows every published number and solves the equations of the totals for the others.
private struct Attack {
    /// Unknowns that have one solution only.
    private(set) var determined: [Int] = []

    init(_ withheld: [[Bool]], rows: Set<Int>, columns: Set<Int>) {
        var unknowns: [[Int]: Int] = [:]
        func unknown(_ row: Int, _ column: Int) -> Int {
            let next = unknowns.count
            unknowns[[row, column]] = unknowns[[row, column]] ?? next
            return unknowns[[row, column]] ?? next
        }
        let (height, width) = (withheld.count, withheld.first?.count ?? 0)
        var equations: [[(Int, Double)]] = []
        for row in 0..<height {
            var terms = (0..<width).filter { withheld[row][$0] }.map { (unknown(row, $0), 1.0) }
            if rows.contains(row) { terms.append((unknown(row, width), -1)) }
            equations.append(terms)
        }
        for column in 0..<width {
            var terms = (0..<height).filter { withheld[$0][column] }.map { (unknown($0, column), 1.0) }
            if columns.contains(column) { terms.append((unknown(height, column), -1)) }
            equations.append(terms)
        }
        equations.append(rows.map { (unknown($0, width), 1) })
        equations.append(columns.map { (unknown(height, $0), 1) })
        let matrix = equations.map { terms in
            terms.reduce(into: [Double](repeating: 0, count: unknowns.count)) { $0[$1.0] += $1.1 }
        }
        let rank = Self.rank(matrix)
        for index in 0..<unknowns.count {
            var unit = [Double](repeating: 0, count: unknowns.count)
            unit[index] = 1
            // What is a combination of the equations is known.
            if Self.rank(matrix + [unit]) == rank { determined.append(index) }
        }
    }

    private static func rank(_ matrix: [[Double]]) -> Int {
        var matrix = matrix
        var rank = 0
        for column in 0..<(matrix.first?.count ?? 0) {
            guard let pivot = (rank..<matrix.count).first(where: { abs(matrix[$0][column]) > 1e-9 }) else { continue }
            matrix.swapAt(rank, pivot)
            for row in (rank + 1)..<max(rank + 1, matrix.count) {
                let factor = matrix[row][column] / matrix[rank][column]
                for place in column..<matrix[row].count { matrix[row][place] -= factor * matrix[rank][place] }
            }
            rank += 1
            if rank == matrix.count { break }
        }
        return rank
    }
}
