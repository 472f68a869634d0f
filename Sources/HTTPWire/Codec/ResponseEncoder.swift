internal import BellwetherJSON

/// Writes responses as HTTP/1.1 bytes, and adds the codec's own fields: Date, X-Request-Id, Connection and
/// Content-Length.
public struct ResponseEncoder: Sendable {
    /// The interim response for a client that waits for it before it sends its content.
    public static let proceed: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

    private var second = Int64.min
    private var date: [UInt8] = []
    private var lastID: RequestID

    /// `idPrefix` is a random number that distinguishes this encoder's request ids.
    public init(idPrefix: UInt64) { lastID = RequestID(prefix: idPrefix) }

    /// Sets the time of the Date field, in seconds since 1970. The line is created again only if the second has
    /// changed.
    public mutating func setTime(_ seconds: Int64) {
        guard seconds != second else { return }
        second = seconds
        date = Array("Date: \(HTTPDate.text(seconds: seconds))\r\n".utf8)
    }

    public mutating func makeID() -> RequestID {
        lastID.serial &+= 1
        lastID.milliseconds = UInt64(max(second, 0)) &* 1000
        return lastID
    }

    /// Appends the whole response. The content is left out if the method or the status has none.
    public func encode(_ response: Response, _ context: ResponseContext, to output: inout [UInt8]) {
        // Only final responses are sent. After any other status, the client would assign later responses to the wrong
        // requests.
        guard (200...599).contains(response.status) else { return encode(Response(500), context, to: &output) }
        appendHead(response, context, to: &output)
        appendContent(response, context, to: &output)
    }

    /// Appends the head of a response whose content follows piece by piece: in chunks, or until the connection is
    /// closed for a client of HTTP/1.0.
    public func encodeOpenHead(_ response: Response, _ context: ResponseContext, to output: inout [UInt8]) {
        appendHead(response, context, to: &output)
        output.append(text: context.isHTTP10 ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n")
    }

    private func appendHead(_ response: Response, _ context: ResponseContext, to output: inout [UInt8]) {
        appendStatusLine(response.status, to: &output)
        output.append(contentsOf: date)
        output.append(text: "X-Request-Id: ")
        if let identifier = context.clientIdentifier {
            output.append(contentsOf: identifier)
        } else {
            context.generatedID.append(to: &output)
        }
        output.append(text: "\r\n")
        if !context.keepsAlive {
            output.append(text: "Connection: close\r\n")
        } else if context.isHTTP10 {
            output.append(text: "Connection: keep-alive\r\n")
        }
        output.append(contentsOf: response.headers)
    }

    private func appendContent(_ response: Response, _ context: ResponseContext, to output: inout [UInt8]) {
        guard response.status != 204 && response.status != 304 else { return output.append(text: "\r\n") }
        output.append(text: "Content-Length: ")
        output.append(decimal: response.body.count)
        output.append(text: "\r\n\r\n")
        guard !context.isHead else { return }
        switch response.body {
        case .empty: break
        case .bytes(let bytes): output.append(contentsOf: bytes)
        case .pieces(let pieces): for piece in pieces { output.append(contentsOf: piece) }
        }
    }

    private func appendStatusLine(_ status: Int, to output: inout [UInt8]) {
        switch status {
        case 200: return output.append(text: "HTTP/1.1 200 OK\r\n")
        case 304: return output.append(text: "HTTP/1.1 304 Not Modified\r\n")
        default: break
        }
        output.append(text: "HTTP/1.1 ")
        output.append(decimal: status)
        output.append(text: " ")
        output.append(text: StatusPhrase.phrase(status))
        output.append(text: "\r\n")
    }
}

extension [UInt8] {
    /// Appends a number of 0 or more in decimal.
    mutating func append(decimal number: Int) { JSONText.append(Int64(number), to: &self) }
}
