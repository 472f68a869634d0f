/// The content of a chunked message that is decoded so far, and its head, which is no longer in the receive buffer.
struct ChunkedContent: Sendable {
    var head: [UInt8] = []
    var limit = 0
    var bytes: [UInt8] = []
    var extensionBytes = 0
    var trailerBytes = 0
}

extension RequestParser {
    /// Decodes and consumes the bytes in the buffer (RFC 9112 7.1).
    mutating func readChunks(_ buffer: inout ReceiveBuffer, from phase: ChunkPhase) throws(WireFault) -> Step {
        var phase = phase
        defer { if case .chunks = state { state = .chunks(phase) } }
        while true {
            switch phase {
            case .size:
                guard let line = try takeLine(&buffer, atMost: limits.chunkLineBytes, else: .chunk) else {
                    return .needsMore
                }
                let size = try chunkSize(line)
                phase = size == 0 ? .trailers : .data(remaining: size)
            case .data(let remaining):
                let count = min(remaining, buffer.count)
                chunked.bytes.append(contentsOf: buffer.unread.prefix(count))
                buffer.consume(count)
                guard count == remaining else {
                    phase = .data(remaining: remaining - count)
                    return .needsMore
                }
                phase = .end
            case .end:
                guard try takeChunkEnd(&buffer) else { return .needsMore }
                phase = .size
            case .trailers:
                let rest = limits.headBytes - chunked.trailerBytes
                guard let line = try takeLine(&buffer, atMost: rest, else: .headTooLarge) else { return .needsMore }
                if line.isEmpty { return finishChunks() }
                try readTrailer(line)
            }
        }
    }

    /// Reads `1*HEXDIG [";" extensions]`. Signs, prefixes and blanks are refused. 15 digits cannot overflow.
    private mutating func chunkSize(_ line: ArraySlice<UInt8>) throws(WireFault) -> Int {
        let digits = line.prefix { $0.hexValue != nil }
        let extensions = line[digits.endIndex...]
        guard (1...15).contains(digits.count), extensions.isEmpty || extensions.first == 0x3b,
            extensions.allSatisfy({ $0.isFieldValueByte })
        else { throw .chunk }
        chunked.extensionBytes += extensions.count
        guard chunked.extensionBytes <= limits.chunkExtensionBytes else { throw .chunk }
        let size = digits.reduce(0) { $0 << 4 | Int($1.hexValue ?? 0) }
        guard size <= chunked.limit - chunked.bytes.count else { throw .contentTooLarge }
        return size
    }

    private func takeChunkEnd(_ buffer: inout ReceiveBuffer) throws(WireFault) -> Bool {
        guard let first = buffer.unread.first else { return false }
        guard first == 0x0d else { throw .chunk }
        guard buffer.count > 1 else { return false }
        guard buffer.bytes[buffer.start + 1] == 0x0a else { throw .chunk }
        buffer.consume(2)
        return true
    }

    /// Trailers are checked like header lines and then ignored: they must not change the meaning of the head.
    private mutating func readTrailer(_ line: ArraySlice<UInt8>) throws(WireFault) {
        chunked.trailerBytes += line.count + 2
        head.fieldCount += 1
        guard head.fieldCount <= limits.headerCount else { throw .tooManyFields }
        _ = try Self.checkField(line.span, 0..<line.count)
    }

    private mutating func finishChunks() -> Step {
        let request = Request(
            storage: chunked.head, base: 0, head: head, bodyStorage: chunked.bytes,
            bodyRange: 0..<chunked.bytes.count)
        chunked = ChunkedContent()
        restart()
        return .request(request)
    }

    /// Consumes a complete line and returns it without its CRLF; nil while it is still arriving. `limit` includes the
    /// CRLF.
    private mutating func takeLine(
        _ buffer: inout ReceiveBuffer, atMost limit: Int, else fault: WireFault
    ) throws(WireFault) -> ArraySlice<UInt8>? {
        let end = buffer.unread.span.firstLineFeed(from: scanned)
        scanned = end.map { $0 + 1 } ?? buffer.count
        guard scanned <= limit else { throw fault }
        guard let end else { return nil }
        let start = buffer.start
        guard end > 0, buffer.bytes[start + end - 1] == 0x0d else { throw .lineEnd }
        let line = buffer.bytes[start..<(start + end - 1)]
        buffer.consume(end + 1)
        scanned = 0
        return line
    }
}
