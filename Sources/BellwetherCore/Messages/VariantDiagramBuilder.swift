/// Builds a diagram from all states that a part can have, recipe after recipe. States with the same bytes are merged.
struct VariantDiagramBuilder<State> {
    /// The maximum number of states of one part. It permits nine experiments with two branches that each patch
    /// something else in one message.
    static var maximumStates: Int { 20_000 }

    private let identity: (State) -> [UInt8]
    private var states: [State]
    private var levels: [VariantDiagram.Level] = []
    private(set) var isTooLarge = false

    init(_ initial: State, identity: @escaping (State) -> [UInt8]) {
        states = [initial]
        self.identity = identity
    }

    /// Applies a recipe that every client is in.
    mutating func always(_ apply: (State) -> State) {
        var numbers: [Int32] = []
        states = distinct(states.map(apply), &numbers)
        relabel(numbers)
    }

    /// Applies a recipe with branches. `apply` returns the state after one of its branches.
    mutating func step(rank: Int, branches: Int, _ apply: (State, _ branch: Int) -> State) {
        guard !isTooLarge else { return }
        let successors = states.flatMap { state in [state] + (0..<branches).map { apply(state, $0) } }
        var transitions: [Int32] = []
        states = distinct(successors, &transitions)
        levels.append(VariantDiagram.Level(rank: rank, width: branches + 1, transitions: transitions))
        isTooLarge = states.count > Self.maximumStates
    }

    /// Returns the diagram from the last states, and the distinct variants.
    func finish<Variant>(
        identity: (Variant) -> [UInt8], _ variant: (State) -> Variant
    ) -> (diagram: VariantDiagram, variants: [Variant]) {
        var numbers: [Int32] = []
        let variants = Self.distinct(states.map(variant), &numbers, identity)
        var builder = self
        builder.relabel(numbers)
        return (VariantDiagram(levels: Self.reduced(builder.levels), variantCount: variants.count), variants)
    }

    private func distinct(_ states: [State], _ numbers: inout [Int32]) -> [State] {
        Self.distinct(states, &numbers, identity)
    }

    private static func distinct<Item, Identity: Hashable>(
        _ items: [Item], _ numbers: inout [Int32], _ identity: (Item) -> Identity
    ) -> [Item] {
        guard items.count > 1 else {
            // Most names are patched by no branch. They have one variant and need no diagram.
            numbers += items.map { _ in 0 }
            return items
        }
        var known: [Identity: Int32] = [:]
        var distinct: [Item] = []
        for item in items {
            let identity = identity(item)
            if let number = known[identity] {
                numbers.append(number)
            } else {
                known[identity] = Int32(distinct.count)
                numbers.append(Int32(distinct.count))
                distinct.append(item)
            }
        }
        return distinct
    }

    /// Replaces the numbers to which the last level leads.
    private mutating func relabel(_ numbers: [Int32]) {
        guard let last = levels.popLast() else { return }
        levels.append(
            VariantDiagram.Level(
                rank: last.rank, width: last.width, transitions: last.transitions.map { numbers[Int($0)] }))
    }

    /// Reduces the levels from the last to the first. Nodes that lead to the same result are merged, and a level at
    /// which no branch makes a difference is removed.
    private static func reduced(_ levels: [VariantDiagram.Level]) -> [VariantDiagram.Level] {
        var result: [VariantDiagram.Level] = []
        var renamed: [Int32]?
        for level in levels.reversed() {
            let transitions = renamed.map { names in level.transitions.map { names[Int($0)] } } ?? level.transitions
            let rows = stride(from: 0, to: transitions.count, by: level.width).map {
                Array(transitions[$0..<$0 + level.width])
            }
            if rows.allSatisfy({ row in row.allSatisfy { $0 == row[0] } }) {
                renamed = rows.map { $0[0] }
                continue
            }
            var numbers: [Int32] = []
            let distinct = distinct(rows, &numbers) { $0 }
            renamed = numbers
            result.append(
                VariantDiagram.Level(rank: level.rank, width: level.width, transitions: distinct.flatMap(\.self)))
        }
        return result.reversed()
    }
}
