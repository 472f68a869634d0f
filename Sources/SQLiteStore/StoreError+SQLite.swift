import BellwetherService
import SQLiteWire

extension StoreError {
    /// The error in the form that callers of a store expect. Its text leaves out statements' arguments, which are
    /// personal data.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError:
            let text = "SQLite \(error.code): \(error.message)"
            self = Self.ofContent.contains(error.primary) ? .rejected(text) : .unavailable(text)
        case let error as RowFault: self = .rejected(error.message)
        default: self = .unavailable("\(error)")
        }
    }

    /// Codes that the written content may cause. Other writes may succeed without it.
    private static let ofContent: [SQLiteError.Primary?] = [.constraint, .tooBig, .mismatch]
}

/// A row in a form that this program does not write.
enum RowFault: Error {
    /// The packed state cannot be read.
    case unreadableState(ClientReference)
    /// A write would replace a revision of the history with another text.
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

/// A row's value, or the reason why it cannot be read.
func readable<Value>(_ read: () throws -> Value) -> Result<Value, StoreError> {
    do { return .success(try read()) } catch { return .failure(StoreError(error)) }
}
