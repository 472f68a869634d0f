internal import BellwetherBase
internal import BellwetherCore
public import BellwetherService
import GRDB

/// The logs of a data directory, read beside a daemon that is writing them, or without one. Nothing is ever changed.
///
/// Each page is a transaction of its own, so that a slow reader keeps no part of the daemon's write-ahead log.
public final class TelemetryArchive: LogArchive, RecordReading, Sendable {
    private let database: DatabaseQueue

    /// Fails with `.unusable` and what to do about it.
    public init(directory: String) throws(StoreError) {
        database = try DatabaseFile(directory: directory).openForReading()
    }

    public func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try reading { try LogReading($0).logs(query) }
    }

    public func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try reading { try LogReading($0).records(range) }
    }

    public func page(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage { try readTelemetry(query) }

    /// Nil: nothing was ever stored of the app.
    public func bounds(of app: String) throws(StoreError) -> LogBounds? {
        let logs = try logs(LogQuery(app: app))
        return logs.logs.first.map { log in
            LogBounds(
                after: logs.ranges.cursor(log.expired), newest: logs.ranges.cursor(log.newest),
                expiredUntil: log.expiredUntil)
        }
    }

    private func reading<Value>(_ read: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(read) } catch { throw StoreError(error) }
    }
}
