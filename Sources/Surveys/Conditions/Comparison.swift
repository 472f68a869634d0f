internal import BellwetherJSON

/// The way in which two values are compared (docs/reference/surveys.md#comparison).
public enum Comparison: Sendable, Hashable {
    /// Compares type and value. All numbers have the same type.
    case strict
    /// Compares the canonical texts.
    case text
    /// Compares numbers. A value that is no number equals no value.
    case number
    /// Compares numbers if both values are numbers, else the canonical texts.
    case automatic
    /// Compares two texts exactly, and other values as `automatic` does.
    case exactTexts
    /// Compares as `text` does. An order needs JSON numbers; a text is never a number.
    case textAndJSONNumbers

    func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch self {
        case .strict: return left.isSame(as: right)
        case .text, .textAndJSONNumbers: return left.canonicalText.hasSameBytes(as: right.canonicalText)
        case .number:
            guard let left = left.numericValue, let right = right.numericValue else { return false }
            return left == right
        case .exactTexts:
            if case (.string, .string) = (left, right) { return left == right }
            return Self.automatic.areEqual(left, right)
        case .automatic:
            if let left = left.numericValue, let right = right.numericValue { return left == right }
            return Self.text.areEqual(left, right)
        }
    }

    /// The number that an order comparison uses.
    func number(_ value: JSONValue) -> Double? {
        self == .textAndJSONNumbers ? value.double : value.numericValue
    }
}

extension JSONValue {
    /// The value; nil for null, which counts as absent.
    var present: JSONValue? { self == .null ? JSONValue?.none : self }

    /// The number, also from a text that is a number.
    package var numericValue: Double? { double ?? string.flatMap { Double(numberText: $0) } }

    /// Whether type and value are equal. 1 and 1.0 are the same number.
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { member in right[member.key].map { member.value.isSame(as: $0) } ?? false }
        default:
            if let left = double, let right = other.double { return left == right }
            return self == other
        }
    }

    /// `true`, `5`, `2.5`, a text unchanged, and arrays and objects as compact JSON with sorted keys.
    var canonicalText: String {
        switch self {
        case .string(let text): return text
        case .array, .object:
            var output: [UInt8] = []
            withWholeNumbersAsIntegers.write(sortedKeysTo: &output)
            return String(decoding: output, as: UTF8.self)
        default: return withWholeNumbersAsIntegers.text
        }
    }

    private var withWholeNumbersAsIntegers: JSONValue {
        switch self {
        case .number(let number):
            return Int64(exactly: number).map { .integer($0) } ?? self
        case .array(let values): return .array(values.map(\.withWholeNumbersAsIntegers))
        case .object(let members):
            return .object(JSONObject(members.map { ($0.key, $0.value.withWholeNumbersAsIntegers) }))
        default: return self
        }
    }
}

extension Double {
    /// Parses a text that is a number: `-5`, `2.50`, `1e3`. Spaces, a plus sign, a bare point, hexadecimal, inf and nan
    /// are refused.
    init?(numberText text: String) {
        var rest = text.utf8[...]
        func digits() -> Bool {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }
        _ = take("-")
        guard digits() else { return nil }
        if take("."), !digits() { return nil }
        if take("e") {
            if !take("-") { _ = take("+") }
            guard digits() else { return nil }
        }
        guard rest.isEmpty, let number = Double(text), number.isFinite else { return nil }
        self = number
    }
}
