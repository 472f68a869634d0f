internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
public import Surveys
internal import Synchronization

/// Calls of hooks since the start, by what called them. A call is counted once, however often it is made again.
public struct HookStatistics: Sendable, Hashable {
    public struct Counts: Sendable, Hashable {
        /// The server said something.
        public fileprivate(set) var answered = 0
        public fileprivate(set) var failed = 0
    }

    public fileprivate(set) var counts: [FlowHook.Occasion: Counts] = [:]
    /// Calls that have no answer yet.
    public fileprivate(set) var waiting = 0
}

/// Asks the owner's server what a flow needs (docs/reference/flows.md#hooks): whether a respondent may leave a step,
/// how a step is shown, what is said to a message of a chat. The request that waits for it is parked; no thread waits.
public final class HookCaller: Sendable {
    /// What became of a call of an advance or render hook.
    public struct Answer: Sendable {
        public let result: FlowHookAnswer
        /// In their order, for the log.
        public let events: [FlowEvent]
    }

    /// Calls the job after so many seconds.
    public typealias Timer = @Sendable (_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> Void

    /// A secret of this name signs each call.
    private static let signingSecret = "hooks"

    private let sender: any WebhookSending
    private let secrets: Mutex<WebhookSecrets>
    private let userAgent: String
    private let clock: Clock
    private let timer: Timer
    private let counted = Mutex(HookStatistics())

    public var statistics: HookStatistics { counted.withLock(\.self) }

    public init(
        sender: any WebhookSending, secrets: WebhookSecrets, userAgent: String, clock: Clock = .system,
        timer: @escaping Timer = OutboxDispatcher.systemTimer
    ) {
        (self.sender, self.userAgent, self.clock, self.timer) = (sender, userAgent, clock, timer)
        self.secrets = Mutex(secrets)
    }

    /// Secrets for the calls to come.
    public func follow(_ secrets: WebhookSecrets) { self.secrets.withLock { $0 = secrets } }

    /// Calls the hook that an action needs, and again after a failure as often as it says. The completion is called
    /// once, on another thread.
    public func call(
        _ exchange: FlowExchange, of run: Run, in flow: FlowDefinition, app: String,
        _ completion: @escaping @Sendable (Answer) -> Void
    ) {
        let call = StepCall(exchange: exchange, run: run, flow: flow, app: app, began: clock.nanoseconds())
        // A password is sent once.
        let post = HookPost(
            occasion: exchange.occasion, hook: exchange.hook, body: call.body, run: run,
            isRepeated: !exchange.hasSecret)
        send(post) { [clock] attempts, outcome in
            completion(call.answer(attempts: attempts, outcome, at: clock.nanoseconds()))
        }
    }

    /// Sends a message of a chat. Calls that do not reach the server, or that it cannot answer, are made again.
    public func call(
        _ exchange: ChatExchange, of run: Run, in flow: FlowDefinition, app: String,
        _ completion: @escaping @Sendable (Result<ChatReply, ChatFailure>) -> Void
    ) {
        var body = exchange.body
        (body["flow_id"], body["app_id"], body["user_id"]) = (.string(flow.id), .string(app), run.userID)
        var post = HookPost(occasion: .chat, hook: exchange.hook, body: body, run: run)
        post.isWorthARetry = { failure in
            if case .status(let status, _) = failure { return status >= 500 }
            return true
        }
        send(post) { _, outcome in
            completion(
                Result { () throws(ChatFailure) in
                    switch outcome {
                    case .success(let body): return try ChatReply(body)
                    case .failure(.status(let status, let body)):
                        throw ChatFailure("status \(status)", httpStatus: status, body: body)
                    case .failure(let failure): throw ChatFailure(failure.sentence)
                    }
                })
        }
    }

    /// - Parameter completion: with the number of attempts.
    private func send(
        _ post: HookPost, _ completion: @escaping @Sendable (Int, Result<[UInt8], HookFailure>) -> Void
    ) {
        counted.withLock { $0.waiting += 1 }
        let finish = { @Sendable [self] (attempts: Int, outcome: Result<[UInt8], HookFailure>) in
            counted.withLock { statistics in
                statistics.waiting -= 1
                switch outcome {
                case .success: statistics.counts[post.occasion, default: HookStatistics.Counts()].answered += 1
                case .failure: statistics.counts[post.occasion, default: HookStatistics.Counts()].failed += 1
                }
            }
            completion(attempts, outcome)
        }
        guard let request = request(for: post) else { return finish(1, .failure(.configuration)) }
        attempt(post, request, 1, finish)
    }

    private func attempt(
        _ post: HookPost, _ request: WebhookRequest, _ number: Int,
        _ completion: @escaping @Sendable (Int, Result<[UInt8], HookFailure>) -> Void
    ) {
        sender.send(request) { [self] outcome in
            let failure: HookFailure
            switch outcome {
            case .success(let answer) where (200..<300).contains(answer.status):
                return completion(number, .success(answer.body))
            case .success(let answer): failure = .status(answer.status, answer.body)
            case .failure(let error): failure = .transport(error)
            }
            guard number <= post.hook.retryCount, post.isRepeated, post.isWorthARetry(failure) else {
                return completion(number, .failure(failure))
            }
            timer(Double(1 << (number - 1))) { [self] in attempt(post, request, number + 1, completion) }
        }
    }

    /// Nil: the address is none, or a header names a secret that the settings do not have.
    private func request(for post: HookPost) -> WebhookRequest? {
        let secrets = secrets.withLock { $0 }
        guard let url = WebhookURL(post.hook.url), let progress = post.run.flow else { return nil }
        let body = JSONValue.object(post.body).encoded
        let (id, now) = (WebhookID.make(), clock.now())
        var headers = [
            WebhookRequest.Header("Content-Type", "application/json"),
            WebhookRequest.Header("User-Agent", userAgent), WebhookRequest.Header("webhook-id", id),
            WebhookRequest.Header("webhook-timestamp", "\(now.seconds)"),
        ]
        if let key = secrets.key(named: Self.signingSecret) {
            let signature = WebhookSignature.text(id: id, timestamp: now.seconds, body: body, key: key)
            headers.append(WebhookRequest.Header("webhook-signature", signature))
        }
        for (name, text) in post.hook.headers.sorted(by: { $0.key < $1.key }) {
            let value = progress.header(text) { name in
                secrets.key(named: name).flatMap { String(validating: $0, as: UTF8.self) }
            }
            guard let value else { return nil }
            headers.append(WebhookRequest.Header(name, value))
        }
        return WebhookRequest(
            url: url, headers: headers, body: body, seconds: Double(post.hook.timeoutMilliseconds) / 1000)
    }
}

/// What is posted to a hook, and when it is posted again.
private struct HookPost: Sendable {
    let occasion: FlowHook.Occasion
    let hook: FlowHook
    let body: JSONObject
    /// Templates in headers read its answers.
    let run: Run
    var isRepeated = true
    var isWorthARetry: @Sendable (HookFailure) -> Bool = { _ in true }
}

/// Why a hook has no answer.
private enum HookFailure: Error {
    case configuration
    case status(Int, [UInt8])
    case transport(WebhookFailure)

