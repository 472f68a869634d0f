/// A position in the telemetry log. Its text is opaque to pipelines.
///
/// Databases number their records from 1, so the number alone does not identify the log of a cursor. The identity of
/// the database that issued the number does. A copy of a database has its own identity, and knows the identity of its
/// original (docs/decisions/0045-a-cursor-names-its-database.md).
public struct TelemetryCursor: Sendable, Hashable {
    /// The number of the record before the position; 0 is the start.
    public let number: Int64
    /// The identity of the database that issued the number, above 0. Nil for a number from a database without
    /// identities, and for the start.
    public let database: Int32?

    public static let start = TelemetryCursor(number: 0, database: nil)

    public init(number: Int64, database: Int32?) {
        self.number = number
        self.database = number == 0 ? nil : database
    }

    /// `t`, the number in base 36, and after a `-` the identity in base 36. Empty at the start.
    public var text: String {
        guard number > 0 else { return "" }
        return "t" + String(number, radix: 36) + (database.map { "-" + String($0, radix: 36) } ?? "")
    }

    /// Nil if the text is not a cursor. Older daemons wrote `t0` for the start.
    public init?(text: String) {
        guard !text.isEmpty, text != "t0" else {
            self = .start
            return
        }
        let parts = text.dropFirst().split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ Int64($0, radix: 36) }), number > 0 else { return nil }
        let database = parts.count > 1 ? Int32(parts[1], radix: 36) : nil
        self.init(number: number, database: database)
        guard database ?? 1 > 0, self.text == text else { return nil }
    }
}

/// The reason why nothing can be read after a cursor.
public enum CursorFault: Sendable, Hashable {
    /// Retention has deleted records after it.
    case expired
    /// Another database issued it.
    case foreign
    /// The cursor is beyond the end of the log: records that were read are lost.
    case beyondEnd
}
