/// Which form of something a client has, decided by the branches it is in: a decision diagram, walked from its first
/// recipe to its last, one step a recipe that makes a difference.
///
/// So a poll merges nothing: what merging comes to for each combination of branches was worked out at publish, and
/// combinations that come to the same share their steps.
struct FormDiagram: Sendable {
    struct Level: Sendable {
        /// The recipe's place in a `BranchVector`.
        let place: Int
        /// The number of its branches, and one for being in none.
        let width: Int
        /// The next node, by node and branch; of the last level the form.
        let transitions: [Int32]
    }

    /// Places rise.
    let levels: [Level]
    let formCount: Int

    func form(for branches: BranchVector) -> Int32 {
        var node = 0
        for level in levels { node = Int(level.next(node, branch: branches[level.place])) }
        return Int32(node)
    }
}

extension FormDiagram.Level {
    func next(_ node: Int, branch: Int) -> Int32 { transitions[node * width + branch] }

    var nodeCount: Int { transitions.count / width }
}

/// The form that a client has of everything of a catalog that differs between clients: found where it is asked for, since
/// most of a catalog is not looked at by a poll.
public struct ClientForms: Sendable {
    private let diagrams: [FormDiagram]
    private let branches: BranchVector

    init(_ diagrams: [FormDiagram], _ branches: BranchVector) {
        self.diagrams = diagrams
        self.branches = branches
    }

    func form(_ diagram: Int) -> Int32 { diagrams[diagram].form(for: branches) }

    func meets(_ requirements: [FormRequirement]) -> Bool {
        for requirement in requirements where form(requirement.diagram) != requirement.form { return false }
        return true
    }
}

/// A form that a client must have of something, for a message to be as it is.
public struct FormRequirement: Sendable, Hashable {
    let diagram: Int
    let form: Int32
}

/// Something of a catalog in all its forms.
struct Varying<Form> {
    /// Nil: all clients have the one form.
    let diagram: Int?
    let forms: [Form]
}

extension Varying: Sendable where Form: Sendable {}
