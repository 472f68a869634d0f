public import BellwetherService
import SQLiteWire

/// The audit of a data directory. A daemon may write the directory at the same time. This type never changes a file.
public struct AuditArchive {
    private let database: SQLiteQueue

    /// Fails with `.unusable` and what to do about it.
    public init(directory: String) throws(StoreError) {
        database = try DatabaseFile(directory: directory).openForReading()
    }

    /// Walks the chain from its first record and returns where it ends. It reads in one transaction: records that are
    /// written meanwhile must not look like a cut-off end.
    public func verify() throws(StoreError) -> Result<AuditChain, AuditFault> {
        do {
            return try database.read { database in
                guard try database.hasTable("audit") else {
                    throw StoreError.unusable("there is no audit in it; serve it once with this version of bellwether")
                }
                return try Self.follow(AuditRows(database))
            }
        } catch {
            throw StoreError(error)
        }
    }

    static func follow(_ rows: AuditRows) throws -> Result<AuditChain, AuditFault> {
        var chain = AuditChain()
        do {
            while true {
                let page = try rows.page(AuditQuery(after: chain.sequence, limit: 1000))
                for record in page { try chain.follow(record) }
                if page.isEmpty { break }
            }
        } catch let fault as AuditFault {
            return .failure(fault)
        }
        let written = try rows.written()
        return chain.sequence == written
            ? .success(chain) : .failure(.cutOff(chain.sequence + 1, written: written))
    }
}
