extension JSONParser {
    /// The string whose opening quotation mark is at `position`.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        let start = position + 1
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return try text(bytes, start..<index)
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(bytes, from: start, to: index) }
            if byte < 0x20 { throw JSONFault(reason: .control, offset: index) }
            index += 1
        }
        throw JSONFault(reason: .truncated, offset: index)
    }

    private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONFault) -> String {
        let bytes = bytes.extracting(range)
        if let text = String(utf8: bytes) { return text }
        throw JSONFault(reason: .invalidUTF8, offset: range.lowerBound + Self.validCount(bytes))
    }

    /// The number of bytes before the first byte that is not valid UTF-8.
    private static func validCount(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            var parser = Unicode.UTF8.ForwardParser()
            var iterator = buffer.makeIterator()
            var count = 0
            while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
            return count
        }
    }

    /// A string whose first backslash is at `escape`. Runs without a backslash are copied as a whole.
    private mutating func escapedString(
        _ bytes: Span<UInt8>, from start: Int, to escape: Int
    ) throws(JSONFault) -> String {
        scratch.removeAll(keepingCapacity: true)
        var run = start
        position = escape
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                copy(bytes, run..<position)
                position += 1
                return try unescapedText(bytes, start..<position - 1)
            case UInt8(ascii: "\\"):
                copy(bytes, run..<position)
                try unescape(bytes)
                run = position
            case 0..<0x20: throw fault(.control)
            default: position += 1
            }
        }
        throw fault(.truncated)
    }

    private mutating func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        for index in range { scratch.append(bytes[index]) }
    }

    /// The content of `scratch`. It is UTF-8 if the raw bytes in `range` are, because escapes are ASCII.
    private func unescapedText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONFault) -> String {
        if let text = String(utf8: scratch.span) { return text }
        return try text(bytes, range)
    }

    /// Appends the character of the escape at `position`, and moves past the escape.
    private mutating func unescape(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard position + 1 < bytes.count else { throw JSONFault(reason: .truncated, offset: bytes.count) }
        let byte: UInt8
        switch bytes[position + 1] {
        case UInt8(ascii: "\""): byte = UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): byte = UInt8(ascii: "\\")
        case UInt8(ascii: "/"): byte = UInt8(ascii: "/")
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "u"): return try unescapeUnicode(bytes)
        default: throw fault(.unknownEscape)
        }
        scratch.append(byte)
        position += 2
    }

    private mutating func unescapeUnicode(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        var code = try hexadecimal(bytes)
        if (0xDC00...0xDFFF).contains(code) { throw JSONFault(reason: .loneSurrogate, offset: start) }
        if (0xD800...0xDBFF).contains(code) {
            guard position < bytes.count else { throw fault(.truncated) }
            // A backslash at the end of the text may begin the second surrogate: `hexadecimal` reports it as truncated.
            let isEscape = bytes[position] == UInt8(ascii: "\\")
            guard isEscape, position + 1 == bytes.count || bytes[position + 1] == UInt8(ascii: "u") else {
                throw JSONFault(reason: .loneSurrogate, offset: start)
            }
            let low = try hexadecimal(bytes)
            guard (0xDC00...0xDFFF).contains(low) else { throw JSONFault(reason: .loneSurrogate, offset: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONFault(reason: .loneSurrogate, offset: start) }
        scratch.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
    }

    /// The number of the `\uXXXX` at `position`. The position moves past it.
    private mutating func hexadecimal(_ bytes: Span<UInt8>) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for index in position + 2..<position + 6 {
            guard index < bytes.count else { throw JSONFault(reason: .truncated, offset: bytes.count) }
            let digit: UInt8
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
            default: throw fault(.malformedUnicodeEscape)
            }
            code = code << 4 | UInt32(digit)
        }
        position += 6
        return code
    }
}
