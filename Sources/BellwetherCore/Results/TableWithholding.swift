/// Which cells of a table with totals are withheld: rows are groups of people, columns are options, and the totals of
/// both are public unless they are withheld themselves.
///
/// What is withheld cannot be worked out exactly: a cell is determined by the public numbers if and only if its edge is
/// a bridge in the graph whose vertices are rows and columns and whose edges are the withheld cells (Gusfield 1988, "A
/// graph theoretic approach to statistical data security"). So cells are withheld until no bridge is left. Beside that
/// the withheld cells of each line stand for at least the minimum, as in `LineWithholding`.
struct TableWithholding {
    private let counts: [[Int]]
    private let minimum: Int
    private let rowCount: Int
    private let columnCount: Int
    private let rowTotals: [Int]
    private let columnTotals: [Int]
    /// Withheld as a whole, their totals too.
    private let rows: Set<Int>
    private let columns: Set<Int>
    private(set) var withheld: [[Bool]]

    /// `counts` by row and column, each row of one length. What is withheld as a whole was decided before, by
    /// `LineWithholding` over the totals.
    init(_ counts: [[Int]], minimum: Int, rows: Set<Int>, columns: Set<Int>) {
        self.counts = counts
        self.minimum = minimum
        self.rows = rows
        self.columns = columns
        rowCount = counts.count
        columnCount = counts.first?.count ?? 0
        rowTotals = counts.map { $0.reduce(0, +) }
        columnTotals = (0..<columnCount).map { column in counts.reduce(0) { $0 + $1[column] } }
        withheld = counts.enumerated().map { row, line in
            line.enumerated().map { column, count in
                count > 0 && (rows.contains(row) || columns.contains(column) || count < minimum)
            }
        }
        protect()
    }

    private mutating func protect() {
        while protectLines() || protectFromSubtraction() {}
    }

    /// Withholds the smallest cells of lines that hold back too few people. False: there was nothing to do.
    private mutating func protectLines() -> Bool {
        var hasChanged = false
        for row in 0..<rowCount where !rows.contains(row) {
            hasChanged = protect((0..<columnCount).map { (row, $0) }) || hasChanged
        }
        for column in 0..<columnCount where !columns.contains(column) {
            hasChanged = protect((0..<rowCount).map { ($0, column) }) || hasChanged
        }
        return hasChanged
    }

    private mutating func protect(_ line: [(row: Int, column: Int)]) -> Bool {
        var held = line.filter { withheld[$0.row][$0.column] }
        guard !held.isEmpty else { return false }
        var sum = held.reduce(0) { $0 + counts[$1.row][$1.column] }
        var hasChanged = false
        while held.count < 2 || sum < minimum, let next = cheapest(line) {
            withheld[next.row][next.column] = true
            held.append(next)
            sum += counts[next.row][next.column]
            hasChanged = true
        }
        return hasChanged
    }

    /// Puts each cell that could be worked out on a circle of withheld ones. False: there is none.
    private mutating func protectFromSubtraction() -> Bool {
        var graph = WithheldGraph(rowCount: rowCount, columnCount: columnCount)
        for row in 0..<rowCount {
            for column in 0..<columnCount where withheld[row][column] { graph.add(row: row, column: column) }
            // A withheld total is a cell of the table's last column, or row.
            if rows.contains(row), rowTotals[row] > 0 { graph.add(row: row, column: columnCount) }
        }
        for column in columns where columnTotals[column] > 0 { graph.add(row: rowCount, column: column) }
        var hasChanged = false
        for bridge in graph.bridges {
            let beside = (0..<rowCount).map { ($0, bridge.column) } + (0..<columnCount).map { (bridge.row, $0) }
            let inside = beside.filter { $0.0 < rowCount && $0.1 < columnCount }
            guard let next = cheapest(inside) ?? cheapest(all) else { continue }
            withheld[next.row][next.column] = true
            hasChanged = true
        }
        return hasChanged
    }

    private var all: [(row: Int, column: Int)] {
        (0..<rowCount).flatMap { row in (0..<columnCount).map { (row, $0) } }
    }

    /// The cell to withhold next: the smallest in which there is anybody; else an empty one in lines that are not
    /// empty, for of an empty line everybody knows.
    private func cheapest(_ cells: [(row: Int, column: Int)]) -> (row: Int, column: Int)? {
        let open = cells.filter { !withheld[$0.row][$0.column] && rowTotals[$0.row] > 0 && columnTotals[$0.column] > 0 }
        func cost(_ cell: (row: Int, column: Int)) -> Int {
            let count = counts[cell.row][cell.column]
            return count > 0 ? count : .max
        }
        return open.min { cost($0) < cost($1) }
    }
}
