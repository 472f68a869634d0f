import BellwetherJSON
internal import JEXL

/// Searches for a case that meets all constraints.
///
/// If the effort is used up, the search reports that such a case may exist: only the result "no" is certain.
struct CaseSearch {
    private let tree: Tree
    private let constraints: [Constraint]
    private var cases: [Int: [Unknown.Case]] = [:]
    private(set) var effort: Int

    /// Constraints with an unknown that has too many cases are omitted, which can only make the other constraints
    /// easier to meet.
    init(_ abstraction: Abstraction, _ constraints: [Constraint], effort: Int) {
        tree = Tree(abstraction.builder, root: 0)
        self.effort = effort
        var cases: [Int: [Unknown.Case]] = [:]
        for (index, unknown) in abstraction.unknowns.enumerated() { cases[index] = unknown.cases() }
        self.constraints = constraints.filter { $0.unknowns.allSatisfy { cases[$0] != nil } }
        self.cases = cases
    }

    mutating func mayMeetAll() -> Bool {
        for constraint in constraints where constraint.unknowns.isEmpty {
            if !isMet(constraint, [:]) { return false }
        }
        // The first step handles constraints on a single unknown.
        for (unknown, own) in cases {
            let alone = constraints.filter { $0.unknowns == [unknown] }
            let left = alone.isEmpty ? own : own.filter { isCase in alone.allSatisfy { isMet($0, isCase) } }
            if left.isEmpty { return false }
            cases[unknown] = left
        }
        // The second step handles constraints on several unknowns.
        var open = constraints.filter { $0.unknowns.count > 1 }
        while let next = open.first {
            var unknowns = next.unknowns
            while let other = open.first(where: {
                !$0.unknowns.isDisjoint(with: unknowns) && !$0.unknowns.isSubset(of: unknowns)
            }) {
                unknowns.formUnion(other.unknowns)
            }
            let together = open.filter { $0.unknowns.isSubset(of: unknowns) }
            open.removeAll { $0.unknowns.isSubset(of: unknowns) }
            if !search(together, unknowns.sorted(), 0, [:], []) { return false }
        }
        return true
    }

    /// Assigns each case to one unknown after another, as long as no constraint is violated.
    private mutating func search(
        _ constraints: [Constraint], _ unknowns: [Int], _ depth: Int, _ given: Unknown.Case, _ known: Set<Int>
    ) -> Bool {
        guard depth < unknowns.count else { return true }
        let known = known.union([unknowns[depth]])
        let due = constraints.filter { $0.unknowns.isSubset(of: known) && $0.unknowns.contains(unknowns[depth]) }
        for isCase in cases[unknowns[depth]] ?? [] {
            let given = given.merging(isCase) { $1 }
            if due.allSatisfy({ isMet($0, given) }), search(constraints, unknowns, depth + 1, given, known) {
                return true
            }
            if effort <= 0 { return true }
        }
        return false
    }

    private mutating func isMet(_ constraint: Constraint, _ given: Unknown.Case) -> Bool {
        effort -= constraint.weight
        guard effort > 0 else { return true }
        var budget = Budget(.standard)
        do throws(Fault) {
            return constraint.demand.isMet(by: try tree.value(of: constraint.part, in: Given(values: given), &budget))
        } catch {
            return error.isOutOfSteps || constraint.demand.isMet(by: nil)
        }
    }
}

/// An environment with the values of one case, and no other values.
private struct Given: JEXLEnvironment {
    let values: Unknown.Case

    func value(of identifier: String) -> JSONValue? { values[identifier] }
    /// An abstraction has no event queries.
    func result(of query: EventQuery) -> Double { 0 }
    /// An abstraction has no samples.
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
