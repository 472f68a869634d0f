/// Parses the response to one request as it arrives, and keeps only its status.
struct ResponseReader {
    private static let lengthName = Array("content-length:".utf8)
    private var head: [UInt8] = []
    private var isInContent = false
    /// The bytes of the content that have not arrived yet.
    private var missing = 0
    private(set) var status = 0

    enum Progress { case complete, incomplete, unreadable }

    /// Parses received bytes. Bytes behind the end of the response are an error too.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        var start = 0
        if !isInContent {
            guard let end = headEnd(in: bytes) else {
                head.append(contentsOf: bytes)
                return head.count > 65_536 ? .unreadable : .incomplete
            }
            head.append(contentsOf: bytes[..<end])
            guard readHead() else { return .unreadable }
            head.removeAll(keepingCapacity: true)
            isInContent = true
            start = end
        }
        missing -= bytes.count - start
        guard missing <= 0 else { return .incomplete }
        isInContent = false
        return missing == 0 ? .complete : .unreadable
    }

    /// The index behind the blank line, which may begin in bytes that were received earlier.
    private func headEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
        var matched = head.suffix(3).reduce(0, Self.step)
        for index in 0..<bytes.count {
            matched = Self.step(matched, bytes[index])
            if matched == 4 { return index + 1 }
        }
        return nil
    }

    /// The number of bytes of CR LF CR LF that the input ends with after one more byte.
    private static func step(_ matched: Int, _ byte: UInt8) -> Int {
        switch byte {
        case 13: matched == 2 ? 3 : 1
        case 10: matched == 1 ? 2 : matched == 3 ? 4 : 0
        default: 0
        }
    }

    /// Parses `HTTP/1.1 200 …` and the content's length.
    private mutating func readHead() -> Bool {
        guard head.count > 12, head[..<5].elementsEqual("HTTP/".utf8) else { return false }
        status = head[9..<12].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        missing = 0
        guard status != 204, status != 304 else { return true }
        var index = 12
        while index < head.count {
            if head[index] == 10, isLength(at: index + 1) {
                missing = number(at: index + 1 + Self.lengthName.count)
                return true
            }
            index += 1
        }
        return false
    }

    private func isLength(at start: Int) -> Bool {
        guard start + Self.lengthName.count < head.count else { return false }
        return zip(head[start...], Self.lengthName).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    private func number(at start: Int) -> Int {
        var value = 0
        for byte in head[start...] where byte != 32 {
            guard (48...57).contains(byte) else { break }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}
