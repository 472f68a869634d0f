internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
import SQLiteWire
import StoreTables

/// The data of a data directory. A daemon may write the directory at the same time. This type never changes a file.
///
/// Each page has its own transaction: a slow reader does not hold a part of the daemon's write-ahead log.
public final class DataArchive: DataReading {
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

    public func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try reading { try $0.find(index, limit: limit) }
    }

    public func loadCatalog() throws(StoreError) -> StoredCatalog { try reading { try $0.loadCatalog() } }

    private func reading<Value>(_ read: (SQLiteConnection) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(read) } catch { throw StoreError(error) }
    }
}
