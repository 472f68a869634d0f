extension JSONParser {
    mutating func array(_ bytes: Span<UInt8>) throws(JSONFault) -> [JSONValue] {
        try enter(bytes)
        var values: [JSONValue] = []
        if isAt(UInt8(ascii: "]"), bytes) {
            leave()
            return values
        }
        values.reserveCapacity(4)
        while true {
            values.append(try value(bytes))
            if try step(bytes, closing: UInt8(ascii: "]"), otherwise: .expectedCommaOrBracket) { return values }
        }
    }

    mutating func object(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONObject {
        try enter(bytes)
        if isAt(UInt8(ascii: "}"), bytes) {
            leave()
            return JSONObject()
        }
        let firstKey = keyOffsets.count
        var members: [JSONObject.Element] = []
        members.reserveCapacity(4)
        while true {
            keyOffsets.append(position)
            let key = try key(bytes)
            members.append((key: key, value: try value(bytes)))
            if try step(bytes, closing: UInt8(ascii: "}"), otherwise: .expectedCommaOrBrace) { break }
        }
        switch JSONObject.adopting(members) {
        case .object(let object):
            keyOffsets.removeLast(members.count)
            return object
        case .repeated(let position):
            throw JSONFault(reason: .duplicateKey, offset: keyOffsets[firstKey + position])
        }
    }

    /// Reads a member's key, and moves past the colon and white space to the value.
    mutating func key(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        guard isAt(UInt8(ascii: "\""), bytes) else { throw fault(.expectedKey, bytes) }
        let key = try string(bytes)
        skipWhitespace(bytes)
        guard isAt(UInt8(ascii: ":"), bytes) else { throw fault(.expectedColon, bytes) }
        position += 1
        skipWhitespace(bytes)
        return key
    }

    func isAt(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool { position < bytes.count && bytes[position] == byte }

    /// Moves from the end of one element to the next one (false), or past the closing bracket (true).
    mutating func step(
        _ bytes: Span<UInt8>, closing: UInt8, otherwise reason: JSONFault.Reason
    ) throws(JSONFault) -> Bool {
        skipWhitespace(bytes)
        guard position < bytes.count else { throw fault(.truncated) }
        if bytes[position] == closing {
            leave()
            return true
        }
        guard bytes[position] == UInt8(ascii: ",") else { throw fault(reason) }
        let comma = position
        position += 1
        skipWhitespace(bytes)
        if position < bytes.count, bytes[position] == closing {
            throw JSONFault(reason: .trailingComma, offset: comma)
        }
        return false
    }
}
