internal import BellwetherBase
public import BellwetherJSON

/// A daemon for the tests of an app: nothing is sent. It keeps the requests of the client, and answers them as the test
/// says.
///
/// A poll receives `messages`. A request with a path in `answers` receives that answer; any other one is accepted.
public actor TestTransport: Transport {
    private let messages: [JSONValue]
    private let answers: [String: TransportResponse]
    /// The requests that the client has sent, in order.
    public private(set) var requests: [TransportRequest] = []

    /// - Parameters:
    ///   - messages: the messages of each poll, as `POST /v1/apps/{app}/messages` answers them.
    ///   - answers: the answers to requests by their path below the app, such as `questionnaires/first-trips`.
    public init(messages: [JSONValue] = [], answers: [String: TransportResponse] = [:]) {
        (self.messages, self.answers) = (messages, answers)
    }

    /// The events that the client has sent, in order.
    public var events: [JSONValue] {
        requests.filter { $0.path == "events" }.flatMap { request -> [JSONValue] in
            let body = request.body.flatMap { try? JSONValue(parsing: $0) }
            return body?["events"].array ?? []
        }
    }

    public func send(_ request: TransportRequest) -> TransportResponse {
        requests.append(request)
        if let answer = answers[request.path] { return answer }
        switch request.path {
        case "messages":
            let body: JSONValue = ["messages": .array(messages), "next_poll_seconds": 300]
            return TransportResponse(status: 200, body: body.encoded)
        case "bundle": return TransportResponse(status: 404)
        default: return TransportResponse(status: 200, body: Array("{}".utf8))
        }
    }
}

extension BellwetherClient {
    /// Creates a client for the tests of an app: it has no network, no files and a clock that stands still. It sends
    /// when it is told to `flush()`.
    public init(tests daemon: TestTransport, configuration: ClientConfiguration = ClientConfiguration()) {
        var configuration = configuration
        configuration.flushSeconds = nil
        self.init(
            configuration, transport: daemon, storage: MemoryStorage(),
            clock: { Timestamp(milliseconds: 1_800_000_000_000) })
    }
}