    /// For the log's events.
    var type: String {
        switch self {
        case .configuration: "configuration"
        case .status: "http_status"
        case .transport(.timeout): "timeout"
        case .transport: "network"
        }
    }

    var sentence: String {
        switch self {
        case .configuration: "the hook's address, headers or secrets cannot be used"
        case .status(let status, _): "status \(status)"
        case .transport(let failure): failure.sentence
        }
    }
}

extension Run {
    fileprivate var userID: JSONValue { respondent.userID.map { .string($0) } ?? .null }
}

/// A call of an advance or render hook, and what is told of it.
private struct StepCall: Sendable {
    let exchange: FlowExchange
    let run: Run
    let flow: FlowDefinition
    let app: String
    /// Nanoseconds of the clock.
    let began: Int64

    var body: JSONObject {
        [
            "flow_id": .string(flow.id), "step_id": .string(exchange.step.id),
            "step_index": .integer(Int64(exchange.stepIndex)), "step_type": .string(exchange.step.kind.rawValue),
            "step_data": .object(exchange.answers), "responses": .object(exchange.responses),
            "user_id": run.userID, "app_id": .string(app),
        ]
    }

    func answer(attempts: Int, _ outcome: Result<[UInt8], HookFailure>, at now: Int64) -> HookCaller.Answer {
        var events = [event("started")]
        events += (1..<attempts).map { event("retry", ["attempt_number": .integer(Int64($0))]) }
        switch outcome {
        case .success(let body):
            let result = FlowHookAnswer((try? JSONValue(parsing: body, limits: .standard)) ?? .null, exchange)
            let milliseconds = max(0, now - began) / 1_000_000
            events.append(
                event("completed", ["result": .string(result.name), "duration_ms": .integer(milliseconds)]))
            return HookCaller.Answer(result: result, events: events)
        case .failure(let failure):
            events.append(
                event("error", ["error_type": .string(failure.type), "error_message": .string(failure.sentence)]))
            return HookCaller.Answer(result: FlowHookAnswer(failureOf: exchange), events: events)
        }
    }

    private func event(_ name: String, _ more: JSONObject = [:]) -> FlowEvent {
        var extra: JSONObject = [
            "flow_id": .string(flow.id), "step_id": .string(exchange.step.id),
            "hook_type": .string(exchange.occasion.rawValue),
        ]
        for member in more { extra[member.key] = member.value }
        return FlowEvent("onboarding_hook_\(name)", extra)
    }
}
