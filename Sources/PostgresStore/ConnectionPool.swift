internal import PostgresWire
internal import Synchronization

/// Connections to the database, each used by one thread at a time.
///
/// There are as many as threads that ask at once: those of `Persistence`, the feed, the publisher and the register of
/// tokens, each one at a time. So no bound is needed beside `kept`.
final class ConnectionPool: Sendable {
    /// Connections that wait for their next use.
    private static let kept = 8

    private struct State {
        var idle: [PostgresConnection] = []
        /// Those that are read with.
        var reading: [ObjectIdentifier: PostgresConnection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let connect: @Sendable () throws -> PostgresConnection

    /// - Parameter connect: makes a connection, and checks the server.
    init(_ connect: @escaping @Sendable () throws -> PostgresConnection) { self.connect = connect }

    /// - Parameter isReading: `interruptReads` ends what is done with it.
    func use<Value>(isReading: Bool = false, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try take()
        if isReading { state.withLock { $0.reading[ObjectIdentifier(connection)] = connection } }
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// A connection that its user keeps.
    func open() throws -> PostgresConnection { try connect() }

    /// Closes the connections that are not in use: another one of the same server was lost.
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
