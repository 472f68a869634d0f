internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
internal import Synchronization

/// Sends the webhooks of the outbox: leases rows that are due, sends them, and stores their outcomes
/// (docs/reference/webhooks.md#delivery).
///
/// It queries the store when a commit has written webhooks, when the next one is due, and once a minute for rows of
/// dead daemons. It has no thread of its own: it runs on threads of the store and of the sender.
public final class OutboxDispatcher: Sendable {
    /// Runs a job after this number of seconds.
    public typealias Timer = @Sendable (_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> Void

    /// The lease is longer than a request may last, so that no other daemon begins while this one sends.
    static let leaseSeconds: Int64 = 120
    static let requestSeconds: Double = 30
    /// The maximum number of rows under way, in total and to one host. A lease has at most the maximum of one host, so
    /// a host has at most twice as many. The sender accepts more than both.
    static let underWayBound = 512
    static let hostBound = 32
    private static let longestWaitSeconds: Double = 60
    /// The delay after a failure of the store.
    private static let failureWaitSeconds: Double = 5

    private struct State {
        var secrets: WebhookSecrets
        var isClosed = false
        /// Whether a lease is being requested, and whether another request came meanwhile.
        var isLooking = false
        var looksAgain = false
        /// The number of rows under way by host. A row is under way until the store has its outcome.
        var underWay: [String: Int] = [:]
        var underWayCount = 0
        /// Outcomes that the store does not have yet.
        var results: [(result: OutboxResult, host: String)] = []
        var isStoring = false
        /// The time at which the earliest timer fires.
        var timerDue: Timestamp?
        var statistics = OutboxStatistics()
    }

    private let persistence: Persistence
    private let sender: any WebhookSending
    private let owner: Identifier
    private let userAgent: String
    private let clock: Clock
    private let timer: Timer
    private let state: Mutex<State>

    /// - Parameter userAgent: the value of the header `User-Agent`.
    public init(
        _ persistence: Persistence, sender: any WebhookSending, secrets: WebhookSecrets, userAgent: String,
        clock: Clock = .system, timer: @escaping Timer = OutboxDispatcher.systemTimer
    ) {
        self.persistence = persistence
        self.sender = sender
        self.userAgent = userAgent
        self.clock = clock
        self.timer = timer
        owner = WebhookID.make()
        state = Mutex(State(secrets: secrets))
        persistence.observeOutbox { [weak self] in self?.look() }
    }

    public static let systemTimer: Timer = { seconds, job in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds, execute: job)
    }

    public var statistics: OutboxStatistics { state.withLock { $0.statistics } }

    /// Sets the secrets for later attempts.
    public func follow(_ secrets: WebhookSecrets) { state.withLock { $0.secrets = secrets } }

    /// Begins no more attempts. An attempt under way ends, and its outcome is stored until the store is closed.
    public func close() { state.withLock { $0.isClosed = true } }

    /// Looks for webhooks that are due. Called once at the start, and from then on by the dispatcher itself.
    public func look() {
        let request = state.withLock { state -> OutboxLeaseRequest? in
            guard !state.isClosed, state.underWayCount < Self.underWayBound else { return nil }
            guard !state.isLooking else {
                state.looksAgain = true
                return nil
            }
            state.isLooking = true
            let now = clock.now()
            return OutboxLeaseRequest(
                owner: owner, now: now, leaseEnd: now.adding(seconds: Self.leaseSeconds),
                limit: min(Self.hostBound, Self.underWayBound - state.underWayCount),
                busyHosts: Set(state.underWay.filter { $0.value >= Self.hostBound }.keys))
        }
        guard let request else { return }
        persistence.leaseOutbox(request) { [weak self] result in self?.take(result, request) }
    }

    private func take(_ result: Result<OutboxLease, StoreError>, _ request: OutboxLeaseRequest) {
        let rows = (try? result.get())?.rows ?? []
        let looksAgain = state.withLock { state in
            state.isLooking = false
            for row in rows { state.underWay[row.host, default: 0] += 1 }
            state.underWayCount += rows.count
            if case .success(let lease) = result { state.statistics.waiting = lease.pending }
            defer { state.looksAgain = false }
            return state.looksAgain || rows.count == request.limit
        }
        switch result {
        case .success(let lease):
            let wait = lease.next.map { Double(max(0, $0.milliseconds - request.now.milliseconds)) / 1000 }
            wake(after: min(wait ?? Self.longestWaitSeconds, Self.longestWaitSeconds))
        case .failure: wake(after: Self.failureWaitSeconds)
        }
        for row in rows { send(row) }
        if looksAgain { look() }
    }

