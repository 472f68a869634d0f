/// The reason why statements have no result. The texts come from the server or from libpq; they are for the log.
public enum PostgresError: Error, Sendable, Hashable {
    /// No connection could be made.
    case unreachable(String)
    /// The connection was lost, or no result arrived in time. The statements may have been executed or not.
    case lost(String)
    /// A statement failed, and its transaction failed with it.
    case refused(state: String, message: String)
    /// The text is not the address of a database.
    case malformed(String)

    public var message: String {
        switch self {
        case .unreachable(let text), .lost(let text), .malformed(let text): text
        case .refused(let state, let message): "PostgreSQL \(state): \(message)"
        }
    }
}
