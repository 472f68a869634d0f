import BellwetherJSON
import Foundation

/// Foundation's reading of a text as a `JSONValue`, to compare with ours.
enum FoundationJSON {
    static func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

    static func parse(_ bytes: [UInt8]) throws -> JSONValue {
        convert(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Whether a reading of Foundation's is the same as ours. It does not keep integers and floats apart, nor the order
    /// of keys, and rounds some decimals a unit in the last place off.
    static func agrees(_ theirs: JSONValue, _ ours: JSONValue) -> Bool {
        switch (theirs, ours) {
        case (.number(let float), .integer), (.number(let float), .number):
            guard let own = ours.double else { return false }
            return abs(float - own) <= abs(own) * 1e-14 + .leastNormalMagnitude
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(agrees)
        case (.object(let left), .object(let right)):
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

/// Documents both parsers accept.
enum JSONSamples {
    static let documents: [String] = [
        "null", "true", "[]", "{}", "0", "-1", "1.5e3", "9007199254740993", "1e308", "5e-324", "1e-400",
        #"{"a":[1,2.5,"x",{"b":null}],"c":"\u00e9\ud83d\ude00"}"#,
        #"[[[[["deep"]]]],{"k":{"k":{"k":false}}}]"#,
        "  [ 1 , 2 ]  ", #""\u2028 / \/ \"""#,
    ]
}
