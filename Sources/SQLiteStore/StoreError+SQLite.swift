import BellwetherService
import SQLiteWire
import StoreTables

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
