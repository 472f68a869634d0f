internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// One request to a route that is handled outside the event loops. It is a value for any thread, and has the snapshot
/// and the settings with which it came.
struct BackgroundCall: RoutedRequest, Sendable {
    private(set) var request: Request
    let endpoint: Endpoint
    let parameters: PathParameters
    let principal: Principal?
    let began: Int64
    let snapshot: Snapshot
    let settings: APISettings
    let services: APIServices
    let meter: WorkerMeter
    let expandedBytes: ExpandedBytes
    let trace: TraceContext?
    /// The share of an expanded body's bytes.
    private var expandedShare: ExpandedBytes.Share?

    init(_ call: Call) {
        (request, endpoint, parameters) = (call.request, call.endpoint, call.parameters)
        (principal, began) = (call.principal, call.began)
        (snapshot, settings, services) = (call.snapshot, call.settings, call.services)
        (meter, expandedBytes, trace) = (call.meter, call.expandedBytes, call.trace)
    }

    /// The same call with its expanded body.
    func expanded() throws(APIError) -> BackgroundCall {
        guard let (request, share) = try expandedRequest() else { return self }
        var call = self
        (call.request, call.expandedShare) = (request, share)
        return call
    }
}

/// The result of a step of a handler in the background: the next step, or the response.
enum Step: Sendable {
    typealias Next = @Sendable () throws(APIError) -> Step

    case respond(Response)
    /// Asks another route of the daemon for the same principal, and continues with its response, even if it is a
    /// refusal, and with the snapshot of that time.
    case ask(Request, then: @Sendable (Response, Snapshot) throws(APIError) -> Step)
    /// Waits for another thread, which passes the next step on. The next step runs in the queue of checks again.
    case wait(@Sendable (_ proceed: @escaping @Sendable (@escaping Next) -> Void) -> Void)

    /// Waits for an outcome from another thread, and continues with it.
    static func waiting<Outcome: Sendable>(
        for start: @escaping @Sendable (@escaping @Sendable (Outcome) -> Void) -> Void,
        then next: @escaping @Sendable (Outcome) throws(APIError) -> Step
    ) -> Step {
        .wait { proceed in start { outcome in proceed { () throws(APIError) in try next(outcome) } } }
    }
}

extension BackgroundCall {
    /// Continues after the audit has stored the entry.
    func auditing(_ entry: AuditEntry, _ next: @escaping Step.Next) -> Step {
        let store = services.persistence
        return .waiting { done in
            store.record(entry, done)
        } then: { (outcome: Result<Void, StoreError>) throws(APIError) in
            try outcome.orThrow()
            return try next()
        }
    }
}

extension Call {
    private typealias StepOutcome = Result<Step, APIError>

    /// The time for one step, with its wait in the queue. A step that takes longer is stopped.
    static let stepMilliseconds = 30_000

    /// Runs a step in the queue of checks, and does what follows from it. A step whose client has gone does not begin.
    func inBackground(_ step: @escaping Step.Next) -> Handling {
        let (checks, asker) = (services.checks, principal?.name ?? "")
        let interest = Interest()
        let isWanted: @Sendable () -> Bool = { [weak interest] in interest != nil }
        let wait = ParkWait<StepOutcome>(milliseconds: Self.stepMilliseconds) { .failure($0.endOfStep) }
        return park(wait: wait) { [contentBytes] (ticket: Ticket<StepOutcome>) in
            let isTaken = checks.async(keeping: contentBytes, for: asker) {
                guard isWanted() else { return }
                let isOver: @Sendable () -> Bool = { !isWanted() }
                ticket.complete(CheckLimit.with(isOver) { StepOutcome(catching: step) })
            }
            if !isTaken { ticket.complete(.failure(.tooManyChecks)) }
        } resume: { [interest] (outcome) throws(APIError) in
            // The parked exchange alone keeps the interest: it ends with the wait, or with the connection.
            try withExtendedLifetime(interest) { () throws(APIError) in try self.proceed(with: try outcome.get()) }
        }
    }

    private func proceed(with step: Step) throws(APIError) -> Handling {
        switch step {
        case .respond(let response): return .now(response)
        case .ask(let request, let then):
            return try ask(request) { [self] response in
                let snapshot = snapshot
                return inBackground { () throws(APIError) in try then(response, snapshot) }
            }
        case .wait(let start):
            return park { (ticket: Ticket<Step.Next>) in
                start { ticket.complete($0) }
            } resume: { next in
                self.inBackground(next)
            }
        }
    }

    /// The interest of a client in a step.
    private final class Interest: Sendable {}
}

extension ParkEnd {
    /// The refusal of a step that has not ended.
    var endOfStep: APIError {
        switch self {
        case .deadline:
            .invalid("check_time", "This takes longer than \(Call.stepMilliseconds / 1_000) seconds, and was stopped.")
        case .drain: .tooManyChecks
        case .clientFinished: .clientGone
        }
    }
}
