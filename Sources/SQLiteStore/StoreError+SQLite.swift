import BellwetherService
import GRDB

extension StoreError {
    /// The error as callers of a store know it. Statements' arguments are people's data and are not in the text.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            let text = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
            self = Self.ofContent.contains(error.resultCode) ? .rejected(text) : .unavailable(text)
        case let error as RowFault: self = .rejected(error.message)
        default: self = .unavailable("\(error)")
        }
    }

    /// Codes whose reason may be the written content, so that other writes deserve a try without it.
    private static let ofContent: [ResultCode] = [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH]
}

/// Rows that are not as this program writes them.
enum RowFault: Error {
    /// The packed state cannot be read.
    case unreadableState(ClientReference)
    /// A revision of the history was to be written again with another text.
    case revisionTaken(String, Int)
    case unreadable(String)

    var message: String {
        switch self {
        case .unreadableState(let client): "the stored state of a client of \(client.app) cannot be read"
        case .revisionTaken(let name, let revision): "revision \(revision) of \(name) exists with another text"
        case .unreadable(let what): "\(what) cannot be read"
        }
    }
}

/// A row's value, or why it cannot be read.
func readable<Value>(_ read: () throws -> Value) -> Result<Value, StoreError> {
    do { return .success(try read()) } catch { return .failure(StoreError(error)) }
}
