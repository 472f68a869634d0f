internal import BellwetherService
internal import PostgresWire
internal import StoreTables

extension StoreError {
    /// Converts an error into one that callers of a store know.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as PostgresError where error.isOfSpace: self = .unavailable("PostgreSQL's disk is full")
        case let error as PostgresError:
            self = error.isOfContent ? .rejected(error.message) : .unavailable(error.message)
        case let error as RowFault: self = .rejected(error.message)
        case is ClosedPool: self = .closed
        default: self = .unavailable("\(error)")
        }
    }
}

/// The meaning of SQLSTATE (appendix A of PostgreSQL's manual).
extension PostgresError {
    private var state: String { if case .refused(let state, _) = self { state } else { "" } }

    /// Whether the written content may be the reason of the failure: data, constraints, limits of the program.
    var isOfContent: Bool { ["22", "23", "54"].contains { state.hasPrefix($0) } }

    /// Whether the disk of the server is full.
    var isOfSpace: Bool { state == "53100" }

    /// Whether another transaction conflicted with the write. A new attempt may succeed.
    var isOfConcurrency: Bool { isOfLocks || Self.ofKeys.contains(state) }

    /// Whether another transaction held or requested locks of the same rows or tables.
    var isOfLocks: Bool { ["40001", "40P01", "55P03"].contains(state) }

    /// The states for a row that another transaction inserted meanwhile, and for a referenced row that it deleted.
    private static let ofKeys: Set<String> = ["23503", "23505"]

    /// Whether a table, function or row of the schema exists already.
    var isOfExistence: Bool { ["23505", "42P07", "42710", "42723"].contains(state) }

    /// Whether the database user lacks a permission.
    var isOfRights: Bool { state == "42501" }

    /// Whether the server was lost or accepts no writes. A new connection may reach a server that accepts them.
    var isOfServer: Bool {
        if case .lost = self { return true }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
    }
}
