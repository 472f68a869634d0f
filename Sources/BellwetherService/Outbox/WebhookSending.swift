internal import BellwetherBase
internal import BellwetherCore
internal import Surveys

/// Sends the daemon's own HTTP requests. The target `Webhooks` implements it over libcurl.
///
/// It serves the outbox, and hooks while a request waits for their response.
public protocol WebhookSending: Sendable {
    /// Sends one request. The completion is called once, on a thread of the sender, which it must not block.
    func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion)
}

public typealias WebhookCompletion = @Sendable (Result<WebhookResponse, WebhookFailure>) -> Void

/// One `POST` or `GET` request.
public struct WebhookRequest: Sendable, Hashable {
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

        /// Whether the header is safe. Another name or value would change the rest of the request.
        public var isSafe: Bool {
            HookHeader.isToken(name) && !value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
        }
    }

    public enum Method: Sendable, Hashable {
        case post
        /// The body is not sent.
        case get
    }

    public var method = Method.post
    public let url: WebhookURL
    public let headers: [Header]
    public let body: [UInt8]
    /// The time limit from the call to the end of the response, including the wait for a slot.
    public let seconds: Double
    /// The maximum bytes of the response. A longer response is a failure.
    public var answerBound = 1 << 20

    public init(url: WebhookURL, headers: [Header], body: [UInt8], seconds: Double = 30) {
        self.url = url
        self.headers = headers
        self.body = body
        self.seconds = seconds
    }
}

extension TraceContext {
    /// The headers of a request of the daemon that belongs to the trace. Each request is a span of its own.
    var headers: [WebhookRequest.Header] {
        let parent = WebhookRequest.Header("traceparent", parent(span: UInt64.random(in: 1...UInt64.max)))
        return [parent] + [state.map { WebhookRequest.Header("tracestate", $0) }].compactMap(\.self)
    }
}

/// The response of a receiver, with any status. A redirect is a response like any other.
public struct WebhookResponse: Sendable, Hashable {
    public let status: Int
    /// The seconds of the header `Retry-After`, if it is a number.
    public let retryAfterSeconds: Int64?
    public let contentType: String?
    public let body: [UInt8]

    public init(status: Int, retryAfterSeconds: Int64? = nil, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfterSeconds = retryAfterSeconds
        self.contentType = contentType
        self.body = body
    }
}

/// The reason why there is no response.
public enum WebhookFailure: Error, Sendable, Hashable {
    /// A header has an invalid name, or a value with CR, LF or NUL.
    case unsafeHeader(String)
    /// Every address of the host is refused (docs/reference/webhooks.md#addresses).
    case refusedAddress
    case timeout
    case answerTooLong
    /// The text is libcurl's own, never the receiver's.
    case unreachable(String)
    /// The maximum number of requests is under way, in total or to this host, and none of them ended in time.
    case overloaded
    /// libcurl is not installed, or cannot be used.
    case noLibrary(String)
    /// The daemon stops.
    case closed

    /// A short text for a list of webhooks.
    public var sentence: String {
        switch self {
        case .unsafeHeader(let name): "the header \(name) has a line break or a NUL, or no proper name"
        case .refusedAddress: "the host's address is not allowed (setting webhooks.allow_networks)"
        case .timeout: "no answer in time"
        case .answerTooLong: "the answer is too long"
        case .unreachable(let reason): reason
        case .overloaded: "too many requests are under way"
        case .noLibrary(let reason): "libcurl.so.4 is not installed, or cannot be used: \(reason)"
        case .closed: "the daemon stopped"
        }
    }
}
