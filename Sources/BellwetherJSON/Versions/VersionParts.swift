/// Reads a version part by part.
struct VersionParts {
    private let bytes: [UInt8]
    private let greatest: UInt64
    private var position = 0
    private(set) var isAtEnd = false

    init(_ version: String, greatest: UInt64) { (bytes, self.greatest) = (Array(version.utf8), greatest) }

    /// The next part, or an empty one after the last.
    mutating func next() throws(VersionComparison.Failure) -> VersionPart {
        guard !isAtEnd else { return VersionPart() }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ".") {
            guard bytes[position] < 0x80 else {
                throw VersionComparison.Failure(message: "the version \"\(version)\" is not ASCII")
            }
            position += 1
        }
        let part = try part(start, position)
        isAtEnd = position == bytes.count
        position += 1
        return part
    }

    private func part(_ start: Int, _ end: Int) throws(VersionComparison.Failure) -> VersionPart {
        var part = VersionPart()
        if end == start + 1, bytes[start] == UInt8(ascii: "*") {
            part.major = greatest
            return part
        }
        var index = start
        part.major = try number(&index, end)
        if index < end, bytes[index] == UInt8(ascii: "+") {
            // `2+` is equal to `3pre`, whatever follows.
            guard part.major < greatest else { throw tooLarge }
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
    private func number(_ index: inout Int, _ end: Int) throws(VersionComparison.Failure) -> UInt64 {
        var number: UInt64 = 0
        while index < end, Self.isDigit(bytes[index]) {
            let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = tens.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
            guard !isOver, !isOverToo, sum <= greatest else { throw tooLarge }
            number = sum
            index += 1
        }
        return number
    }

    private var tooLarge: VersionComparison.Failure {
        VersionComparison.Failure(message: "the version \"\(version)\" has a number greater than \(greatest)")
    }

    private var version: String { String(decoding: bytes.prefix(80), as: UTF8.self) }
}
