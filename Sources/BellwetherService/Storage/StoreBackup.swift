public import BellwetherBase
internal import BellwetherCore

/// The beginning and the end of an app's log.
public struct LogBounds: Sendable {
    /// The log begins after this cursor.
    public let after: TelemetryCursor
    public let newest: TelemetryCursor
    /// Retention may have deleted records that were received up to this time; nil if it has deleted none.
    public let expiredUntil: Timestamp?

    public init(after: TelemetryCursor, newest: TelemetryCursor, expiredUntil: Timestamp?) {
        self.after = after
        self.newest = newest
        self.expiredUntil = expiredUntil
    }
}

public enum BackupProgress: Sendable, Hashable {
    /// The numbers are pages.
    case copying(Int, of: Int)
    case checking
}

/// The facts of a database that passed the check.
public struct BackupFacts: Sendable, Hashable {
    public let bytes: Int64
    /// The highest cursor that the database gave to a record of telemetry.
    public let cursor: TelemetryCursor
    /// The last record of its audit.
    public let audit: AuditChain
    /// The first fault of the audit; nil if it is whole.
    public let auditFault: AuditFault?
    /// The number of rows in each table; empty if they were not counted.
    public let rows: [String: Int64]

    public init(
        bytes: Int64, cursor: TelemetryCursor, audit: AuditChain, auditFault: AuditFault?, rows: [String: Int64] = [:]
    ) {
        (self.bytes, self.cursor, self.rows) = (bytes, cursor, rows)
        (self.audit, self.auditFault) = (audit, auditFault)
    }
}

/// The result of a backup: its folder, the facts of its database, and whether the secret was copied.
public struct BackupReport: Sendable {
    public let path: String
    public let facts: BackupFacts
    /// Whether the installation's secret was copied, too.
    public let hasSecret: Bool
    /// The time of a backup that a daemon made by itself.
    public let at: Timestamp?

    public init(path: String, facts: BackupFacts, hasSecret: Bool, at: Timestamp? = nil) {
        (self.path, self.facts, self.hasSecret, self.at) = (path, facts, hasSecret, at)
    }
}

/// The names of backups that a daemon makes by itself: their times in RFC 3339, without colons, which other tools take
/// for the end of a host's name.
public enum BackupName {
    public static func of(_ time: Timestamp) -> String {
        Timestamp(seconds: time.seconds).rfc3339.replacing(":", with: "")
    }

    /// Nil for any other name.
    public static func time(_ name: String) -> Timestamp? {
        guard name.utf8.count == 18 else { return nil }
        let (hours, rest) = (name.prefix(13), name.dropFirst(13))
        let time = Timestamp(rfc3339: "\(hours):\(rest.prefix(2)):\(rest.dropFirst(2))")
        return time.flatMap { of($0) == name ? $0 : nil }
    }
}

/// The backups that a daemon makes of the store that it has open.
public protocol BackupSeries: Sendable {
    /// The time of the newest backup; nil if there is none.
    func newest() throws(StoreError) -> Timestamp?

    /// Makes a backup, restores it into a temporary folder, compares the two, and opens the restored one. Only then
    /// does the backup get its final name, and only the newest few backups are kept. If a step fails, no older backup
    /// is removed.
    func add(at now: Timestamp) throws(StoreError) -> BackupReport

    /// Ends the work soon, with an error.
    func stop()
}

/// The treatment of webhooks that were waiting when the backup was made.
public enum RestoredWebhooks: Sendable {
    /// The webhooks become dead, because the lost daemon may have sent them.
    case giveUp
    /// The webhooks are sent, perhaps a second time.
    case resend
}
