extension RequestParser {
    /// Reads the lines of the head that are complete. True when the empty line was among them.
    ///
    /// `window` starts with the request line; all offsets in `head` are counted from there.
    mutating func readHead(_ window: Span<UInt8>) throws(WireFault) -> Bool {
        while let end = window.firstLineFeed(from: scanned) {
            scanned = end + 1
            try checkLength(scanned)
            guard end > line, window[end - 1] == 0x0d else { throw .lineEnd }
            let content = line..<(end - 1)
            if line == 0 {
                try readRequestLine(window.extracting(content))
                head.fields = ByteRange(scanned..<scanned)
            } else if content.isEmpty {
                head.fields = ByteRange(Int(head.fields.offset)..<line)
                head.length = scanned
                try settleFraming()
                return true
            } else {
                try readField(window, content)
            }
            line = scanned
        }
        scanned = window.count
        try checkLength(scanned)
        return false
    }

    /// The limits are the same for a complete line and for one that is still arriving.
    private func checkLength(_ length: Int) throws(WireFault) {
        if line == 0 && length > limits.requestLineBytes { throw .targetTooLong }
        if length > limits.headBytes { throw .headTooLarge }
    }

    private mutating func readRequestLine(_ line: Span<UInt8>) throws(WireFault) {
        let methodEnd = line.end(from: 0) { $0.isTokenByte }
        guard methodEnd > 0, methodEnd < line.count, line[methodEnd] == 0x20 else { throw .requestLine }
        head.method = HTTPMethod(token: line.extracting(0..<methodEnd))
        // Usually everything before the version is the target, which is checked in one step.
        let version = max(line.count - 9, methodEnd + 1)
        let isTarget = line.extracting((methodEnd + 1)..<version).areTargetBytes
        let start = isTarget ? version : methodEnd + 1
        let target = (methodEnd + 1)..<line.end(from: start) { $0.isTargetByte }
        guard target.upperBound < line.count, line[target.upperBound] == 0x20 else { throw .target }
        guard target.count <= limits.targetBytes else { throw .targetTooLong }
        try readVersion(line.extracting((target.upperBound + 1)..<line.count))
        try readTarget(line, target)
    }

    private mutating func readVersion(_ version: Span<UInt8>) throws(WireFault) {
        guard version.count == 8, version.extracting(0..<5).equals("HTTP/"), version[5].isDigit, version[6] == 0x2e,
            version[7].isDigit
        else { throw .version }
        guard version[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        switch version[7] {
        case UInt8(ascii: "1"): head.isHTTP10 = false
        case UInt8(ascii: "0"): head.isHTTP10 = true
        default: throw .version
        }
    }

    private mutating func readTarget(_ line: Span<UInt8>, _ target: Range<Int>) throws(WireFault) {
        guard let first = target.first else { throw .target }
        switch line[first] {
        case 0x2f: splitQuery(line, target)
        case 0x2a:
            guard target.count == 1, head.method == .options else { throw .target }
            head.path = ByteRange(target)
        default: try readAbsoluteTarget(line, target)
        }
    }

    /// `http://host[:port][/path][?query]` (RFC 9112 3.2.2). The host is not used: every name is served alike.
    private mutating func readAbsoluteTarget(_ line: Span<UInt8>, _ target: Range<Int>) throws(WireFault) {
        let text = line.extracting(target)
        var length = 0
        if text.count > 7, text.extracting(0..<7).equals(folded: "http://") { length = 7 }
        if text.count > 8, text.extracting(0..<8).equals(folded: "https://") { length = 8 }
        guard length > 0 else { throw .target }
        let authority = target.lowerBound + length
        let end = line.extracting(0..<target.upperBound).end(from: authority) { $0.isHostByte }
        guard end > authority else { throw .target }
        if end < target.upperBound && line[end] == 0x2f { return splitQuery(line, end..<target.upperBound) }
        // An empty path is "/": the second slash of the scheme serves for it.
        head.path = ByteRange((authority - 1)..<authority)
        guard end < target.upperBound else { return }
        guard line[end] == 0x3f else { throw .target }
        head.query = ByteRange((end + 1)..<target.upperBound)
    }

    private mutating func splitQuery(_ line: Span<UInt8>, _ target: Range<Int>) {
        let pathEnd = line.extracting(0..<target.upperBound).end(from: target.lowerBound) { $0 != 0x3f }
        head.path = ByteRange(target.lowerBound..<pathEnd)
        if pathEnd < target.upperBound { head.query = ByteRange((pathEnd + 1)..<target.upperBound) }
    }
}

extension Span<UInt8> {
    func firstLineFeed(from start: Int) -> Int? {
        let place = end(from: start) { $0 != 0x0a }
        return place < count ? place : nil
    }

    /// The index of the first byte from `start` on that is not in the set, or the end.
    @inline(__always)
    func end(from start: Int, while belongs: (UInt8) -> Bool) -> Int {
        var place = start
        while place < count && belongs(self[place]) { place += 1 }
        return place
    }
}
