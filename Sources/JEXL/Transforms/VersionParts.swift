/// Reads a version part by part.
struct VersionParts {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var isAtEnd = false

    init(_ version: String) { bytes = Array(version.utf8) }

    /// The next part, or an empty one after the last.
    mutating func next() throws(TransformFailure) -> VersionPart {
        guard !isAtEnd else { return VersionPart() }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ".") {
            guard bytes[position] < 0x80 else {
                throw TransformFailure(message: "the version \"\(version)\" is not ASCII")
            }
            position += 1
        }
        let part = try part(start, position)
        isAtEnd = position == bytes.count
        position += 1
        return part
    }

    private func part(_ start: Int, _ end: Int) throws(TransformFailure) -> VersionPart {
        var part = VersionPart()
        if end == start + 1, bytes[start] == UInt8(ascii: "*") {
            part.major = .max
            return part
        }
        var index = start
        part.major = try number(&index, end)
        if index < end, bytes[index] == UInt8(ascii: "+") {
            // `2+` is equal to `3pre`, whatever follows.
            guard part.major < .max else { throw tooLarge }
            part.major += 1
            part.label = Self.pre
            return part
        }
        let label = index
        while index < end, !Self.endsLabel(bytes[index]) { index += 1 }
        if label < index { part.label = bytes[label..<index] }
        part.minor = try number(&index, end)
        if index < end { part.rest = bytes[index..<end] }
        return part
    }

    private static let pre = ArraySlice("pre".utf8)

    private static func endsLabel(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Reads a number and moves past its digits. Without digits it is 0.
    private func number(_ index: inout Int, _ end: Int) throws(TransformFailure) -> Int32 {
        var number: Int64 = 0
        while index < end, Self.isDigit(bytes[index]) {
            number = number * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            guard number <= Int32.max else { throw tooLarge }
            index += 1
        }
        return Int32(number)
    }

    private var tooLarge: TransformFailure {
        TransformFailure(message: "the version \"\(version)\" has a number greater than 2147483647")
    }

    private var version: String { String(decoding: bytes.prefix(80), as: UTF8.self) }
}
