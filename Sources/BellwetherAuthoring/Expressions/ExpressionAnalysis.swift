public import JEXL

/// Finds expressions that are never true for any attributes of a client. It is used for warnings, so it must never be
/// wrong.
///
/// An expression that cannot be refuted within the effort counts as possible. Each check of a document uses one
/// instance.
public final class ExpressionAnalysis {
    /// The maximum size of an analysed expression.
    static let maximumBytes = 4096
    /// The maximum effort for one query.
    static let maximumEffort = 2000

    private let types: (String) -> ValueTypes?
    private var effort: Int

    /// `types` returns the types that an identifier may have, without null; nil for any type. `effort` counts
    /// evaluations of small parts.
    public init(effort: Int = 50_000, types: @escaping (String) -> ValueTypes?) {
        self.effort = effort
        self.types = types
    }

    /// Whether all of `all` may be true and all of `none` false, at the same time and without an error.
    public func mayHold(all: [CompiledExpression], none: [CompiledExpression] = []) -> Bool {
        mayBe(all.map { ($0, .isTrue) } + none.map { ($0, .isFalse) })
    }

    /// Whether an expression is true in every context in which it has a value, and has a value in at least one.
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
