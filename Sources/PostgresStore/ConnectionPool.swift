internal import PostgresWire
internal import Synchronization

/// Connections to the database, each used by one thread at a time.
///
/// There are as many connections as threads that use the database at once: the threads of `Persistence`, the feed, the
/// publisher and the register of tokens. Each uses one at a time, so `kept` is the only bound that is needed.
final class ConnectionPool: Sendable {
    /// The maximum number of idle connections.
    private static let kept = 8

    private struct State {
        var idle: [PostgresConnection] = []
        /// The connections that reads use now.
        var reading: [ObjectIdentifier: PostgresConnection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let connect: @Sendable () throws -> PostgresConnection

    /// - Parameter connect: makes a connection, and checks the server.
    init(_ connect: @escaping @Sendable () throws -> PostgresConnection) { self.connect = connect }

    /// - Parameter isReading: whether `interruptReads` cancels the statement that runs on the connection.
    func use<Value>(isReading: Bool = false, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try take()
        if isReading { state.withLock { $0.reading[ObjectIdentifier(connection)] = connection } }
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Opens a connection that belongs to the caller and never enters the pool.
    func open() throws -> PostgresConnection { try connect() }

    /// Closes the idle connections, because another connection to the same server was lost.
    func forget() { state.withLock { $0.idle.removeAll() } }

    func interruptReads() {
        for connection in state.withLock({ Array($0.reading.values) }) { connection.cancel() }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle.removeAll()
        }
    }

    private func take() throws -> PostgresConnection {
        let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        guard !isClosed else { throw ClosedPool() }
        return try idle ?? connect()
    }

    private func giveBack(_ connection: PostgresConnection) {
        state.withLock { state in
            state.reading[ObjectIdentifier(connection)] = nil
            // A transaction that was left open ends with its connection.
            guard !connection.isLost, !connection.isInTransaction, !state.isClosed, state.idle.count < Self.kept else {
                return
            }
            state.idle.append(connection)
        }
    }
}

struct ClosedPool: Error {}
