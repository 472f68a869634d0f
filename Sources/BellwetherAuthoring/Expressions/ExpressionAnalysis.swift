public import JEXL

/// Finds expressions that can never hold for any attributes that a client sends. It is used for warnings, so it must
/// never be wrong.
///
/// An expression that it cannot refute within its effort counts as possible. One instance is for one check of one
/// document.
public final class ExpressionAnalysis {
    /// Longer expressions are not analysed.
    static let maximumBytes = 4096
    /// For one question.
    static let maximumEffort = 2000

    private let types: (String) -> ValueTypes?
    private var effort: Int

    /// `types` returns the types that an identifier may hold beside null; nil: any. `effort` is in evaluations of small
    /// parts.
    public init(effort: Int = 50_000, types: @escaping (String) -> ValueTypes?) {
        self.effort = effort
        self.types = types
    }

    /// Whether all of these may be true and all of those false, at once and without an error.
    public func mayHold(all: [CompiledExpression], none: [CompiledExpression] = []) -> Bool {
        mayBe(all.map { ($0, .isTrue) } + none.map { ($0, .isFalse) })
    }

    /// Whether an expression is true in every context that gives it a value, and has one in some.
    public func isAlwaysTrue(_ expression: CompiledExpression) -> Bool {
        guard effort > 0, expression.source.utf8.count <= Self.maximumBytes else { return false }
        var abstraction = Abstraction(types: types)
        let whole = abstraction.part(expression.tree.root, of: expression.tree)
        let negation: Demand = whole.form.isTruth ? .isFalse : .isOtherThanTrue
        return !mayBe([(expression, negation)]) && mayBe([(expression, .isTrue)])
    }

    private func mayBe(_ demands: [(CompiledExpression, Demand)]) -> Bool {
        let bytes = demands.reduce(0) { $0 + $1.0.source.utf8.count }
        guard effort > 0, bytes <= Self.maximumBytes else { return true }
        effort -= bytes / 8
        var abstraction = Abstraction(types: types)
        let constraints = demands.flatMap { expression, demand in
            abstraction.constraints(demand, on: expression.tree.root, of: expression.tree)
        }
        let allowed = max(0, min(effort, Self.maximumEffort))
        var search = CaseSearch(abstraction, constraints, effort: allowed)
        let answer = search.mayMeetAll()
        effort -= allowed - search.effort
        return answer
    }
}
