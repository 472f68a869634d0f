/// A value of a row that one store transfers to another.
public enum TransferValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// The values that exist once in a store.
public struct TransferHeader: Sendable, Hashable {
    public let secret: [UInt8]
    /// The highest number that was given to a record of the log.
    public let newestRecord: Int64
    /// A version that no row ever had. No row had a higher one, either.
    public let versionBound: UInt64
    public let catalogRevision: UInt64
    /// The highest number that was given to a record of the audit.
    public let auditRecords: Int64

    public init(
        secret: [UInt8], newestRecord: Int64, versionBound: UInt64, catalogRevision: UInt64, auditRecords: Int64
    ) {
        (self.secret, self.newestRecord) = (secret, newestRecord)
        (self.versionBound, self.catalogRevision) = (versionBound, catalogRevision)
        self.auditRecords = auditRecords
    }
}

public typealias TransferRows = [[TransferValue]]

/// A store whose whole content is read, in one state. No daemon uses the store while this object exists.
public protocol TransferSource: AnyObject {
    var header: TransferHeader { get }

    /// Passes the rows of a table to the body, in batches, in the order in which they are to be written.
    func read(_ table: StoreTable, _ body: (TransferRows) throws -> Void) throws
}

/// An empty store that is being filled.
public protocol TransferTarget: AnyObject {
    func write(_ rows: TransferRows, to table: StoreTable) throws

    func count(_ table: StoreTable) throws -> Int
}

/// The counts of the rows that were moved.
public struct TransferReport: Sendable, Hashable {
    public let rows: [StoreTable: Int]
    /// The end of the audit's chain.
    public let audit: AuditChain

    public var count: Int { rows.values.reduce(0, +) }
}

public enum StoreTransfer {
    /// The maximum number of rows in a batch, and the maximum bytes.
    public static let maximumRows = 2000
    public static let maximumBytes = 4 << 20

    /// Copies all tables, and checks that everything has arrived: it counts each table's rows, and verifies the audit's
    /// chain.
    public static func copy(
        _ source: any TransferSource, to target: any TransferTarget, _ progress: (StoreTable, Int) -> Void
    ) throws -> TransferReport {
        var rows: [StoreTable: Int] = [:]
        var chain = AuditChain()
        for table in StoreTable.allCases {
            var count = 0
            try source.read(table) { page in
                if table == .audit { try Self.follow(page, &chain) }
                try target.write(page, to: table)
                count += page.count
                progress(table, count)
            }
            let arrived = try target.count(table)
            guard arrived == count else {
                throw StoreError.unavailable("of \(count) rows of \(table.rawValue) \(arrived) have arrived")
            }
            rows[table] = count
        }
        let written = source.header.auditRecords
        guard chain.sequence == written else { throw damaged(.cutOff(chain.sequence + 1, written: written)) }
        return TransferReport(rows: rows, audit: chain)
    }

    private static func follow(_ page: TransferRows, _ chain: inout AuditChain) throws {
        for row in page {
            guard case .integer(let sequence) = row[0], case .bytes(let text) = row[1], case .bytes(let hash) = row[2]
            else { continue }
            do throws(AuditFault) {
                try chain.follow(AuditRecord(sequence: sequence, text: text, hash: hash))
            } catch {
                throw damaged(error)
            }
        }
    }

    private static func damaged(_ fault: AuditFault) -> StoreError {
        .unusable("the audit is not whole (\(fault)), and so nothing was moved")
    }
}

extension TransferValue {
    public var byteCount: Int {
        switch self {
        case .null, .integer: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }
}

/// Collects rows, and passes them on in batches.
public struct TransferBuffer {
    private var rows: TransferRows = []
    private var bytes = 0

    public init() {}

    public mutating func add(_ row: [TransferValue], _ body: (TransferRows) throws -> Void) throws {
        rows.append(row)
        bytes += row.reduce(0) { $0 + $1.byteCount }
        guard rows.count >= StoreTransfer.maximumRows || bytes >= StoreTransfer.maximumBytes else { return }
        try flush(body)
    }

    public mutating func flush(_ body: (TransferRows) throws -> Void) throws {
        guard !rows.isEmpty else { return }
        try body(rows)
        (rows, bytes) = ([], 0)
    }
}
