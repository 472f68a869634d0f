/// Which form of something a client has, decided by the branches it is in: a decision diagram, walked from its first
/// recipe to its last, one step a recipe that makes a difference.
///
/// So a poll merges nothing: what merging comes to for each combination of branches was worked out at publish, and
/// combinations that come to the same share their steps. One object for all who ask it.
final class FormDiagram: Sendable {
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

    init(levels: [Level], formCount: Int) {
        self.levels = levels
        self.formCount = formCount
    }

    func form(for branches: BranchVector) -> Int32 {
        var node = 0
        for level in levels { node = Int(level.next(node, branch: branches[level.place])) }
        return Int32(node)
    }
}

/// Two things that differ alike have a diagram each.
extension FormDiagram: Hashable {
    static func == (left: FormDiagram, right: FormDiagram) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FormDiagram.Level {
    func next(_ node: Int, branch: Int) -> Int32 { transitions[node * width + branch] }
}

/// The form that a client has of everything of a catalog that differs between clients: found where it is asked for,
/// since most of a catalog is not looked at by a poll.
public struct ClientForms: Sendable {
    let branches: BranchVector

    func meets(_ requirements: [FormRequirement]) -> Bool {
        for requirement in requirements where requirement.diagram.form(for: branches) != requirement.form {
            return false
        }
        return true
    }

    func form<Form>(of varying: Varying<Form>) -> Form {
        varying.forms[varying.diagram.map { Int($0.form(for: branches)) } ?? 0]
    }
}

/// A form that a client must have of something, for a message to be as it is.
public struct FormRequirement: Sendable, Hashable {
    let diagram: FormDiagram
    let form: Int32
}

/// Something of a catalog in all its forms.
struct Varying<Form> {
    /// Nil: all clients have the one form.
    let diagram: FormDiagram?
    let forms: [Form]
}

extension Varying: Sendable where Form: Sendable {}
