public import BellwetherJSON

/// A response from a responder. The codec adds Content-Length, Date, Connection and X-Request-Id.
public struct Response: Sendable {
    public var status: Int
    /// Formatted `Name: value` lines, each with a CRLF. Use `add(_:_:)`, which keeps values to one line.
    public var headers: [UInt8]
    public var body: Body
    /// Whether the responder has chosen the content coding itself. The body is then sent unchanged.
    public var isEncoded = false
    /// Whether the responder itself has allowed pages of any origin to read the response.
    public var isForAnyOrigin = false

    /// The content. Pieces are sent one after the other and are never joined first. 204 and 304 responses have none.
    public enum Body: Sendable {
        case empty
        case bytes([UInt8])
        case pieces([[UInt8]])

        /// The size in bytes.
        public var count: Int {
            switch self {
            case .empty: 0
            case .bytes(let bytes): bytes.count
            case .pieces(let pieces): pieces.reduce(0) { $0 + $1.count }
            }
        }
    }

    public init(_ status: Int, headers: [UInt8] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Adds a field line. CR, LF and NUL in the value are dropped, so that no value can start another field.
    public mutating func add(_ name: StaticString, _ value: String) { headers.append(field: name, value) }

    /// Adds a complete field line without its CRLF.
    public mutating func add(line: StaticString) {
        headers.append(text: line)
        headers.append(text: "\r\n")
    }

    public static func json(_ status: Int, _ value: JSONValue) -> Response {
        var response = Response(status, body: .bytes(value.encoded))
        response.add("Content-Type", "application/json")
        return response
    }

    public static func problem(_ problem: Problem) -> Response {
        var response = Response(problem.status, headers: problem.headers, body: .bytes(problem.json.encoded))
        response.add("Content-Type", "application/problem+json")
        return response
    }
}

extension [UInt8] {
    /// Appends a field line, without the bytes that would end it early.
    mutating func append(field name: StaticString, _ value: String) {
        append(text: name)
        append(contentsOf: [0x3a, 0x20])
        for byte in value.utf8 where byte != 0x0d && byte != 0x0a && byte != 0 { append(byte) }
        append(contentsOf: [0x0d, 0x0a])
    }

    package mutating func append(text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