    /// Sets a timer, unless an earlier one is set. The earlier one looks for rows, and sets the next timer.
    private func wake(after seconds: Double) {
        // Rows that are due and were not leased are sent after an attempt under way has ended.
        let seconds = max(seconds, 0.1)
        let due = clock.now().adding(milliseconds: Int64(seconds * 1000))
        let isNeeded = state.withLock { state in
            guard !state.isClosed, state.timerDue.map({ due < $0 }) ?? true else { return false }
            state.timerDue = due
            return true
        }
        guard isNeeded else { return }
        timer(seconds) { [weak self] in
            guard let self else { return }
            state.withLock { if $0.timerDue == due { $0.timerDue = nil } }
            store()
            look()
        }
    }

    private func send(_ row: OutboxRow) {
        let now = clock.now()
        guard let url = WebhookURL(row.url) else {
            return finish(row, .dead(at: now, failure: "the URL is not one of http or https"))
        }
        var headers = [
            WebhookRequest.Header("Content-Type", "application/json"),
            WebhookRequest.Header("User-Agent", userAgent),
            WebhookRequest.Header("webhook-id", row.id.text),
            WebhookRequest.Header("webhook-timestamp", "\(now.seconds)"),
        ]
        if let name = row.secretName {
            do {
                let key = try state.withLock(\.secrets).signingKey(name, of: row.app, to: url)
                let signature = WebhookSignature.text(id: row.id, timestamp: now.seconds, body: row.body, key: key)
                headers.append(WebhookRequest.Header("webhook-signature", signature))
            } catch {
                return finish(row, .failure(.unreachable(error.sentence(name))))
            }
        }
        headers += row.trace?.headers ?? []
        let request = WebhookRequest(url: url, headers: headers, body: row.body, seconds: Self.requestSeconds)
        sender.send(request) { [weak self] result in self?.finish(row, result) }
    }

    private func finish(_ row: OutboxRow, _ result: Result<WebhookResponse, WebhookFailure>) {
        let retry = OutboxRetry(jitter: Double.random(in: 0..<1), now: clock.now())
        finish(row, retry.outcome(of: row, result))
    }

    private func finish(_ row: OutboxRow, _ outcome: OutboxResult.Outcome) {
        if case .dead(_, let failure) = outcome {
            persistence.feed.activity.note(Activity.Problem(.webhookGivenUp, "\(row.host): \(failure)"), in: row.app)
        }
        state.withLock { state in
            state.results.append((OutboxResult(id: row.id, outcome), row.host))
            state.statistics.count(outcome)
        }
        store()
    }

    /// Stores the outcomes that have come so far, in one commit. The next commit stores outcomes that come meanwhile.
    private func store() {
        let results = state.withLock { state -> [(result: OutboxResult, host: String)] in
            guard !state.isStoring else { return [] }
            state.isStoring = !state.results.isEmpty
            defer { state.results = [] }
            return state.results
        }
        guard !results.isEmpty else { return }
        persistence.finishOutbox(results.map(\.result), of: owner) { [weak self] outcome in
            self?.stored(results, outcome)
        }
    }

    private func stored(_ results: [(result: OutboxResult, host: String)], _ outcome: Result<Void, StoreError>) {
        let isKept =
            switch outcome {
            case .success, .failure(.rejected): true
            case .failure: false
            }
        let next = results.compactMap { entry -> Timestamp? in
            if case .retry(let time, _) = entry.result.outcome { time } else { nil }
        }
        let hasRoom = state.withLock { state in
            state.isStoring = false
            guard isKept else {
                state.results = results + state.results
                return false
            }
            var hasRoom = state.underWayCount >= Self.underWayBound
            state.underWayCount -= results.count
            for (result, host) in results {
                if result.outcome.isEnd { state.statistics.waiting = max(0, state.statistics.waiting - 1) }
                let count = state.underWay[host] ?? 0
                if count == Self.hostBound { hasRoom = true }
                state.underWay[host] = count > 1 ? count - 1 : nil
            }
            return hasRoom
        }
        guard isKept else { return wake(after: Self.failureWaitSeconds) }
        if let next = next.min() {
            wake(after: Double(max(0, next.milliseconds - clock.now().milliseconds)) / 1000)
        }
        if hasRoom { look() }
        store()
    }
}

/// The counts of the outbox since the start.
public struct OutboxStatistics: Sendable, Hashable {
    /// The webhooks that their receivers accepted.
    public var sent = 0
    /// The attempts that failed, including the last attempts of webhooks that were given up.
    public var failed = 0
    /// The webhooks that were given up.
    public var dead = 0
    /// The webhooks that waited or were under way at the last query of the outbox.
    public var waiting = 0

    public init() {}

    mutating func count(_ outcome: OutboxResult.Outcome) {
        switch outcome {
        case .delivered: sent += 1
        case .retry: failed += 1
        case .dead:
            failed += 1
            dead += 1
        }
    }
}
