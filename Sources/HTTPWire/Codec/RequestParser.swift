/// A strict request parser (RFC 9112): a state machine as a value.
///
/// The result does not depend on how the bytes are split. A line is parsed once, when it is complete, so a client that
/// sends single bytes causes no extra work. After a fault the parser stays failed.
public struct RequestParser: Sendable {
    /// The result of a call of `next`.
    public enum Step {
        case needsMore
        /// A head that announces content, without its content. The caller must call `admit(bodyLimit:)`, then `next`
        /// again.
        case head(Request)
        case request(Request)
        case fault(WireFault)
    }

    enum State: Sendable {
        case head, admission
        case chunks(ChunkPhase)
        case content(length: Int)
        case failed(WireFault)
    }

    enum ChunkPhase: Sendable {
        case size, end, trailers
        case data(remaining: Int)
    }

    let limits: WireLimits
    var state = State.head
    var head = RequestHead()
    /// The start of the current line, and the position up to which its end was searched, both from the buffer's start.
    var line = 0
    var scanned = 0
    var chunked = ChunkedContent()
    private var skippedEmptyLine = false

    public init(_ limits: WireLimits = WireLimits()) { self.limits = limits }

    /// Whether the parser is between messages, and has not consumed or examined any byte of the next one.
    public var isAtStart: Bool {
        if case .head = state { return scanned == 0 && !skippedEmptyLine }
        return false
    }

    /// Whether a head is complete and its content is still arriving.
    public var isReadingContent: Bool {
        switch state {
        case .content, .chunks, .admission: true
        case .head, .failed: false
        }
    }

    /// The announced size of the content; nil for the chunked coding.
    public var announcedLength: Int? {
        if case .length(let length) = head.framing { length } else { nil }
    }

    /// The size of a chunked message's content so far.
    public var decodedLength: Int { chunked.bytes.count }

    /// Parses the bytes in the buffer, and consumes the parsed ones.
    public mutating func next(_ buffer: inout ReceiveBuffer) -> Step {
        do throws(WireFault) {
            return try advance(&buffer)
        } catch {
            state = .failed(error)
            return .fault(error)
        }
    }

    private mutating func advance(_ buffer: inout ReceiveBuffer) throws(WireFault) -> Step {
        switch state {
        case .head:
            guard try skipEmptyLine(&buffer), try readHead(buffer.bytes.span.extracting(buffer.start..<buffer.end))
            else { return .needsMore }
            return finishHead(&buffer)
        case .admission: return .head(request(in: buffer, contentLength: 0))
        case .content(let length):
            guard buffer.count - head.length >= length else { return .needsMore }
            return finish(&buffer, contentLength: length)
        case .chunks(let phase): return try readChunks(&buffer, from: phase)
        case .failed(let fault): throw fault
        }
    }

    /// Continues after the step `head`: accepts the content if it is within the limit. Returns whether the client waits
    /// for `100 Continue`. It does not wait if content has already arrived.
    public mutating func admit(bodyLimit: Int, _ buffer: inout ReceiveBuffer) throws(WireFault) -> Bool {
        if case .length(let length) = head.framing {
            guard length <= bodyLimit else {
                state = .failed(.contentTooLarge)
                throw .contentTooLarge
            }
            state = .content(length: length)
        } else {
            chunked = ChunkedContent(head: Array(buffer.unread.prefix(head.length)), limit: bodyLimit)
            buffer.consume(head.length)
            scanned = 0
            state = .chunks(.size)
            return head.expectation == .proceed && buffer.isEmpty
        }
        return head.expectation == .proceed && buffer.count == head.length
    }

    private mutating func finishHead(_ buffer: inout ReceiveBuffer) -> Step {
        guard head.framing != .none else { return finish(&buffer, contentLength: 0) }
        state = .admission
        return .head(request(in: buffer, contentLength: 0))
    }

    private mutating func finish(_ buffer: inout ReceiveBuffer, contentLength: Int) -> Step {
        let request = request(in: buffer, contentLength: contentLength)
        buffer.consume(head.length + contentLength)
        restart()
        return .request(request)
    }

    mutating func restart() {
        state = .head
        head = RequestHead()
        line = 0
        scanned = 0
        skippedEmptyLine = false
    }

    private func request(in buffer: ReceiveBuffer, contentLength: Int) -> Request {
        let content = buffer.start + head.length
        return Request(
            storage: buffer.bytes, base: buffer.start, head: head, bodyStorage: buffer.bytes,
            bodyRange: content..<(content + contentLength))
    }

    /// Skips one empty line before a request (RFC 9112 2.2). Returns false while the bytes do not decide that yet.
    private mutating func skipEmptyLine(_ buffer: inout ReceiveBuffer) throws(WireFault) -> Bool {
        guard scanned == 0, !buffer.isEmpty else { return !buffer.isEmpty }
        if !skippedEmptyLine && buffer.bytes[buffer.start] == 0x0d {
            guard buffer.count > 1 else { return false }
            guard buffer.bytes[buffer.start + 1] == 0x0a else { throw .requestLine }
            buffer.consume(2)
            skippedEmptyLine = true
            guard !buffer.isEmpty else { return false }
        }
        guard buffer.bytes[buffer.start].isTokenByte else { throw .requestLine }
        return true
    }
}

extension RequestParser {
    /// Reads the complete lines of the head. Returns whether the empty line was among them.
    ///
    /// `window` starts with the request line. All offsets in `head` are counted from there.
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
        // Usually all bytes before the version are the target, and one step checks them.
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

    /// Reads `http://host[:port][/path][?query]` (RFC 9112 3.2.2). The host is ignored, because all hosts are served in
    /// the same way.
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
        // An empty path is "/". The second slash of the scheme is used for it.
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
        let index = end(from: start) { $0 != 0x0a }
        return index < count ? index : nil
    }

    /// The index of the first byte from `start` that is not in the set, or the end.
    @inline(__always)
    func end(from start: Int, while belongs: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count && belongs(self[index]) { index += 1 }
        return index
    }
}

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

    /// Applies a field that affects the framing of the message or the connection.
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

    /// Reads the options of the connection. `close` anywhere in the list ends it; `keep-alive` keeps it in HTTP/1.0
    /// (RFC 9112 9.3).
    private mutating func readConnection(_ value: Span<UInt8>) {
        var index = 0
        while index < value.count {
            let end = value.end(from: index) { $0 != 0x2c }
            let option = value.extracting(value.trimmed(index..<end))
            if option.equals(folded: "close") {
                head.closes = true
            } else if option.equals(folded: "keep-alive") {
                head.asksKeepAlive = true
            }
            index = end + 1
        }
    }

    /// A length above every limit that is too small to overflow.
    private static let endlessContent = 999_999_999_999_999_999

    /// Reads a length, which has only digits: no sign and no list. A number that is too large is not malformed; the
    /// limit refuses it.
    private static func contentLength(_ value: Span<UInt8>) throws(WireFault) -> RequestHead.Framing {
        guard !value.isEmpty, value.end(from: 0, while: { $0.isDigit }) == value.count else { throw .contentLength }
        var length = 0
        for index in 0..<value.count {
            length = length > endlessContent / 10 ? endlessContent : length * 10 + Int(value[index] - 0x30)
        }
        return length == 0 ? .none : .length(length)
    }

    /// Decides how the content is delimited, once all fields are known (RFC 9112 6.3).
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
