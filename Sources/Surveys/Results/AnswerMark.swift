public import BellwetherJSON

/// The mark by which results count one answer. A text that a respondent writes is never a mark
/// (docs/reference/surveys.md#distributions).
public enum AnswerMark: Sendable, Hashable {
    /// The answer is complete.
    case answered
    case option(Identifier)
    /// A number in the form of `ResultBin.number`, or a year.
    case number(String)
    /// `YYYY-MM` of a date.
    case month(String)
    /// `HH` of a time.
    case hour(String)
    /// The option of a table's row.
    case row(Identifier, option: Identifier)
    /// The labels of the chosen set.
    case unit(Identifier)
    /// A number under a label.
    case amount(Identifier, number: String)

    public var text: String {
        switch self {
        case .answered: "a"
        case .option(let id): "o\(id)"
        case .number(let bin): "n" + bin
        case .month(let month): "d" + month
        case .hour(let hour): "h" + hour
        case .row(let row, let option): "r\(row.utf8.count):\(row)\(option)"
        case .unit(let labels): "u\(labels)"
        case .amount(let label, let number): "v\(label.utf8.count):\(label)\(number)"
        }
    }

    /// Reads a mark; nil for a text that no version of the daemon has written.
    public init?(_ text: String) {
        guard let first = text.utf8.first else { return nil }
        let rest = String(text.dropFirst())
        switch first {
        case UInt8(ascii: "a") where rest.isEmpty: self = .answered
        case UInt8(ascii: "o"): self = .option(Identifier(rest))
        case UInt8(ascii: "n"): self = .number(rest)
        case UInt8(ascii: "d"): self = .month(rest)
        case UInt8(ascii: "h"): self = .hour(rest)
        case UInt8(ascii: "u"): self = .unit(Identifier(rest))
        case UInt8(ascii: "r"):
            guard let (row, option) = Self.split(rest) else { return nil }
            self = .row(row, option: Identifier(option))
        case UInt8(ascii: "v"):
            guard let (label, number) = Self.split(rest) else { return nil }
            self = .amount(label, number: number)
        default: return nil
        }
    }

    /// Splits `LENGTH:TEXTREST`. The length is in bytes.
    private static func split(_ text: String) -> (Identifier, String)? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let count = Int(text[..<colon]), count >= 0
        else { return nil }
        let bytes = Array(text.utf8[text.utf8.index(after: colon)...])
        guard count <= bytes.count else { return nil }
        return (
            Identifier(String(decoding: bytes[..<count], as: UTF8.self)),
            String(decoding: bytes[count...], as: UTF8.self)
        )
    }

    /// The bin of a number; nil if the value is no number.
    static func number(_ value: JSONValue?) -> String? {
        let number = value?.double ?? value?.string.flatMap { Double($0) }
        return number.flatMap { $0.isFinite ? ResultBin.number($0) : nil }
    }

    static func month(_ value: JSONValue) -> String? {
        value.string.flatMap { text in
            CalendarDay(String(text.prefix(10))).map { String($0.text.prefix(7)) }
        }
    }
}

/// The groups of values that results count together, so that their number is limited. A bin is named by its lower end.
public enum ResultBin {
    /// The bin of a number. Whole and half numbers up to 200 have their own bins. Other numbers are truncated to two
    /// digits.
    public static func number(_ number: Double) -> String {
        let magnitude = min(number.magnitude, 1e15)
        let sign = number < 0 ? "-" : ""
        if magnitude <= 200, (magnitude * 2).rounded() == magnitude * 2 {
            let whole = Int64(magnitude)
            return (magnitude == 0 ? "" : sign) + (magnitude == Double(whole) ? "\(whole)" : "\(whole).5")
        }
        var (scaled, exponent) = (magnitude, 0)
        while scaled >= 100 { (scaled, exponent) = (scaled / 10, exponent + 1) }
        while scaled < 10, exponent > -6 { (scaled, exponent) = (scaled * 10, exponent - 1) }
        // The rounding error of binary arithmetic is removed: 2.3 is 23 tenths.
        let digits = Int64(scaled + 1e-9)
        if digits == 0 { return "0" }
        if exponent >= 0 { return sign + "\(digits)" + String(repeating: "0", count: exponent) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - "\(digits)".count)) + "\(digits)"
        var (whole, fraction) = (padded.dropLast(-exponent), padded.suffix(-exponent))
        while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
        if whole.isEmpty { whole = "0" }
        return sign + (fraction.isEmpty ? String(whole) : whole + "." + fraction)
    }

    /// The bin of a number of seconds. Up to 15 seconds each has its own bin. Above that there are eight bins per
    /// octave.
    public static func seconds(_ seconds: Int64) -> Int64 {
        guard seconds >= 16 else { return max(0, seconds) }
        let shift = Int64(60 - seconds.leadingZeroBitCount)
        return (seconds >> shift) << shift
    }

    /// The middle of a bin of seconds. It differs by at most 6.25 % from each time in the bin.
    public static func middle(ofSeconds low: Int64) -> Int64 {
        guard low >= 16 else { return low }
        return low + (1 << Int64(60 - low.leadingZeroBitCount)) / 2
    }
}
