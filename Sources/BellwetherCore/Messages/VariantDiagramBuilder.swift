/// Makes a diagram by following all states that something can be in, recipe after recipe. States of the same bytes are
/// one.
struct VariantDiagramBuilder<State> {
    /// As many states as one thing may have: what nine experiments of two branches come to that all patch something
    /// else of one message.
    static var maximumStates: Int { 20_000 }

    private let identity: (State) -> [UInt8]
    private var states: [State]
    private var levels: [VariantDiagram.Level] = []
    private(set) var isTooLarge = false

    init(_ initial: State, identity: @escaping (State) -> [UInt8]) {
        states = [initial]
        self.identity = identity
    }

    /// A recipe that every client is in.
    mutating func always(_ apply: (State) -> State) {
        var numbers: [Int32] = []
        states = distinct(states.map(apply), &numbers)
        relabel(numbers)
    }

    /// A recipe with branches: `apply` gives the state that being in one of them leads to.
    mutating func step(rank: Int, branches: Int, _ apply: (State, _ branch: Int) -> State) {
        guard !isTooLarge else { return }
        let successors = states.flatMap { state in [state] + (0..<branches).map { apply(state, $0) } }
        var transitions: [Int32] = []
        states = distinct(successors, &transitions)
        levels.append(VariantDiagram.Level(rank: rank, width: branches + 1, transitions: transitions))
        isTooLarge = states.count > Self.maximumStates
    }

    /// The diagram of what the last states come to, and the variants: one for each that differs.
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
            // Names that no branch patches, as most, need no diagram: they have one variant.
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

    /// The last level leads to other numbers now.
    private mutating func relabel(_ numbers: [Int32]) {
        guard let last = levels.popLast() else { return }
        levels.append(
            VariantDiagram.Level(
                rank: last.rank, width: last.width, transitions: last.transitions.map { numbers[Int($0)] }))
    }

    /// From the end: nodes that lead to the same become one, and a level at which no branch makes a difference goes.
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
