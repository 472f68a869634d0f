internal import BellwetherService
internal import PostgresWire

extension StoreError {
    /// The error as callers of a store know it.
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

    /// Whether the written content may be the reason: data, constraints, limits of the program.
    var isOfContent: Bool { ["22", "23", "54"].contains { state.hasPrefix($0) } }

    /// There is no room for what is written.
    var isOfSpace: Bool { state == "53100" }

    /// The same write may go well when it is made again: another transaction was in the way.
    var isOfConcurrency: Bool { isOfLocks || Self.ofKeys.contains(state) }

    /// Another transaction had, or wanted, the same rows or tables.
    var isOfLocks: Bool { ["40001", "40P01", "55P03"].contains(state) }

    /// A row that was not there was written meanwhile, or one that is referred to was deleted.
    private static let ofKeys: Set<String> = ["23503", "23505"]

    /// A table, function or row of the schema is there already.
    var isOfExistence: Bool { ["23505", "42P07", "42710", "42723"].contains(state) }

    /// The user may not do it.
    var isOfRights: Bool { state == "42501" }

    /// The server is not, or not any more, one that takes writes: another connection may find one.
    var isOfServer: Bool {
        if case .lost = self { return true }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
    }
}

/// A row's value, or why it cannot be read.
func readable<Value>(_ read: () throws -> Value) -> Result<Value, StoreError> {
    do { return .success(try read()) } catch { return .failure(StoreError(error)) }
}
