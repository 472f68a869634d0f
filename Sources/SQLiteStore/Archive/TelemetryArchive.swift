internal import BellwetherBase
internal import BellwetherCore
public import BellwetherService
import GRDB

/// The logs of a data directory, read beside a daemon that is writing them, or without one. Nothing is ever changed.
///
/// Each page is a transaction of its own, so that a slow reader keeps no part of the daemon's write-ahead log.
public final class TelemetryArchive: LogArchive {
    private let database: DatabaseQueue

    /// Fails with `.unusable` and what to do about it.
    public init(directory: String) throws(StoreError) {
        database = try DatabaseFile(directory: directory).openForReading()
    }

    public func page(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        try reading { try TelemetryRows.page(query, scanning: SQLiteStoreSettings().scannedRecords, $0) }
    }

    /// Nil: nothing was ever stored of the app.
    public func bounds(of app: String) throws(StoreError) -> LogBounds? {
        try reading { database in
            guard let log = try AppLog(app, database) else { return nil }
            let ranges = try CursorRanges(database)
            return LogBounds(
                after: ranges.cursor(log.expired), newest: ranges.cursor(try log.newest(database)),
                expiredUntil: try log.expiredUntil(database))
        }
    }

    private func reading<Value>(_ read: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(read) } catch { throw StoreError(error) }
    }
}
