import BellwetherService
import GRDB

extension StoreError {
    /// The error as callers of a store know it. Statements' arguments are people's data and are not in the text.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            self = .unavailable("SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
        case let error as RowFault: self = .unavailable(error.message)
        default: self = .unavailable("\(error)")
        }
    }

    static let closed = StoreError.unavailable("the store is closed")

    /// Whether one submission's content may be the reason, so that the others deserve a try without it.
    static func isOfOneSubmission(_ error: any Error) -> Bool {
        if error is RowFault { return true }
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(code)
    }
}

/// Rows that are not as this program writes them.
enum RowFault: Error {
    /// The packed state cannot be read.
    case unreadableState(ClientReference)
    /// The client's row has another version than the one that was changed.
    case versionConflict(ClientReference)
    /// A revision of the history was to be written again with another text.
    case revisionTaken(String, Int)
    case unreadable(String)

    var message: String {
        switch self {
        case .unreadableState(let client): "the stored state of a client of \(client.app) cannot be read"
        case .versionConflict(let client): "a client of \(client.app) was changed by another writer"
        case .revisionTaken(let name, let revision): "revision \(revision) of \(name) exists with another text"
        case .unreadable(let what): "\(what) cannot be read"
        }
    }
}
