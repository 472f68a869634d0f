/// Which variant of something a client has, decided by the branches it is in: a decision diagram, walked from its first
/// recipe to its last, one step a recipe that makes a difference.
///
/// So a poll merges nothing: what merging comes to for each combination of branches was worked out at publish, and
/// combinations that come to the same share their steps. One object for all who ask it.
final class VariantDiagram: Sendable {
    struct Level: Sendable {
        /// The recipe's rank in a `BranchVector`.
        let rank: Int
        /// The number of its branches, and one for being in none.
        let width: Int
        /// The next node, by node and branch; of the last level the variant.
        let transitions: [Int32]
    }

    /// Ranks rise.
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

/// Two things that differ alike have a diagram each.
extension VariantDiagram: Hashable {
    static func == (left: VariantDiagram, right: VariantDiagram) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension VariantDiagram.Level {
    func next(_ node: Int, branch: Int) -> Int32 { transitions[node * width + branch] }
}

/// The variant that a client has of everything of a catalog that differs between clients: found where it is asked for,
/// since most of a catalog is not looked at by a poll.
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

/// A variant that a client must have of something, for a message to be as it is.
public struct VariantRequirement: Sendable, Hashable {
    let diagram: VariantDiagram
    let variant: Int32
}

/// Something of a catalog in all its variants.
struct Varying<Variant> {
    /// Nil: all clients have the one variant.
    let diagram: VariantDiagram?
    let variants: [Variant]
}

extension Varying: Sendable where Variant: Sendable {}
