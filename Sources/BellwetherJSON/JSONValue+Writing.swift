extension JSONValue {
    /// Compact UTF-8, members in their own order.
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

    /// Members in the order of their keys' bytes at every level: the order of serde_json's own map, hence of what
    /// `bucketSample` hashes.
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

    func writeScalar(to output: inout [UInt8]) {
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
    /// Compact UTF-8, members in their own order.
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
