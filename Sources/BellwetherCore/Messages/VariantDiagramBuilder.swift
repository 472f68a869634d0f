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

/// A decision diagram that gives a client's variant of something from the client's branches. It is evaluated from its
/// first recipe to its last, with one step for each recipe that makes a difference.
///
/// A poll therefore merges nothing. The result of merging for each combination of branches was computed at publish, and
/// combinations with the same result share their steps. The object is shared.
final class VariantDiagram: Sendable {
    struct Level: Sendable {
        /// The recipe's rank in a `BranchVector`.
        let rank: Int
        /// The number of the recipe's branches, plus one for clients in no branch.
        let width: Int
        /// The next node, by node and branch. In the last level it is the variant.
        let transitions: [Int32]
    }

    /// The levels, with rising ranks.
    let levels: [Level]
    let variantCount: Int

    init(levels: [Level], variantCount: Int) {
        self.levels = levels
        self.variantCount = variantCount
    }

    func variant(for branches: BranchVector) -> Int32 {
        var node = 0
        for level in levels { node = Int(level.next(node, branch: branches[level.rank])) }
        return Int32(node)
    }
}

/// Diagrams are compared by identity: two equal diagrams of different parts are different.
extension VariantDiagram: Hashable {
    static func == (left: VariantDiagram, right: VariantDiagram) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension VariantDiagram.Level {
    func next(_ node: Int, branch: Int) -> Int32 { transitions[node * width + branch] }
}

/// The variants that a client has of everything in a catalog that differs between clients. They are looked up on
/// demand, because a poll reads only a small part of a catalog.
public struct ClientVariants: Sendable {
    let branches: BranchVector

    func meets(_ requirements: [VariantRequirement]) -> Bool {
        for requirement in requirements where requirement.diagram.variant(for: branches) != requirement.variant {
            return false
        }
        return true
    }

    func variant<Variant>(of varying: Varying<Variant>) -> Variant {
        varying.variants[varying.diagram.map { Int($0.variant(for: branches)) } ?? 0]
    }
}

/// A variant that a client must have of some part, for a message to have its form.
public struct VariantRequirement: Sendable, Hashable {
    let diagram: VariantDiagram
    let variant: Int32
}

/// A part of a catalog in all its variants.
struct Varying<Variant> {
    /// The diagram that chooses the variant; nil if all clients have the same one.
    let diagram: VariantDiagram?
    let variants: [Variant]
}

extension Varying: Sendable where Variant: Sendable {}
