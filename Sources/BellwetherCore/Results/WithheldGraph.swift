/// Rows and columns of a table as vertices, its withheld cells as edges. The last row and the last column are those of
/// the totals.
struct WithheldGraph {
    private let rowCount: Int
    private var edges: [(row: Int, column: Int)] = []
    /// By vertex: rows first, then columns; numbers of edges.
    private var edgesOf: [[Int]]

    init(rowCount: Int, columnCount: Int) {
        self.rowCount = rowCount + 1
        edgesOf = Array(repeating: [], count: rowCount + columnCount + 2)
    }

    mutating func add(row: Int, column: Int) {
        edgesOf[row].append(edges.count)
        edgesOf[rowCount + column].append(edges.count)
        edges.append((row, column))
    }

    /// The edges that lie on no circle: found in one walk, without recursion, for a table may have many lines (Tarjan
    /// 1974).
    var bridges: [(row: Int, column: Int)] {
        var walk = Walk(count: edgesOf.count)
        for start in edgesOf.indices where walk.entered[start] == 0 { explore(start, &walk) }
        return walk.bridges.map { edges[$0] }
    }

    private struct Walk {
        /// When each vertex was met, from 1; 0: not yet.
        var entered: [Int]
        /// The earliest vertex that is reached from it by another way.
        var earliest: [Int]
        var time = 0
        var bridges: [Int] = []

        init(count: Int) {
            entered = Array(repeating: 0, count: count)
            earliest = entered
        }

        mutating func enter(_ vertex: Int) {
            time += 1
            entered[vertex] = time
            earliest[vertex] = time
        }
    }

    private func explore(_ start: Int, _ walk: inout Walk) {
        walk.enter(start)
        // The way from the start: each vertex, the edge by which it was met, and its next edge.
        var way = [(vertex: start, edge: -1, next: 0)]
        while let place = way.last {
            guard place.next < edgesOf[place.vertex].count else {
                way.removeLast()
                guard let before = way.last?.vertex else { continue }
                walk.earliest[before] = min(walk.earliest[before], walk.earliest[place.vertex])
                if walk.earliest[place.vertex] > walk.entered[before] { walk.bridges.append(place.edge) }
                continue
            }
            way[way.count - 1].next += 1
            let edge = edgesOf[place.vertex][place.next]
            guard edge != place.edge else { continue }
            let other = self.other(end: place.vertex, of: edge)
            if walk.entered[other] == 0 {
                walk.enter(other)
                way.append((vertex: other, edge: edge, next: 0))
            } else {
                walk.earliest[place.vertex] = min(walk.earliest[place.vertex], walk.entered[other])
            }
        }
    }

    private func other(end vertex: Int, of edge: Int) -> Int {
        let (row, column) = edges[edge]
        return vertex == row ? rowCount + column : row
    }
}
