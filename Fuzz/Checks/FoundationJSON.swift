public import BellwetherJSON
internal import Foundation

/// Foundation's parse of a text as a `JSONValue`, to compare with BellwetherJSON.
public enum FoundationJSON {
    public static func parse(_ bytes: [UInt8]) throws -> JSONValue {
        convert(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Whether Foundation reads these bytes as UTF-8, as BellwetherJSON does. Foundation guesses encodings by NUL and
    /// by byte order marks, and removes U+FEFF from texts.
    public static func isComparable(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && bytes.firstRange(of: [0xEF, 0xBB, 0xBF]) == nil && !bytes.starts(with: [0xFE, 0xFF])
            && !bytes.starts(with: [0xFF, 0xFE])
    }

    /// Whether the byte is a trailing comma of an array or an object, which Foundation ignores.
    public static func forgives(_ bytes: [UInt8], at offset: Int) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ",") else { return false }
        let next = bytes[(offset + 1)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
    }

    /// Whether Foundation's value equals the value of BellwetherJSON. Foundation does not distinguish integers from
    /// floats, loses the order of keys, and rounds some decimals wrongly in the last place. It also treats canonically
    /// equivalent keys as one key: such objects are not compared.
    public static func agrees(_ theirs: JSONValue, _ ours: JSONValue) -> Bool {
        switch (theirs, ours) {
        case (.number(let float), .integer), (.number(let float), .unsigned), (.number(let float), .number):
            guard let own = ours.double else { return false }
            return abs(float - own) <= abs(own) * 1e-14 + .leastNormalMagnitude
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(agrees)
        case (.object(let left), .object(let right)):
            guard Set(right.map(\.key)).count == right.count else { return true }
            return left.count == right.count
                && left.allSatisfy { member in right[member.key].map { agrees(member.value, $0) } ?? false }
        default: return theirs == ours
        }
    }

    private static func convert(_ value: Any) -> JSONValue {
        switch value {
        case is NSNull: .null
        case let number as NSNumber where isBoolean(number): .bool(number.boolValue)
        case let number as NSNumber: .number(number.doubleValue)
        case let text as String: .string(text)
        case let values as [Any]: .array(values.map(convert))
        case let members as [String: Any]:
            .object(JSONObject(members.map { (key: $0.key, value: convert($0.value)) }))
        default: .string("not JSON: \(value)")
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c" && (number.int8Value == 0 || number.int8Value == 1)
            && "\(type(of: number))".contains("Bool")
    }
}
