/// Reads a version part by part.
struct VersionParts {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var isAtEnd = false

    init(_ version: String) { bytes = Array(version.utf8) }

    /// The next part, or an empty one behind the last.
    mutating func next() throws(TransformFailure) -> VersionPart {
        guard !isAtEnd else { return VersionPart() }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
        let text = bytes[position..<end]
        isAtEnd = end == bytes.count
        position = min(end + 1, bytes.count)
        return try part(text)
    }

    private func part(_ text: ArraySlice<UInt8>) throws(TransformFailure) -> VersionPart {
        guard text.allSatisfy({ $0 < 0x80 }) else {
            throw TransformFailure(message: "the version \"\(version)\" is not ASCII")
        }
        var part = VersionPart()
        if text.elementsEqual([UInt8(ascii: "*")]) {
            part.major = .max
            return part
        }
        var rest = text
        part.major = try number(&rest)
        if rest.first == UInt8(ascii: "+") {
            part.major = try next(after: part.major)
            part.label = Self.pre
            return part
        }
        part.label = rest.prefix { !Self.endsLabel($0) }
        rest = rest.dropFirst(part.label.count)
        part.minor = try number(&rest)
        part.rest = rest
        return part
    }

    /// `2+` is `3pre`.
    private static let pre = ArraySlice("pre".utf8)

    private static func endsLabel(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Takes the digits in front; none are 0.
    private func number(_ text: inout ArraySlice<UInt8>) throws(TransformFailure) -> Int32 {
        var number: Int64 = 0
        while let byte = text.first, Self.isDigit(byte) {
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            guard number <= Int32.max else { throw tooLarge }
            text.removeFirst()
        }
        return Int32(number)
    }

    private func next(after number: Int32) throws(TransformFailure) -> Int32 {
        guard number < .max else { throw tooLarge }
        return number + 1
    }

    private var tooLarge: TransformFailure {
        TransformFailure(message: "the version \"\(version)\" has a number greater than 2147483647")
    }

    private var version: String { String(decoding: bytes.prefix(80), as: UTF8.self) }
}
