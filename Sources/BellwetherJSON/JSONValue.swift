/// A JSON value as the document wrote it: integers and floats are distinguished, and objects keep their order.
///
/// Equality is JEXL's strict one (docs/reference/expressions.md#evaluation). `1` is not `1.0`. Strings are equal byte
/// for byte, while Swift's own `==` treats canonically equivalent texts as equal. Objects are compared regardless of
/// order.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits. `-0` is a float, as in serde_json.
    case integer(Int64)
    /// An integer from 2⁶³ up that fits 64 bits only without a sign, as in serde_json.
    case unsigned(UInt64)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .array(let values): hasher.combine(values)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    public var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

    /// The member of an object; null if there is none, or if the value is no object.
    public subscript(key: String) -> JSONValue { object?[key] ?? .null }

    /// The value of a number of any kind, as a float.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The JSON name of the value's type, for error messages.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .unsigned, .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}

extension JSONValue {
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        try self.init(parsing: bytes[...], limits: limits)
    }

    /// Offsets in errors are counted from the beginning of the slice.
    public init(parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
        self = try Self.parse(bytes.span, limits)
    }

    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    private static func parse(_ bytes: Span<UInt8>, _ limits: JSONLimits) throws(JSONError) -> JSONValue {
        var parser = JSONParser(limits)
        do {
            return try parser.document(bytes)
        } catch {
            let detail = error.reason == .duplicateKey ? key(at: error.offset, bytes) : nil
            throw JSONError(error, in: bytes, detail: detail)
        }
    }

    /// The key that begins at an offset, in quotation marks. Long keys are cut.
    private static func key(at offset: Int, _ bytes: Span<UInt8>) -> String? {
        var parser = JSONParser(.standard)
        parser.position = offset
        guard let key = try? parser.string(bytes) else { return nil }
        let shown = key.unicodeScalars.count > 80 ? String(key.unicodeScalars.prefix(80)) + "…" : key
        return JSONValue.string(shown).text
    }
}

extension JSONValue {
    /// The text for people, with one member or element per line, and two spaces per level.
    public var prettyText: String {
        var output: [UInt8] = []
        writePretty(to: &output, level: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private func writePretty(to output: inout [UInt8], level: Int) {
        switch self {
        case .array(let values) where !values.isEmpty:
            output.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                Self.startLine(position, level + 1, &output)
                value.writePretty(to: &output, level: level + 1)
            }
            Self.startLine(0, level, &output)
            output.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty:
            output.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                Self.startLine(position, level + 1, &output)
                JSONText.append(quoted: member.key, to: &output)
                output.append(contentsOf: ": ".utf8)
                member.value.writePretty(to: &output, level: level + 1)
            }
            Self.startLine(0, level, &output)
            output.append(UInt8(ascii: "}"))
        default: write(to: &output)
        }
    }

    private static func startLine(_ position: Int, _ level: Int, _ output: inout [UInt8]) {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
}

extension JSONValue {
    /// The compact UTF-8 text, with members in their own order.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    public var text: String { String(decoding: encoded, as: UTF8.self) }

    public func write(to output: inout [UInt8]) {
        switch self {
        case .array(let values):
            output.append(UInt8(ascii: "["))
            var isFirst = true
            for value in values {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            members.write(to: &output)
        default: writeScalar(to: &output)
        }
    }

    /// Writes the members in byte order of their keys at every level. serde_json's own map has this order, and
    /// `bucketSample` hashes it.
    public func write(sortedKeysTo output: inout [UInt8]) {
        switch self {
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                value.write(sortedKeysTo: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (position, member) in members.sorted(by: { $0.key.precedes($1.key) }).enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                JSONText.append(quoted: member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(sortedKeysTo: &output)
            }
            output.append(UInt8(ascii: "}"))
        default: writeScalar(to: &output)
        }
    }

    fileprivate func writeScalar(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .integer(let value): JSONText.append(value, to: &output)
        case .unsigned(let value): JSONText.append(digits: value, to: &output)
        case .number(let value): JSONText.append(value, to: &output)
        case .string(let value): JSONText.append(quoted: value, to: &output)
        case .array, .object: write(to: &output)
        }
    }
}

extension JSONObject {
    /// Writes compact UTF-8, with members in their own order.
    public func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in self {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(quoted: member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONValue {
    /// The value with one member renamed. The tokens are the path of the member. If the object already has a member
    /// with the new key, nothing changes.
    func renaming(_ tokens: ArraySlice<String>, to name: String) -> JSONValue {
        guard let token = tokens.first else { return self }
        let rest = tokens.dropFirst()
        switch self {
        case .object(let object):
            if rest.isEmpty, object[name] != nil { return self }
            return .object(
                JSONObject(
                    object.map { key, value in
                        guard Identifier(key) == token else { return (key, value) }
                        return rest.isEmpty ? (name, value) : (key, value.renaming(rest, to: name))
                    }))
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].renaming(rest, to: name)
            return .array(elements)
        default: return self
        }
    }
}
