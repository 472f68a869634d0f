import BellwetherJSON
import Foundation

/// Foundation's reading of a text as a `JSONValue`, to compare with ours.
enum FoundationJSON {
    static func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

    static func parse(_ bytes: [UInt8]) throws -> JSONValue {
        convert(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Foundation does not keep integers and floats apart, nor the order of keys (which equality ignores anyway).
    static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .integer(let integer): .number(Double(integer))
        case .array(let values): .array(values.map(normalized))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: normalized($0.value)) }))
        default: value
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
