public import BellwetherJSON

/// A language in which authors write conditions. All of them compile to `Condition`.
public enum ConditionDialect: String, Sendable, CaseIterable {
    /// The project's own dialect.
    case core
    /// SurveyNative's dialect.
    case showIf = "show_if"
    /// AppDNA's dialect for conditions between the fields of a form.
    case dependsOn = "depends_on"
    /// AppDNA's dialect for blocks and fields.
    case visibility
    /// AppDNA's dialect for rules from one step to the next.
    case rules
    /// AppDNA's dialect for traits.
    case audience

    /// Reads a condition. The reader's findings contain the faults. A faulty part of the condition has the value that
    /// its dialect defines.
    ///
    /// - Parameter patterns: the budget that all conditions of a document share.
    public func read(_ reader: JSONReader, _ patterns: PatternBudget = PatternBudget()) -> Condition {
        read(ConditionReader(reader, budget: ConditionReader.Budget(patterns: patterns)))
    }

    func read(_ condition: ConditionReader) -> Condition {
        switch self {
        case .core: CoreConditions.read(condition)
        case .showIf: ShowIfConditions.read(condition)
        case .dependsOn: DependsOnConditions.read(condition)
        case .visibility: VisibilityConditions.read(condition)
        case .rules: RuleConditions.read(condition)
        case .audience: AudienceConditions.read(condition)
        }
    }
}
