public import BellwetherJSON

/// A language in which authors write conditions. All of them compile to `Condition`.
public enum ConditionDialect: String, Sendable, CaseIterable {
    /// The project's own.
    case core
    /// SurveyNative's.
    case showIf = "show_if"
    /// AppDNA's, between the fields of a form.
    case dependsOn = "depends_on"
    /// AppDNA's, of blocks and fields.
    case visibility
    /// AppDNA's, from one step to the next.
    case rules
    /// AppDNA's, of traits.
    case audience

    /// Reads a condition. Faults are in the reader's findings; the condition says what the dialect makes of them when
    /// it is evaluated all the same.
    ///
    /// - Parameter patterns: what those of the document's conditions may take that are read one after another.
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
