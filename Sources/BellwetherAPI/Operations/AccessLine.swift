internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// One line of the access log: a JSON object in ASCII, for any request.
///
/// The line has no query, and no part of a path that identifies a person, because logs may be copied to other systems.
/// See `ShownPath`.
struct AccessLine {
    /// The maximum bytes of a text. A longer text is cut.
    private static let textBytes = 256

    private(set) var bytes: [UInt8] = []

    /// `at` is the time of the response, and `nanoseconds` is its duration.
    mutating func write(_ entry: Entry) {
        bytes.removeAll(keepingCapacity: true)
        bytes += "{\"at\":\"".utf8
        entry.at.write(rfc3339To: &bytes)
        bytes += "\",\"id\":".utf8
        append(text: entry.request.identifier)
        if let trace = entry.request.trace {
            bytes += ",\"trace_id\":\"\(trace.traceID)\",\"span_id\":\"\(trace.parentID)\"".utf8
        }
        bytes += ",\"peer\":".utf8
        append(text: entry.peer.text)
        bytes += ",\"method\":".utf8
        append(text: entry.request.method.name)
        bytes += ",\"route\":".utf8
        append(text: entry.requestContext?.endpoint?.pattern)
        bytes += ",\"path\":".utf8
        append(text: ShownPath.text(entry.request.path, of: entry.requestContext?.endpoint))
        bytes += ",\"app\":".utf8
        append(text: entry.requestContext?.app?.text)
        bytes += ",\"token\":".utf8
        append(text: entry.requestContext?.principal?.name.text)
        bytes += ",\"status\":\(entry.response.status)".utf8
        bytes += ",\"bytes\":\(entry.sentBytes)".utf8
        bytes += ",\"duration_us\":\(entry.nanoseconds / 1000)}\n".utf8
    }

    /// The facts for one line.
    struct Entry {
        let at: Timestamp
        let request: Request
        let response: Response
        /// Nil if no route matches the request.
        let requestContext: RequestContext?
        let peer: PeerAddress
        let nanoseconds: Int64

        /// The bytes of the content that was given to the connection.
        var sentBytes: Int {
            let hasNone = request.method == .head || response.status == 204 || response.status == 304
            return hasNone ? 0 : response.body.count
        }
    }

    /// Escapes every character that is not visible ASCII. So no text can end a line, or move the cursor of a terminal.
    private mutating func append(text: String?) {
        guard let text else {
            bytes += "null".utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        for unit in text.utf16 {
            guard bytes.count - start < Self.textBytes else {
                bytes += "...".utf8
                break
            }
            switch unit {
            case 0x22, 0x5C: bytes += [0x5C, UInt8(unit)]
            case 0x20...0x7E: bytes.append(UInt8(unit))
            default: append(escaped: unit)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped unit: UInt16) {
        bytes += "\\u".utf8
        for shift in [12, 8, 4, 0] { bytes.append(Self.digits[Int(unit >> UInt16(shift)) & 15]) }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
