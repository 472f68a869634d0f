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
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `text`.
    public func write(to output: inout [UInt8]) {
        guard number > 0 else { return }
        output.append(UInt8(ascii: "t"))
        Self.append(UInt64(number), to: &output)
        guard let database else { return }
        output.append(UInt8(ascii: "-"))
        Self.append(UInt64(database.magnitude), to: &output)
    }

    /// Appends a number in base 36.
    private static func append(_ number: UInt64, to output: inout [UInt8]) {
        let start = output.count
        var rest = number
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % 36)
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            rest /= 36
        } while rest > 0
        output[start...].reverse()
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
