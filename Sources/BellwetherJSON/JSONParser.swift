/// A strict RFC 8259 parser over bytes.
///
/// Recursion is limited by `JSONLimits.depth`. The bytes are passed to each method, because a value that holds a span
/// cannot be stored. Only `position` changes.
struct JSONParser {
    var position = 0
    /// The offset of each key of the open objects, for the error about a duplicate key.
    var keyOffsets: [Int] = []
    /// Bytes of the string being unescaped.
    var scratch: ContiguousArray<UInt8> = []
    private var valuesLeft: Int
    private var depthLeft: Int
    private let bytesAllowed: Int

    init(_ limits: JSONLimits) {
        valuesLeft = limits.values
        depthLeft = min(limits.depth, JSONLimits.maximumDepth)
        bytesAllowed = limits.bytes
    }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        if bytes.count > bytesAllowed { throw JSONFault(reason: .tooLong, offset: 0) }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONFault(reason: .byteOrderMark, offset: 0)
        }
        skipWhitespace(bytes)
        if position == bytes.count { throw fault(.empty) }
        let value = try value(bytes)
        skipWhitespace(bytes)
        if position < bytes.count { throw fault(.trailing) }
        return value
    }

    func fault(_ reason: JSONFault.Reason) -> JSONFault { JSONFault(reason: reason, offset: position) }

    /// The fault at `position`: the end of the text if it is reached, otherwise `reason`.
    func fault(_ reason: JSONFault.Reason, _ bytes: Span<UInt8>) -> JSONFault {
        fault(position < bytes.count ? reason : .truncated)
    }

    mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            index += 1
        }
        position = index
    }

    /// The value that begins at `position`; whitespace before it is already skipped.
    mutating func value(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        guard position < bytes.count else { throw fault(.truncated) }
        guard valuesLeft > 0 else { throw fault(.tooMany) }
        valuesLeft -= 1
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes))
        case UInt8(ascii: "["): return .array(try array(bytes))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        case UInt8(ascii: "t"): return try literal("true", .bool(true), bytes)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), bytes)
        case UInt8(ascii: "n"): return try literal("null", .null, bytes)
        default: throw fault(.unexpectedByte)
        }
    }

    private mutating func literal(
        _ word: String, _ value: JSONValue, _ bytes: Span<UInt8>
    ) throws(JSONFault) -> JSONValue {
        let start = position
        for expected in word.utf8 {
            guard position < bytes.count else { throw fault(.truncated) }
            guard bytes[position] == expected else { throw JSONFault(reason: .unexpectedByte, offset: start) }
            position += 1
        }
        return value
    }

    /// Moves past the opening bracket, and past the whitespace after it.
    mutating func enter(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard depthLeft > 0 else { throw fault(.tooDeep) }
        depthLeft -= 1
        position += 1
        skipWhitespace(bytes)
    }

    /// Moves past the closing bracket.
    mutating func leave() {
        depthLeft += 1
        position += 1
    }
}
