import BellwetherJSON
import BellwetherService
import Synchronization

/// An owner's server: it returns prepared responses and stores the requests.
final class HookReceiver: WebhookSending {
    typealias Response = Result<WebhookResponse, WebhookFailure>

    private let answers: Mutex<[Response]>
    private let received = Mutex<[WebhookRequest]>([])

    init(_ answers: [Response]) { self.answers = Mutex(answers) }

    var requests: [WebhookRequest] { received.withLock(\.self) }

    /// The bodies of the requests, in their order.
    func bodies() throws -> [JSONValue] { try requests.map { try JSONValue(parsing: $0.body) } }

    func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion) {
        received.withLock { $0.append(request) }
        completion(answers.withLock { $0.isEmpty ? .failure(.timeout) : $0.removeFirst() })
    }

    static func answer(_ body: JSONValue, status: Int = 200) -> Response {
        .success(WebhookResponse(status: status, body: body.encoded))
    }

    /// A caller without delays between retries.
    static func caller(
        _ receiver: HookReceiver, _ secrets: WebhookSecrets = WebhookSecrets(), playsSamples: Bool = false
    ) -> HookCaller {
        HookCaller(
            sender: receiver, secrets: secrets, userAgent: "test", playsSamples: playsSamples,
            timer: { _, job in job() })
    }
}
