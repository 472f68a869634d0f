/// The combinations of variants of several parts that clients can have. Parts that depend on the same recipes are
/// combined together, because most combinations of their variants never occur.
struct VariantCombinations {
    /// The maximum number of states for all messages of a catalog together.
    static let maximumStates = 4_000_000

    /// The number of states that may still be used.
    private(set) var budget = VariantCombinations.maximumStates

    /// Subtracts states from the budget. Returns false if the budget is exhausted.
    mutating func spend(_ states: Int) -> Bool {
        budget -= states
        return budget > 0
    }

    /// The combinations, each with one variant per diagram, in the order of the diagrams; nil if there are too many
    /// states.
    mutating func reachable(_ diagrams: [VariantDiagram]) -> [[Int32]]? {
        var states: [[Int32]] = [Array(repeating: 0, count: diagrams.count)]
        let ranks = Set(diagrams.flatMap { $0.levels.map(\.rank) }).sorted()
        var depths = Array(repeating: 0, count: diagrams.count)
        for rank in ranks {
            let concerned = diagrams.indices.filter { index in
                let levels = diagrams[index].levels
                return depths[index] < levels.count && levels[depths[index]].rank == rank
            }
            let levels = concerned.map { diagrams[$0].levels[depths[$0]] }
            var next: [[Int32]] = []
            var known: Set<[Int32]> = []
            for state in states {
                for branch in 0..<(levels.first?.width ?? 1) {
                    var state = state
                    for (index, level) in zip(concerned, levels) {
                        state[index] = level.next(Int(state[index]), branch: branch)
                    }
                    if known.insert(state).inserted { next.append(state) }
                }
            }
            for index in concerned { depths[index] += 1 }
            states = next
            guard spend(next.count) else { return nil }
        }
        return states
    }

    /// The indices of the diagrams that are needed to distinguish the combinations. A diagram whose variant follows
    /// from the first diagram's variant is left out. A branch that contains a message usually also contains the parts
    /// that the message names.
    static func decisive(_ combinations: [[Int32]], first isDistinct: Bool) -> [[Int]] {
        guard isDistinct, let width = combinations.first?.count else {
            return combinations.map { Array($0.indices) }
        }
        var examples: [Int32: [Int32]] = [:]
        var varying: [Int32: [Bool]] = [:]
        for combination in combinations {
            let variant = combination[0]
            guard let example = examples[variant] else {
                examples[variant] = combination
                continue
            }
            for column in 1..<width where combination[column] != example[column] {
                varying[variant, default: Array(repeating: false, count: width)][column] = true
            }
        }
        return combinations.map { combination in
            let varies = varying[combination[0]] ?? []
            return [0] + varies.indices.filter { varies[$0] }
        }
    }
}
