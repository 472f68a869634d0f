/// The cells of tables that are not shown: each count from 1 to below a minimum, and for each of them a second one, so
/// that no count is found by subtraction (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
///
/// This is cell suppression over sums with a shown total. It holds for the tables of one response: two readings at
/// different times can still reveal a count.
struct WithheldCells {
    /// A cell that is the sum of others.
    struct Sum {
        let total: Int
        let parts: [Int]
    }

    private var counts: [Int] = []
    private var isWithheld: [Bool] = []
    private var sums: [Sum] = []
    /// The indices of each cell's sums.
    private var sumsOfCell: [[Int]] = []

    /// Adds cells, and returns their indices.
    mutating func add(_ more: [Int]) -> Range<Int> {
        counts += more
        return (counts.count - more.count)..<counts.count
    }

    mutating func add(_ sum: Sum) { sums.append(sum) }

    /// Decides which cells are withheld. A minimum of 1 withholds nothing.
    mutating func withhold(below minimum: Int) {
        isWithheld = counts.map { $0 > 0 && $0 < minimum }
        var waiting = isWithheld.contains(true) ? Array(sums.indices) : []
        guard !waiting.isEmpty else { return }
        sumsOfCell = counts.map { _ in [] }
        for (index, sum) in sums.enumerated() {
            for cell in sum.parts + [sum.total] { sumsOfCell[cell].append(index) }
        }
        while let index = waiting.popLast() {
            guard let cell = cellToWithhold(of: sums[index]) else { continue }
            isWithheld[cell] = true
            waiting += sumsOfCell[cell]
        }
    }

    /// The count of a cell; nil if it is withheld.
    func shown(_ cell: Int) -> Int? { isWithheld[cell] ? nil : counts[cell] }

    /// A further cell of a sum, if one of its withheld cells could be computed from the others. It is the smallest part
    /// with a count, or a zero, or the total. Also a part that alone has a count beside zeros has a zero with it,
    /// because it would be known who it is.
    private func cellToWithhold(of sum: Sum) -> Int? {
        let withheld = sum.parts.filter { isWithheld[$0] }
        let shown = sum.parts.filter { !isWithheld[$0] }
        let isTotalWithheld = isWithheld[sum.total]
        guard withheld.count + (isTotalWithheld ? 1 : 0) > 0 else { return nil }
        let isComputable = withheld.count + (isTotalWithheld ? 1 : 0) == 1
        let isAlone = withheld.count == 1 && shown.allSatisfy { counts[$0] == 0 }
        guard isComputable || isAlone else { return nil }
        let next = shown.filter { counts[$0] > 0 }.min { counts[$0] < counts[$1] } ?? shown.first
        return next ?? (isTotalWithheld ? nil : sum.total)
    }
}
