/// A step of a change of a store's tables, for its report.
public struct MigrationStep: Sendable, Hashable {
    public enum Phase: String, Sendable {
        /// Adds what newer programs use; older ones go on.
        case expand
        /// Takes away what only older programs use.
        case contract
    }

    /// The schema that it is a step to.
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
    /// Also what only older programs use is taken away.
    case contract
}

/// The steps that were taken, or are to be taken.
public struct MigrationReport: Sendable, Hashable {
    /// The schema that the store had.
    public let before: Int64
    /// The schema that it has now.
    public let after: Int64
    public let steps: [MigrationStep]

    public init(before: Int64, after: Int64, steps: [MigrationStep]) {
        (self.before, self.after, self.steps) = (before, after, steps)
    }
}
