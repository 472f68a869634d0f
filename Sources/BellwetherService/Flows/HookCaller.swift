internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
public import Surveys
internal import Synchronization

/// Asks the owner's server whether a respondent may leave a step (docs/reference/flows.md#hooks). The request that
/// waits for it is parked; no thread waits.
public final class HookCaller: Sendable {
    /// What became of a call.
    public struct Answer: Sendable {
        public let result: FlowHookResult
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
        let call = HookCall(exchange: exchange, run: run, flow: flow, app: app, began: clock.nanoseconds())
        let started = call.event("onboarding_hook_started")
        guard let request = request(for: call) else {
            let reason = "the hook's address, headers or secrets cannot be used"
            return completion(call.failing("configuration", reason, [started], at: clock.nanoseconds()))
        }
        attempt(call, request, 0, [started], completion)
    }

    private func attempt(
        _ call: HookCall, _ request: WebhookRequest, _ attempt: Int, _ events: [FlowEvent],
        _ completion: @escaping @Sendable (Answer) -> Void
    ) {
        sender.send(request) { [self] outcome in
            let failure: (type: String, message: String)
            switch outcome {
            case .success(let answer) where (200..<300).contains(answer.status):
                let body = try? JSONValue(parsing: answer.body, limits: .standard)
                let result = FlowHookResult(body ?? .null)
                let completed = call.completed(result, at: clock.nanoseconds())
                return completion(Answer(result: result, events: events + [completed]))
            case .success(let answer): failure = ("http_status", "status \(answer.status)")
            case .failure(.timeout): failure = ("timeout", WebhookFailure.timeout.sentence)
            case .failure(let error): failure = ("network", error.sentence)
            }
            // A password is sent once.
            guard attempt < call.exchange.hook.retryCount, !call.exchange.hasSecret else {
                return completion(call.failing(failure.type, failure.message, events, at: clock.nanoseconds()))
            }
            let retry = call.event("onboarding_hook_retry", ["attempt_number": .integer(Int64(attempt + 1))])
            timer(Double(1 << attempt)) { [self] in
                self.attempt(call, request, attempt + 1, events + [retry], completion)
            }
        }
    }

    /// Nil: the address is none, or a header names a secret that the settings do not have.
    private func request(for call: HookCall) -> WebhookRequest? {
        let secrets = secrets.withLock { $0 }
        guard let url = WebhookURL(call.exchange.hook.url), let progress = call.run.flow else { return nil }
        let body = JSONValue.object(call.body).encoded
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
        for (name, text) in call.exchange.hook.headers.sorted(by: { $0.key < $1.key }) {
            let value = progress.header(text) { name in
                secrets.key(named: name).flatMap { String(validating: $0, as: UTF8.self) }
            }
            guard let value else { return nil }
            headers.append(WebhookRequest.Header(name, value))
        }
        let seconds = Double(call.exchange.hook.timeoutMilliseconds) / 1000
        return WebhookRequest(url: url, headers: headers, body: body, seconds: seconds)
    }
}

/// One call, and what is told of it.
private struct HookCall: Sendable {
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
            "user_id": run.respondent.userID.map { .string($0) } ?? .null, "app_id": .string(app),
        ]
    }

    func event(_ name: String, _ more: JSONObject = [:]) -> FlowEvent {
        var extra: JSONObject = [
            "flow_id": .string(flow.id), "step_id": .string(exchange.step.id), "hook_type": "advance",
        ]
        for member in more { extra[member.key] = member.value }
        return FlowEvent(name, extra)
    }

    func completed(_ result: FlowHookResult, at now: Int64) -> FlowEvent {
        event(
            "onboarding_hook_completed",
            ["result": .string(result.name), "duration_ms": .integer(max(0, now - began) / 1_000_000)])
    }

    /// As the hook's policy has it. A blocked respondent sees the hook's error text.
    func failing(
        _ type: String, _ message: String, _ events: [FlowEvent], at now: Int64
    ) -> HookCaller.Answer {
        let error = event(
            "onboarding_hook_error", ["error_type": .string(type), "error_message": .string(message)])
        let result: FlowHookResult =
            switch exchange.hook.failurePolicy {
            case .block: .block(message: nil)
            case .proceed: .proceed(data: [:])
            }
        return HookCaller.Answer(result: result, events: events + [error])
    }
}

extension FlowHookResult {
    /// As the hook spells it.
    fileprivate var name: String {
        switch self {
        case .proceed(let data): data.isEmpty ? "proceed" : "proceed_with_data"
        case .block: "block"
        case .stay: "stay"
        case .skip: "skip_to"
        }
    }
}
