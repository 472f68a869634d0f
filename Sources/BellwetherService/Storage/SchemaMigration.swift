/// A step of a change of a store's tables, for its report.
public struct MigrationStep: Sendable, Hashable {
    public enum Phase: String, Sendable {
        /// Adds what newer programs use; older programs can still run.
        case expand
        /// Removes what only older programs use.
        case contract
    }

    /// The schema version after the step.
    public let version: Int64
    public let phase: Phase
    public let title: String
    public let statements: [String]

    public init(version: Int64, phase: Phase, title: String, statements: [String]) {
        (self.version, self.phase, self.title, self.statements) = (version, phase, title, statements)
    }
}

public enum MigrationMode: Sendable {
    /// Nothing is changed; all steps are reported.
    case plan
    case expand
    /// Also removes what only older programs use.
    case contract
}

/// The steps that were done, or that are to be done.
public struct MigrationReport: Sendable, Hashable {
    /// The schema version that the store had.
    public let before: Int64
    /// The schema version that it has now.
    public let after: Int64
    public let steps: [MigrationStep]

    public init(before: Int64, after: Int64, steps: [MigrationStep]) {
        (self.before, self.after, self.steps) = (before, after, steps)
    }
}
