internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
public import Surveys
internal import Synchronization

/// The number of hook calls since the start, by occasion. A call with retries counts once.
public struct HookStatistics: Sendable, Hashable {
    public struct Counts: Sendable, Hashable {
        /// The calls that had a successful response.
        public fileprivate(set) var answered = 0
        public fileprivate(set) var failed = 0
    }

    public fileprivate(set) var counts: [FlowHook.Occasion: Counts] = [:]
    /// The calls that have no response yet.
    public fileprivate(set) var waiting = 0
}

/// The run and the recipe for which the owner's server is called.
struct HookSubject: Sendable {
    let run: Run
    let flow: FlowDefinition
    let app: Identifier
    /// The id of the respondent's action. The same call for the same action has the same `webhook-id`.
    let actionID: Identifier?
    /// Names of secrets that sign webhooks of the app.
    let signingSecrets: Set<String>
    /// The trace that the request of the respondent belongs to.
    let trace: TraceContext?

    /// Adds the members about the flow and the respondent, which every request has, to a body.
    fileprivate func identifying(_ body: JSONObject) -> JSONObject {
        var body = body
        (body["flow_id"], body["app_id"]) = (.string(flow.id), .string(app))
        body["user_id"] = run.respondent.userID.map { .string($0) } ?? .null
        body["client_id"] = run.clientID.map { .string($0) } ?? .null
        return body
    }
}

/// Calls the owner's server for a flow (docs/reference/flows.md#hooks). The server decides whether a respondent may
/// leave a step, changes how a step is shown, and replies to messages of a chat. No thread waits for a response.
public final class HookCaller: Sendable {
    /// The outcome of a call of an advance or render hook.
    struct Outcome: Sendable {
        let result: FlowHookOutcome
        /// The events for the log, in their order.
        let events: [FlowEvent]
        /// The outcome of the same call as a failure, for a response that is too large to store.
        let refused: @Sendable () -> Outcome
    }

