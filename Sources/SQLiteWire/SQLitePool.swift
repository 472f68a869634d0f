internal import CSQLite
internal import Dispatch

/// A database file in write-ahead mode: one connection that writes, and some that read beside it. Any thread may use
/// the pool; each connection serves one at a time. A body must not use the pool that called it.
public final class SQLitePool: @unchecked Sendable {
    private let path: String
    private let busyMilliseconds: Int32
    private let writer: SQLiteConnection
    /// The turns of writers. Work that a caller does not wait for runs below the threads that serve requests.
    private let writing: DispatchQueue
    /// The free turns of readers.
    private let reading: DispatchSemaphore
    private let readerBound: Int
    /// Guards `readers`, `idle` and the closing of connections.
    private let lock = DispatchQueue(label: "bellwether.store.readers")
    private var readers: [SQLiteConnection] = []
    private var idle: [SQLiteConnection] = []

    /// Opens the writer, and sets the file's write-ahead mode. Readers are opened when they are needed.
    public init(path: String, readers: Int = 4, busyMilliseconds: Int32 = 5000) throws {
        (self.path, self.busyMilliseconds, readerBound) = (path, busyMilliseconds, readers)
        writer = try SQLiteConnection(path: path, busyMilliseconds: busyMilliseconds)
        _ = try writer.text("PRAGMA journal_mode = WAL")
        writing = DispatchQueue(label: "bellwether.store.writer", qos: .utility)
        reading = DispatchSemaphore(value: readers)
    }

    /// Makes a database in memory, empty or as another one: the writer is its only connection, and also reads.
    public init(inMemoryCopying other: SQLitePool?) throws {
        (path, busyMilliseconds, readerBound) = (":memory:", 0, 0)
        let writer = try SQLiteConnection(path: path)
        try other?.useWriter { try $0.copy(to: writer, pagesPerStep: -1) { _, _ in } }
        self.writer = writer
        writing = DispatchQueue(label: "bellwether.store.memory")
        reading = DispatchSemaphore(value: 0)
    }

    /// Reads the database as it is at the body's first statement.
    public func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        guard readerBound > 0 else {
            return try useWriter { writer in try writer.transaction(.deferred) { try body(writer) } }
        }
        reading.wait()
        defer { reading.signal() }
        let reader = try takeReader()
        defer { release(reader) }
        return try reader.transaction(.deferred) { try body(reader) }
    }

    /// Writes in one transaction.
    public func write<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try writing.sync { try writer.transaction { try body(writer) } }
    }

    /// Uses the writer without a transaction.
    public func useWriter<Value>(_ body: (SQLiteConnection) throws -> Value) rethrows -> Value {
        try writing.sync { try body(writer) }
    }

    /// As `useWriter`, later and without waiting.
    public func useWriterLater(_ body: @escaping @Sendable (SQLiteConnection) -> Void) {
        writing.async { [self] in body(writer) }
    }

    /// Ends all that is under way with the error `interrupted`.
    public func interrupt() {
        lock.sync {
            writer.interrupt()
            for reader in readers { reader.interrupt() }
        }
    }

    /// Waits for what is under way, and closes all connections. Later uses fail.
    public func close() {
        for _ in 0..<readerBound { reading.wait() }
        defer { for _ in 0..<readerBound { reading.signal() } }
        writing.sync { lock.sync { for connection in readers + [writer] { connection.close() } } }
    }

    /// A reader that could not roll back its transaction would show an old state for ever: it is closed.
    private func release(_ reader: SQLiteConnection) {
        lock.sync {
            guard reader.isInTransaction else { return idle.append(reader) }
            reader.close()
            readers.removeAll { $0 === reader }
        }
    }

    private func takeReader() throws -> SQLiteConnection {
        try lock.sync {
            guard writer.isOpen else { throw writer.failure(SQLITE_MISUSE, nil) }
            if let reader = idle.popLast() { return reader }
            let reader = try SQLiteConnection(path: path, .readingOnly, busyMilliseconds: busyMilliseconds)
            readers.append(reader)
            return reader
        }
    }
}

/// One connection that several threads use in turn.
public final class SQLiteQueue: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let queue: DispatchQueue

    public init(
        path: String, _ access: SQLiteConnection.Access = .writing, busyMilliseconds: Int32 = 5000,
        label: String = "bellwether.sqlite"
    ) throws {
        connection = try SQLiteConnection(path: path, access, busyMilliseconds: busyMilliseconds)
        queue = DispatchQueue(label: label)
    }

    /// Reads the database as it is at the body's first statement.
    public func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try queue.sync { try connection.transaction(.deferred) { try body(connection) } }
    }

    /// Uses the connection without a transaction.
    public func use<Value>(_ body: (SQLiteConnection) throws -> Value) rethrows -> Value {
        try queue.sync { try body(connection) }
    }

    public func close() { queue.sync { connection.close() } }
}
