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
