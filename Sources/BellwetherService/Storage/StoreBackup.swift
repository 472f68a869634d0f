public import BellwetherBase
internal import BellwetherCore

/// Where the log of an app begins and ends.
public struct LogBounds: Sendable {
    /// Exclusive.
    public let after: TelemetryCursor
    public let newest: TelemetryCursor
    /// Retention may have deleted records that were received up to this time; nil: it has deleted none.
    public let expiredUntil: Timestamp?

    public init(after: TelemetryCursor, newest: TelemetryCursor, expiredUntil: Timestamp?) {
        self.after = after
        self.newest = newest
        self.expiredUntil = expiredUntil
    }
}

public enum BackupProgress: Sendable, Hashable {
    /// In pages.
    case copying(Int, of: Int)
    case checking
}

/// The facts of a database that passed the check.
public struct BackupFacts: Sendable, Hashable {
    public let bytes: Int64
    /// The highest cursor that it gave to a record of telemetry.
    public let cursor: TelemetryCursor
    /// How many records its audit has, and the hash of the last; see `AuditChain`.
    public let auditRecords: Int64
    public let auditHash: [UInt8]

    public init(bytes: Int64, cursor: TelemetryCursor, auditRecords: Int64, auditHash: [UInt8]) {
        self.bytes = bytes
        self.cursor = cursor
        self.auditRecords = auditRecords
        self.auditHash = auditHash
    }
}

/// The files that were copied, and the folder of the backup.
public struct BackupReport: Sendable {
    public let path: String
    public let facts: BackupFacts
    /// Whether the installation's secret was copied, too.
    public let hasSecret: Bool

    public init(path: String, facts: BackupFacts, hasSecret: Bool) {
        self.path = path
        self.facts = facts
        self.hasSecret = hasSecret
    }
}

/// The treatment of webhooks that were waiting when the backup was made.
public enum RestoredWebhooks: Sendable {
    /// They are dead: the lost daemon may have sent them.
    case giveUp
    /// They are sent, perhaps once more.
    case resend
}
