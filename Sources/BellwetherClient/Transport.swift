/// The way of requests to the daemon. `URLSessionTransport` is the usual one.
public protocol Transport: Sendable {
    /// Sends a request and returns the response, whatever its status is. Throws if there is no response.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// One request below `/v1/apps/{app}/`.
public struct TransportRequest: Sendable, Hashable {
    public let method: String
    /// The path below the app: `messages`. Its segments are percent-encoded.
    public let path: String
    /// The parameters of the query, not encoded.
    public var query: [Parameter] = []
    public var headers: [String: String] = [:]
    /// The JSON of a POST.
    public var body: [UInt8]?

    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    public init(_ method: String, _ path: String, body: [UInt8]? = nil) {
        (self.method, self.path, self.body) = (method, path, body)
    }

    /// The path with the query.
    public var target: String {
        guard !query.isEmpty else { return path }
        let items = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        return path + "?" + items.joined(separator: "&")
    }

    /// Percent-encodes everything except the characters that RFC 3986 calls unreserved.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

public struct TransportResponse: Sendable, Hashable {
    public let status: Int
    public let body: [UInt8]
    /// The entity tag, for `If-None-Match`.
    public let entityTag: String?
    /// The seconds that the daemon wants a client to wait.
    public let retryAfter: Int64?

    public init(status: Int, body: [UInt8] = [], entityTag: String? = nil, retryAfter: Int64? = nil) {
        (self.status, self.body, self.entityTag, self.retryAfter) = (status, body, entityTag, retryAfter)
    }

    /// Whether the daemon has decided: a repetition would have the same outcome. A 401 is none, because an app may
    /// get another token.
    var isFinal: Bool {
        switch status {
        case 401, 408, 425, 429: false
        default: (200..<500).contains(status)
        }
    }

    var isSuccess: Bool { (200..<300).contains(status) }
}
