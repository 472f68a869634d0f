internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import BellwetherService
import SQLiteWire

/// The logs of a data directory. A daemon may write the directory at the same time. This type never changes a file.
///
/// Each page has its own transaction: a slow reader does not hold a part of the daemon's write-ahead log.
public final class TelemetryArchive: LogArchive, RecordReading, Sendable {
    private let database: SQLiteQueue

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

    /// The bounds of the app's log; nil if the store never had data of the app.
    public func bounds(of app: Identifier) throws(StoreError) -> LogBounds? {
        let logs = try logs(LogQuery(app: app))
        return logs.logs.first.map { log in
            LogBounds(
                after: logs.ranges.cursor(log.expired), newest: logs.ranges.cursor(log.newest),
                expiredUntil: log.expiredUntil)
        }
    }

    private func reading<Value>(_ read: (SQLiteConnection) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(read) } catch { throw StoreError(error) }
    }
}
