extension RequestParser {
    /// Reads one field line of the head (RFC 9112 5).
    mutating func readField(_ window: Span<UInt8>, _ line: Range<Int>) throws(WireFault) {
        head.fieldCount += 1
        guard head.fieldCount <= limits.headerCount else { throw .tooManyFields }
        let colon = try Self.checkField(window, line)
        let value = window.trimmed((colon + 1)..<line.upperBound)
        guard let name = KnownHeader(name: window.extracting(line.lowerBound..<colon)) else { return }
        if head[name].isPresent {
            guard name.isList else { throw .duplicateField }
            head.markRepeated(name)
        } else {
            head[name] = ByteRange(value)
        }
        try apply(name, window.extracting(value))
    }

    /// The index of the colon in a well-formed field line.
    static func checkField(_ window: Span<UInt8>, _ line: Range<Int>) throws(WireFault) -> Int {
        if window[line.lowerBound].isBlank { throw .folding }
        let text = window.extracting(0..<line.upperBound)
        let colon = text.end(from: line.lowerBound) { $0.isTokenByte }
        guard colon < line.upperBound else { throw .fieldLine }
        guard window[colon] == 0x3a, colon > line.lowerBound else { throw .fieldName }
        guard text.end(from: colon + 1, while: { $0.isFieldValueByte }) == line.upperBound else { throw .fieldValue }
        return colon
    }

    /// What a field means for reading this message and keeping the connection.
    private mutating func apply(_ name: KnownHeader, _ value: Span<UInt8>) throws(WireFault) {
        switch name {
        case .connection: readConnection(value)
        case .contentLength: head.framing = try Self.contentLength(value)
        case .transferEncoding:
            guard value.equals(folded: "chunked") else { throw .transferEncoding }
        case .expect: head.expectation = value.equals(folded: "100-continue") ? .proceed : .unknown
        case .host:
            guard value.end(from: 0, while: { $0.isHostByte }) == value.count else { throw .host }
        default: break
        }
    }

    /// `close` anywhere in the list ends the connection; `keep-alive` keeps it in HTTP/1.0 (RFC 9112 9.3).
    private mutating func readConnection(_ value: Span<UInt8>) {
        var place = 0
        while place < value.count {
            let end = value.end(from: place) { $0 != 0x2c }
            let option = value.extracting(value.trimmed(place..<end))
            if option.equals(folded: "close") {
                head.closes = true
            } else if option.equals(folded: "keep-alive") {
                head.asksKeepAlive = true
            }
            place = end + 1
        }
    }

    /// Above every limit, and too small to overflow.
    private static let endlessContent = 999_999_999_999_999_999

    /// Digits only, no sign, no list. A number that is too large is not malformed: the limit refuses it.
    private static func contentLength(_ value: Span<UInt8>) throws(WireFault) -> RequestHead.Framing {
        guard !value.isEmpty, value.end(from: 0, while: { $0.isDigit }) == value.count else { throw .contentLength }
        var length = 0
        for place in 0..<value.count {
            length = length > endlessContent / 10 ? endlessContent : length * 10 + Int(value[place] - 0x30)
        }
        return length == 0 ? .none : .length(length)
    }

    /// Decides how the content is delimited once all fields are known (RFC 9112 6.3).
    mutating func settleFraming() throws(WireFault) {
        if !head.isHTTP10 && !head[.host].isPresent { throw .host }
        if head[.transferEncoding].isPresent {
            guard !head[.contentLength].isPresent else { throw .framing }
            guard !head.isHTTP10 else { throw .transferEncoding }
            head.framing = .chunked
        }
        // HTTP/1.0 has no expectations (RFC 9110 10.1.1).
        if head.isHTTP10 { head.expectation = .none }
        if head.expectation == .unknown { throw .expectation }
    }
}

extension Span<UInt8> {
    /// The range without blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end && self[start].isBlank { start += 1 }
        while end > start && self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
