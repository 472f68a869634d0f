internal import CPostgres
internal import Dispatch
internal import Glibc

/// One connection to a PostgreSQL server. It sends a batch of statements as a whole, and waits for all results until a
/// deadline.
///
/// The socket is non-blocking: the calling thread waits with poll(2)
/// (docs/decisions/archive/0101-a-connection-to-postgresql-waits-on-the-callers-thread.md). One thread at a time
/// uses the connection; other threads may call `cancel` only.
public final class PostgresConnection: @unchecked Sendable {
    private let connection: OpaquePointer
    private let cancellation: OpaquePointer?

    /// Whether the connection was lost. A lost connection sends no more statements.
    public private(set) var isLost = false

    /// A number that the user of the connection stores in it.
    public var mark: Int64 = 0

    public var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

    /// Connects, and blocks until the connection is made or has failed. Each host of the address gets `connectSeconds`.
    ///
    /// - Parameter defaults: parameters that the address may replace.
    public init(
        _ address: PostgresAddress, connectSeconds: Int = 2, defaults: [String: String] = [:]
    ) throws(PostgresError) {
        var pairs = [("connect_timeout", "\(connectSeconds)"), ("client_encoding", "UTF8")]
        pairs += defaults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        pairs.append(("dbname", address.uri))
        let connection = Self.withCStrings(pairs.map(\.0)) { keywords in
            Self.withCStrings(pairs.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let connection else { throw .unreachable("there is no memory for a connection") }
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0,
            PQenterPipelineMode(connection) == 1
        else {
            let message = Self.message(connection)
            PQfinish(connection)
            throw .unreachable(message)
        }
        self.connection = connection
        cancellation = PQgetCancel(connection)
    }

    deinit {
        if let cancellation { PQfreeCancel(cancellation) }
        PQfinish(connection)
    }

    /// Sends statements, and waits for all results. Statements that begin no transaction form one implicit transaction.
    ///
    /// If a statement fails, the server skips the later ones, and the transaction is rolled back.
    public func run(_ statements: [PostgresStatement], seconds: Double) throws(PostgresError) -> [PostgresRows] {
        guard !isLost else { throw .lost("the connection was lost") }
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
        for statement in statements { try send(statement) }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        let (rows, failure) = try receive(statements.count, until: deadline)
        guard let failure else { return rows }
        if isInTransaction {
            try send(PostgresStatement("ROLLBACK"))
            guard PQpipelineSync(connection) == 1 else { throw lost() }
            if try receive(1, until: deadline).failure != nil { throw lost() }
        }
        throw failure
    }

    /// Cancels the statement in progress, which then fails. Any thread may call this while the connection exists.
    public func cancel() {
        guard let cancellation else { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = message.withUnsafeMutableBufferPointer { PQcancel(cancellation, $0.baseAddress, Int32($0.count)) }
    }

    /// Waits for a notification. Returns false if none arrived in time.
    public func waitForNotification(seconds: Double) throws(PostgresError) -> Bool {
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
        while true {
            guard !isLost, PQconsumeInput(connection) == 1 else { throw lost() }
            if let notification = PQnotifies(connection) {
                PQfreemem(notification)
                return true
            }
            guard try wait(forWriting: false, until: deadline) else { return false }
        }
    }
}

extension PostgresConnection {
    private func send(_ statement: PostgresStatement) throws(PostgresError) {
        let encoded = statement.values.map(\.encoded)
        let lengths = encoded.map { Int32(clamping: $0?.count ?? 0) }
        let types = statement.values.map(\.type)
        let formats = [Int32](repeating: 1, count: encoded.count)
        let isSent = Self.withPointers(to: encoded) { values in
            PQsendQueryParams(
                connection, statement.sql, Int32(encoded.count), types, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
    }

    /// Reads the results up to the synchronisation point that follows them.
    private func receive(
        _ count: Int, until deadline: UInt64
    ) throws(PostgresError) -> (rows: [PostgresRows], failure: PostgresError?) {
        var rows: [PostgresRows] = []
        rows.reserveCapacity(count)
        var failure: PostgresError?
        while true {
            guard let result = try next(until: deadline) else {
                guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                guard failure != nil || rows.count == count else { throw lost() }
                return (rows, failure)
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows.append(PostgresRows(result))
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                failure = failure ?? Self.failure(result)
                PQclear(result)
                if PQstatus(connection) != CONNECTION_OK { throw lost() }
            }
        }
    }

    /// The next result. A nil separates the results of two statements.
    private func next(until deadline: UInt64) throws(PostgresError) -> OpaquePointer? {
        var isFlushed = false
        while true {
            if !isFlushed {
                let left = PQflush(connection)
                guard left >= 0 else { throw lost() }
                isFlushed = left == 0
            }
            if isFlushed, PQisBusy(connection) == 0 { return PQgetResult(connection) }
            guard try wait(forWriting: !isFlushed, until: deadline) else {
                throw lost("no answer came in time")
            }
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    /// Returns false if the socket did not become ready before the deadline.
    private func wait(forWriting: Bool, until deadline: UInt64) throws(PostgresError) -> Bool {
        while true {
            let now = DispatchTime.now().uptimeNanoseconds
            guard now < deadline else { return false }
            let events = Int16(POLLIN) | (forWriting ? Int16(POLLOUT) : 0)
            var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
            let milliseconds = Int32(clamping: (deadline - now) / 1_000_000 + 1)
            let count = poll(&descriptor, 1, milliseconds)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { throw lost("poll: \(errno)") }
        }
    }

    private func lost(_ reason: String? = nil) -> PostgresError {
        isLost = true
        let message = Self.message(connection)
        return .lost(reason ?? (message.isEmpty ? "the connection was lost" : message))
    }

    private static func failure(_ result: OpaquePointer) -> PostgresError {
        let field = { (code: Character) in
            PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
        }
        // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY. The detail is left out: it may contain people's data from rows.
        return .refused(state: field("C"), message: field("M"))
    }

    private static func message(_ connection: OpaquePointer) -> String {
        guard let text = PQerrorMessage(connection) else { return "" }
        let lines = String(cString: text).split(whereSeparator: \.isNewline)
        return lines.joined(separator: "; ")
    }
}

/// Arrays of pointers, in the form that libpq expects.
extension PostgresConnection {
    private typealias Pointers = UnsafePointer<UnsafePointer<CChar>?>?

    private static func withPointers<Result>(to values: [[UInt8]?], _ body: (Pointers) -> Result) -> Result {
        var all: [UInt8] = []
        all.reserveCapacity(values.reduce(0) { $0 + ($1?.count ?? 0) } + 1)
        var offsets: [Int?] = []
        for value in values {
            offsets.append(value.map { _ in all.count })
            if let value { all += value }
        }
        // One more byte, so that an empty value has an address.
        all.append(0)
        return all.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }

    /// Passes the texts as C strings; a nil pointer follows the last one.
    private static func withCStrings<Result>(_ texts: [String], _ body: (Pointers) -> Result) -> Result {
        withPointers(to: texts.map { Array($0.utf8) + [0] } + [nil], body)
    }
}
