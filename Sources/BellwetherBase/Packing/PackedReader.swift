public import BellwetherJSON

/// Reads the bytes of `PackedWriter`. A read returns nil if a writer does not produce such bytes, and the reader's
/// position then stays unchanged. No input traps, and a length is accepted only if there are enough bytes.
public struct PackedReader: Sendable {
    private let source: ArraySlice<UInt8>
    /// The writer's names, with any later ones; nil if the writer had none.
    private let names: [Identifier]?
    private var position: Int

    public init(_ bytes: ArraySlice<UInt8>, names: [Identifier]? = nil) {
        source = bytes
        self.names = names
        position = bytes.startIndex
    }

    public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// Whether the bytes were written for a table in memory.
    package var isFromTable: Bool { names != nil }

    public var isAtEnd: Bool { position == source.endIndex }

    /// The bytes that are not yet read.
    public var rest: ArraySlice<UInt8> { source[position...] }

    package mutating func skipRest() { position = source.endIndex }

    private var remaining: Int { source.endIndex - position }

    /// Reads an integer. Returns nil at the end, for more than 64 bits, and for an encoding that is longer than needed.
    public mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var index = position
        while index < source.endIndex {
            let byte = source[index]
            index += 1
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else { return nil }
                position = index
                return value
            }
            shift += 7
        }
        return nil
    }

    public mutating func signed() -> Int64? {
        guard let value = unsigned() else { return nil }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads an integer in a range.
    public mutating func unsigned(in range: ClosedRange<UInt64>) -> UInt64? {
        let start = position
        guard let value = unsigned(), range ~= value else {
            position = start
            return nil
        }
        return value
    }

    public mutating func signed(in range: ClosedRange<Int64>) -> Int64? {
        let start = position
        guard let value = signed(), range ~= value else {
            position = start
            return nil
        }
        return value
    }

    /// Reads a number of two bytes.
    package mutating func fixed16() -> UInt64? {
        guard remaining >= 2 else { return nil }
        defer { position += 2 }
        return UInt64(source[position]) | UInt64(source[position + 1]) << 8
    }

    /// Reads a number of eight bytes.
    package mutating func fixed64() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 16) {
            guard let part = fixed16() else { return nil }
            value |= part << shift
        }
        return value
    }

    public mutating func bool() -> Bool? {
        unsigned(in: 0...1).map { $0 == 1 }
    }

    /// Reads a number of elements that follow. Each takes at least one byte, so it is safe to reserve memory for them.
    public mutating func count() -> Int? {
        let start = position
        guard let value = unsigned(), value <= UInt64(remaining) else {
            position = start
            return nil
        }
        return Int(value)
    }

    /// Reads a string; nil for bytes that are not UTF-8.
    public mutating func string() -> String? {
        let start = position
        guard let slice = bytes(), let text = String(utf8: slice.span) else {
            position = start
            return nil
        }
        return text
    }

    /// Reads a name as `PackedWriter.name` writes it; nil for a number that no name has.
    package mutating func name() -> Identifier? {
        guard let names else { return string().map { Identifier($0) } }
        let start = position
        switch skipName() {
        case .numbered(let number): return names[number]
        case .written(let range):
            if let text = String(utf8: slice(range).span) { return Identifier(text) }
        case nil: break
        }
        position = start
        return nil
    }

    /// Skips a name, and returns where it is.
    @discardableResult
    public mutating func skipName() -> PackedName? {
        guard let names else { return range().map { .written($0) } }
        let start = position
        guard let word = unsigned() else { return nil }
        if word & 1 == 1, word >> 1 < UInt64(names.count) { return .numbered(Int(word >> 1)) }
        guard word & 1 == 0, word >> 1 <= UInt64(remaining) else {
            position = start
            return nil
        }
        let lower = position - source.startIndex
        position += Int(word >> 1)
        return .written(lower..<(position - source.startIndex))
    }

    public mutating func bytes() -> ArraySlice<UInt8>? {
        range().map { slice($0) }
    }

    private func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
        source[(source.startIndex + range.lowerBound)..<(source.startIndex + range.upperBound)]
    }

    /// Skips bytes with their length before them, and returns their range, counted from the first byte. A slice would
    /// be retained by each holder, which costs more than reading a few bytes.
    @discardableResult
    package mutating func range() -> Range<Int>? {
        guard let count = count() else { return nil }
        let start = position - source.startIndex
        position += count
        return start..<(start + count)
    }
}

/// Text that is skipped without decoding it.
extension PackedReader {
    /// Skips a text.
    public mutating func skipString() { range() }

    /// Skips a text, and returns whether it equals `text`.
    public mutating func skipString(_ text: String) -> Bool {
        guard let range = range() else { return false }
        return text.hasSameBytes(as: source.span.extracting(range))
    }

    /// Skips a name, and returns whether it is `name`.
    public mutating func skipName(_ name: Identifier) -> Bool {
        switch skipName() {
        case .numbered(let number): names?[number] == name
        case .written(let range): name.text.hasSameBytes(as: source.span.extracting(range))
        case nil: false
        }
    }
}

/// Copies values from one form to another. The bytes were packed before, so nothing is refused. Text that is not UTF-8
/// stays unchanged.
extension PackedReader {
    package mutating func copyName(to writer: inout PackedWriter, by author: PackedNames.Author) {
        switch skipName() {
        case .numbered(let number): if let names { writer.name(names[number], by: author) }
        case .written(let range):
            let slice = slice(range)
            if let text = String(utf8: slice.span) {
                writer.name(Identifier(text), by: author)
            } else {
                writer.writtenName(slice)
            }
        case nil: break
        }
    }

    /// Copies the number of elements that follow.
    package mutating func copyCount(to writer: inout PackedWriter) -> Int {
        let count = count() ?? 0
        writer.unsigned(UInt64(count))
        return count
    }
}

/// The location of a name's text.
public enum PackedName {
    /// An index in the reader's names.
    case numbered(Int)
    /// A range in the reader's bytes, counted from the first byte.
    case written(Range<Int>)
}
