/// The byte ranges of an array's elements in a document, for code that keeps the author's text.
///
/// The bytes should be accepted by the parser. For other bytes it has the elements before the first mistake.
public struct JSONElements {
    private var parser = JSONParser(JSONLimits(depth: .max, bytes: .max, values: .max))
    private var ranges: [Range<Int>] = []

    /// The text of each element of the member `key`; empty if that is not an array.
    public static func ranges(of key: Identifier, in bytes: [UInt8]) -> [Range<Int>] {
        var elements = JSONElements()
        let slice = bytes[...]
        try? elements.readMembers(of: slice.span, key)
        return elements.ranges
    }

    /// The text of each element of a document that is an array; empty if it is not one.
    public static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        // This is the span of a slice, because an array has no span before iOS 26.
        let slice = bytes[...]
        let span = slice.span
        var elements = JSONElements()
        elements.parser.skipWhitespace(span)
        guard elements.parser.isAt(UInt8(ascii: "["), span) else { return [] }
        try? elements.readElements(of: span)
        return elements.ranges
    }

    private mutating func readMembers(of bytes: Span<UInt8>, _ wanted: Identifier) throws(JSONFault) {
        parser.skipWhitespace(bytes)
        guard parser.isAt(UInt8(ascii: "{"), bytes) else { return }
        try parser.enter(bytes)
        guard !parser.isAt(UInt8(ascii: "}"), bytes) else { return }
        repeat {
            let key = try parser.key(bytes)
            if wanted == key, parser.isAt(UInt8(ascii: "["), bytes) {
                try readElements(of: bytes)
            } else {
                _ = try parser.value(bytes)
            }
        } while try !parser.step(bytes, closing: UInt8(ascii: "}"), otherwise: .expectedCommaOrBrace)
    }

    private mutating func readElements(of bytes: Span<UInt8>) throws(JSONFault) {
        try parser.enter(bytes)
        if parser.isAt(UInt8(ascii: "]"), bytes) { return parser.leave() }
        repeat {
            let start = parser.position
            _ = try parser.value(bytes)
            ranges.append(start..<parser.position)
        } while try !parser.step(bytes, closing: UInt8(ascii: "]"), otherwise: .expectedCommaOrBracket)
    }
}
