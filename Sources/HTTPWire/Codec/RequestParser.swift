/// Reads requests from a buffer, strictly (RFC 9112): a state machine as a value.
///
/// The result does not depend on how the bytes are split. A line is parsed once, when it is complete, so that a client
/// which sends single bytes causes no extra work. After a fault the parser stays failed.
public struct RequestParser: Sendable {
    /// The result of a call of `next`.
    public enum Step {
        case needsMore
        /// A head that announces content, without its content: call `admit(bodyLimit:)`, then `next` again.
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
    /// Where the current line starts and up to where it was searched for its end, from the buffer's start.
    var line = 0
    var scanned = 0
    var chunked = ChunkedContent()
    private var skippedEmptyLine = false

    public init(_ limits: WireLimits = WireLimits()) { self.limits = limits }

    /// True between messages: nothing of a next one has been consumed or looked at.
    public var isAtStart: Bool {
        if case .head = state { return scanned == 0 && !skippedEmptyLine }
        return false
    }

    /// True while a head is complete and its content is still arriving.
    public var isReadingContent: Bool {
        switch state {
        case .content, .chunks, .admission: true
        case .head, .failed: false
        }
    }

    /// How much content has been announced; nil for the chunked coding.
    public var announcedLength: Int? {
        if case .length(let length) = head.framing { length } else { nil }
    }

    /// How much content of a chunked message has arrived.
    public var decodedLength: Int { chunked.bytes.count }

    /// Parses as far as the buffer reaches, and consumes what is parsed.
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

    /// Answers the step `head`: takes the content if it is within the limit. True when the client waits for
    /// `100 Continue` (it does not when content is already here).
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

    /// One empty line before a request is skipped (RFC 9112 2.2). False while that is undecided.
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
