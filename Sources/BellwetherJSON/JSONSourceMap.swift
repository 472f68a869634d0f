/// The locations of a document's values in its text, for messages about files.
///
/// The bytes should be accepted by the parser. For other bytes it has the part before the first mistake.
public struct JSONSourceMap: Sendable {
    /// A value, in the order of the text. An element of an array has the key nil.
    private struct Node {
        let key: Identifier?
        let offset: Int
        /// The index of the first node after this one that is not inside it.
        var end: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var nodes: [Node] = []

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        var scanner = JSONParser(JSONLimits(depth: .max, bytes: .max, values: .max))
        // For a text that is not JSON, the part before the mistake stays mapped.
        try? read(key: nil, with: &scanner)
    }

    /// The line and column of a value, both from 1, with columns in Unicode scalars. If there is no such value, the
    /// position of its nearest ancestor; nil if nothing could be read.
    public func position(of pointer: JSONPointer) -> (line: Int, column: Int)? {
        guard var node = nodes.first else { return nil }
        var index = 0
        for token in pointer.tokens {
            guard let child = child(token, of: index) else { break }
            index = child
            node = nodes[child]
        }
        return JSONLine.position(of: node.offset, in: bytes.span)
    }

    /// The text with another value in place of the value at a pointer; nil if there is none. All else stays as it is
    /// written.
    public func text(replacing pointer: JSONPointer, by value: JSONValue) -> [UInt8]? {
        var index = 0
        for token in pointer.tokens {
            guard !nodes.isEmpty, let child = child(token, of: index) else { return nil }
            index = child
        }
        guard nodes.indices.contains(index) else { return nil }
        var scanner = JSONParser(JSONLimits(depth: .max, bytes: .max, values: .max))
        scanner.position = nodes[index].offset
        guard (try? scanner.value(bytes.span)) != nil else { return nil }
        return bytes[..<nodes[index].offset] + value.encoded + bytes[scanner.position...]
    }

    private func child(_ token: String, of parent: Int) -> Int? {
        // An element's token is its index without leading zeros (RFC 6901 section 4).
        let wanted = Int(token).flatMap { String($0) == token ? $0 : nil }
        var child = parent + 1
        var position = 0
        while child < nodes[parent].end {
            if nodes[child].key.map({ $0 == token }) ?? (position == wanted) { return child }
            child = nodes[child].end
            position += 1
        }
        return nil
    }

    private mutating func read(key: String?, with scanner: inout JSONParser) throws(JSONFault) {
        scanner.skipWhitespace(bytes.span)
        let index = nodes.count
        nodes.append(Node(key: key.map { Identifier($0) }, offset: scanner.position, end: index + 1))
        defer { nodes[index].end = nodes.count }
        guard scanner.position < bytes.count else { throw scanner.fault(.truncated) }
        switch bytes[scanner.position] {
        case UInt8(ascii: "{"): try readMembers(with: &scanner)
        case UInt8(ascii: "["): try readElements(with: &scanner)
        default: _ = try scanner.value(bytes.span)
        }
    }

    private mutating func readElements(with scanner: inout JSONParser) throws(JSONFault) {
        try scanner.enter(bytes.span)
        if scanner.isAt(UInt8(ascii: "]"), bytes.span) { return scanner.leave() }
        repeat {
            try read(key: nil, with: &scanner)
        } while try !scanner.step(bytes.span, closing: UInt8(ascii: "]"), otherwise: .expectedCommaOrBracket)
    }

    private mutating func readMembers(with scanner: inout JSONParser) throws(JSONFault) {
        try scanner.enter(bytes.span)
        if scanner.isAt(UInt8(ascii: "}"), bytes.span) { return scanner.leave() }
        repeat {
            let key = try scanner.key(bytes.span)
            try read(key: key, with: &scanner)
        } while try !scanner.step(bytes.span, closing: UInt8(ascii: "}"), otherwise: .expectedCommaOrBrace)
    }
}