    /// Calls the job after this number of seconds.
    public typealias Timer = @Sendable (_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> Void

    private let sender: any WebhookSending
    private let secrets: Mutex<WebhookSecrets>
    private let userAgent: String
    private let clock: Clock
    private let timer: Timer
    /// Whether a chat gets the sample replies of its flow, if it has any, without a call of the server.
    private let playsSamples: Bool
    private let counted = Mutex(HookStatistics())

    public var statistics: HookStatistics { counted.withLock(\.self) }

    public init(
        sender: any WebhookSending, secrets: WebhookSecrets, userAgent: String, playsSamples: Bool = false,
        clock: Clock = .system, timer: @escaping Timer = OutboxDispatcher.systemTimer
    ) {
        (self.sender, self.userAgent, self.clock, self.timer) = (sender, userAgent, clock, timer)
        self.playsSamples = playsSamples
        self.secrets = Mutex(secrets)
    }

    /// Sets the secrets for later calls.
    public func follow(_ secrets: WebhookSecrets) { self.secrets.withLock { $0 = secrets } }

    /// Calls the hook that an action needs. After a failure it retries, up to the hook's retry count. The completion is
    /// called once, on another thread; nil means that the daemon stops.
    func call(
        _ exchange: FlowHookCall, about subject: HookSubject, _ completion: @escaping @Sendable (Outcome?) -> Void
    ) {
        let call = StepCall(exchange: exchange, subject: subject, began: clock.nanoseconds())
        // A request with a password is sent once.
        let post = HookPost(
            occasion: exchange.occasion, hook: exchange.hook, step: exchange.step.id, body: call.body,
            subject: subject, run: exchange.run, isRepeated: !exchange.hasSecret)
        send(post) { [clock] attempts, outcome in
            if case .failure(.transport(.closed)) = outcome { return completion(nil) }
            completion(call.answer(attempts: attempts, outcome, at: clock.nanoseconds()))
        }
    }

    /// Sends a message of a chat. A call is retried if it does not reach the server, or if the status is 500 or higher.
    /// The completion is called once, on another thread; nil means that the daemon stops.
    func call(
        _ exchange: ChatHookCall, about subject: HookSubject,
        _ completion: @escaping @Sendable (Result<ChatReply, ChatFailure>?) -> Void
    ) {
        if playsSamples, let reply = exchange.sampleReply { return timer(0) { completion(.success(reply)) } }
        var post = HookPost(
            occasion: .chat, hook: exchange.hook, step: exchange.step, body: subject.identifying(exchange.body),
            subject: subject, run: subject.run.flow)
        post.isWorthARetry = { failure in
            if case .status(let status, _) = failure { return status >= 500 }
            return true
        }
        send(post) { _, outcome in
            if case .failure(.transport(.closed)) = outcome { return completion(nil) }
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

    /// - Parameter completion: receives the number of attempts and the outcome.
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
        // The request is not made on the calling thread, which may be the writer's.
        timer(0) { [self] in
            guard let request = request(for: post) else { return finish(1, .failure(.configuration)) }
            attempt(post, request, 1, finish)
        }
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

    /// The request of a post; nil if its address is invalid, a header has an invalid name, or a header names a secret
    /// that it may not use.
    private func request(for post: HookPost) -> WebhookRequest? {
        let (subject, secrets) = (post.subject, secrets.withLock { $0 })
        guard let url = WebhookURL(post.hook.url), let run = post.run else { return nil }
        let (body, now) = (JSONValue.object(post.body).encoded, clock.now())
        let id = post.id
        var headers = [
            WebhookRequest.Header("Content-Type", "application/json"),
            WebhookRequest.Header("User-Agent", userAgent), WebhookRequest.Header("webhook-id", id.text),
            WebhookRequest.Header("webhook-timestamp", "\(now.seconds)"),
        ]
        if let key = try? secrets.signingKey(WebhookSecrets.hookKey, of: subject.app, to: url) {
            let signature = WebhookSignature.text(id: id, timestamp: now.seconds, body: body, key: key)
            headers.append(WebhookRequest.Header("webhook-signature", signature))
        }
        for (name, text) in post.hook.headers.sorted(by: { $0.key.precedes($1.key) }) {
            let value = try? run.header(text) { name throws(SecretRefusal) in
                try secrets.headerText(name, of: subject.app, to: url, signing: subject.signingSecrets)
            }
            guard let value, HookHeader.fault(of: name) == nil else { return nil }
            headers.append(WebhookRequest.Header(name, value))
        }
        // A header of the owner replaces the daemon's own.
        headers +=
            subject.trace?.headers.filter { own in
                !headers.contains { $0.name.lowercased() == own.name }
            } ?? []
        return WebhookRequest(
            url: url, headers: headers, body: body, seconds: Double(post.hook.timeoutMilliseconds) / 1000)
    }
}

/// The request to a hook, and the conditions of its retries.
private struct HookPost: Sendable {
    let occasion: FlowHook.Occasion
    let hook: FlowHook
    let step: Identifier
    let body: JSONObject
    let subject: HookSubject
    /// The run that templates in headers read.
    let run: FlowRun?
    var isRepeated = true
    var isWorthARetry: @Sendable (HookFailure) -> Bool = { _ in true }

    /// The id of the webhook. An action makes one call of each kind at a step, so the call has the same id on every
    /// node, and after a crash.
    var id: Identifier {
        guard let action = subject.actionID else { return WebhookID.make() }
        let texts = [subject.app, subject.run.id, step, action, Identifier(occasion.rawValue)]
        return WebhookID.make(of: texts.map { Array($0.utf8) })
    }
}

/// The reason why a hook has no result.
private enum HookFailure: Error {
    case configuration
    case status(Int, [UInt8])
    case transport(WebhookFailure)
    /// The response has no action.
    case malformed
    /// The run would be larger than a store accepts.
    case tooLarge

    /// The error type in the log's events.
    var type: String {
        switch self {
        case .configuration: "configuration"
        case .status: "http_status"
        case .transport(.timeout): "timeout"
        case .transport: "network"
        case .malformed: "malformed"
        case .tooLarge: "too_large"
        }
    }

    var sentence: String {
        switch self {
        case .configuration: "the hook's address, headers or secrets cannot be used"
        case .status(let status, _): "status \(status)"
        case .transport(let failure): failure.sentence
        case .malformed: "the answer is no object with a text action"
        case .tooLarge: "the run would be too large with the answer"
        }
    }
}

/// A call of an advance or render hook, and the events that record it.
private struct StepCall: Sendable {
    let exchange: FlowHookCall
    let subject: HookSubject
    /// The time in nanoseconds at which the call began.
    let began: Int64

    var body: JSONObject {
        subject.identifying([
            "step_id": .string(exchange.step.id), "step_index": .integer(Int64(exchange.stepIndex)),
            "step_type": .string(exchange.step.kind.rawValue), "step_data": .object(exchange.answers),
            "responses": .object(exchange.run.responses),
        ])
    }

    func answer(attempts: Int, _ outcome: Result<[UInt8], HookFailure>, at now: Int64) -> HookCaller.Outcome {
        switch outcome {
        case .success(let body):
            let body = (try? JSONValue(parsing: body, limits: .standard)) ?? .null
            guard let result = FlowHookOutcome(body, exchange) else { return failure(attempts: attempts, .malformed) }
            let milliseconds = max(0, now - began) / 1_000_000
            let end = event("completed", ["result": .string(result.name), "duration_ms": .integer(milliseconds)])
            return HookCaller.Outcome(result: result, events: events(attempts) + [end]) {
                failure(attempts: attempts, .tooLarge)
            }
        case .failure(let error): return failure(attempts: attempts, error)
        }
    }

    private func failure(attempts: Int, _ failure: HookFailure) -> HookCaller.Outcome {
        let end = event("error", ["error_type": .string(failure.type), "error_message": .string(failure.sentence)])
        let result = FlowHookOutcome(failureOf: exchange, in: subject.flow.language)
        return HookCaller.Outcome(result: result, events: events(attempts) + [end]) {
            self.failure(attempts: attempts, failure)
        }
    }

    private func events(_ attempts: Int) -> [FlowEvent] {
        [event("started")] + (1..<attempts).map { event("retry", ["attempt_number": .integer(Int64($0))]) }
    }

    private func event(_ name: Identifier, _ more: JSONObject = [:]) -> FlowEvent {
        var extra: JSONObject = [
            "flow_id": .string(subject.flow.id), "step_id": .string(exchange.step.id),
            "hook_type": .string(exchange.occasion.rawValue),
        ]
        for member in more { extra[member.key] = member.value }
        return FlowEvent("onboarding_hook_\(name)", extra)
    }
}
