/// A value of a row that one store transfers to another.
public enum TransferValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// A table that one store transfers to another (docs/reference/http-api.md#move). Rows name apps, clients, runs and
/// files as callers do. Numbers that a store has chosen are not transferred.
public enum TransferTable: String, CaseIterable, Sendable {
    // The order of the cases is the order of the writes: a row comes after the rows that it refers to.
    case app, client, user, event, answer, reply, small, webhook, run, currentRun, file, runFile
    case document, draft, recipe, revision, message, record
    case telemetry, range, audit

    public enum Kind: Sendable {
        case integer, text, bytes
        /// A text that is available as bytes.
        case document
    }

    public struct Column: Sendable {
        public let name: String
        public let kind: Kind

        fileprivate init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    public var columns: [Column] {
        let text = { (names: String) in names.split(separator: " ").map { Column(String($0), .text) } }
        let number = { (names: String) in names.split(separator: " ").map { Column(String($0), .integer) } }
        let bytes = { (name: String) in [Column(name, .bytes)] }
        let document = number("revision") + text("source") + [Column("text", .document)] + number("published_at")
        switch self {
        case .app: return text("name") + number("revision expired_cursor expired_until")
        case .client, .user: return text("app id") + number("version") + bytes("state")
        case .event: return text("app client") + bytes("id") + number("at")
        case .answer:
            return text("app client message id request_id") + number("option_index")
                + text("option_string_id text locale") + number("revision submitted_at") + text("experiment branch")
        case .reply:
            return text("token path name") + bytes("digest") + number("status") + bytes("body") + text("entity_tag")
                + number("at") + text("app client_id user_id run")
        case .small: return text("kind app name") + number("version") + bytes("body") + text("client_id")
        case .webhook:
            return text("id") + number("version") + text("app url host secret_name") + bytes("body")
                + text("client_id user_id") + number("created_at attempts next_attempt") + text("owner")
                + number("dead_at") + text("last_failure")
        case .run:
            return text("app id") + number("version") + text("slug user_id client_id merged_user status")
                + number("is_dev created_at updated_at submitted_at deleted_at") + bytes("body")
        case .currentRun: return text("app slug respondent") + number("version") + text("run")
        case .file: return text("app sha256 type") + bytes("content")
        case .runFile: return text("app run sha256")
        case .document, .draft: return text("app locale") + document + text("author")
        case .recipe: return text("app slug state") + number("revision in_force state_since")
        case .revision: return text("app slug") + document + text("author")
        case .message: return text("app key") + number("revision") + [Column("text", .document)]
        case .record:
            return text("app collection id") + number("last_modified") + text("slug") + number("revision paused")
        case .telemetry:
            return number("cursor") + text("app") + number("received_at at")
                + text("client_id category name extra experiment branch message")
        case .range: return number("start database")
        case .audit: return number("sequence") + [Column("text", .document)] + bytes("hash")
        }
    }
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
    func read(_ table: TransferTable, _ body: (TransferRows) throws -> Void) throws
}

/// An empty store that is being filled.
public protocol TransferTarget: AnyObject {
    func write(_ rows: TransferRows, to table: TransferTable) throws

    func count(_ table: TransferTable) throws -> Int
}

/// The counts of the rows that were moved.
public struct TransferReport: Sendable, Hashable {
    public let rows: [TransferTable: Int]
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
        _ source: any TransferSource, to target: any TransferTarget, _ progress: (TransferTable, Int) -> Void
    ) throws -> TransferReport {
        var rows: [TransferTable: Int] = [:]
        var chain = AuditChain()
        for table in TransferTable.allCases {
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
