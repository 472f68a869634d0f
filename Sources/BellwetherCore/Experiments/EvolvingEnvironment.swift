public import JEXL

/// What targeting sees while a client's enrollments evolve, one recipe after another: each sees what became of those
/// before it.
public protocol EvolvingEnvironment: JEXLEnvironment {
    /// The same for a client that is in these branches by now.
    func with(_ branches: ClientBranches) -> Self
}
