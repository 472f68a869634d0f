public import BellwetherService
internal import CCurl
internal import Curl
internal import Synchronization

/// Sends webhooks over libcurl. One thread of its own sends many at a time.
///
/// The first request starts the thread and loads libcurl. A request follows no redirect and uses no proxy. It uses http
/// or https, with verified certificates, and only addresses that the rules allow. The address is checked when a socket
/// is opened, and again before each request.
public final class WebhookSender: WebhookSending {
    /// The maximum number of requests in progress to one host.
    public static let hostBound = RequestSlots.hostBound

    private enum ThreadNeed { case runs, startsNow }

    private struct State {
        var rules: AddressRules
        /// The requests that have a slot, but that the thread has not yet taken.
        var ready: [Transfer.Order] = []
        var slots = RequestSlots()
        var hasThread = false
        /// Ends the thread's wait for sockets. Call it under the lock, because the thread frees the loop that it uses.
        var wakeUp: (@Sendable () -> Void)?
        /// The time, in `MonotonicTime`, at which the remaining requests are cancelled. If it is set, no new request is
        /// accepted.
        var closing: UInt64?
        var onEnd: [@Sendable () -> Void] = []
    }

    private let startThread: BackgroundQueue.ThreadStart
    private let state: Mutex<State>

    /// - Parameter startThread: Starts the thread, which receives no signals.
    public init(_ rules: AddressRules, startThread: @escaping BackgroundQueue.ThreadStart) {
        self.startThread = startThread
        state = Mutex(State(rules: rules))
    }

    /// Sets the rules for later requests.
    public func follow(_ rules: AddressRules) { state.withLock { $0.rules = rules } }

    public func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion) {
        if let header = request.headers.first(where: { !$0.isSafe }) {
            return completion(.failure(.unsafeHeader(header.name)))
        }
        let admission = state.withLock { state -> Result<ThreadNeed, WebhookFailure> in
            guard state.closing == nil else { return .failure(.closed) }
            let order = Transfer.Order(request, state.rules, completion: completion)
            switch state.slots.admit(order) {
            case .begins: state.ready.append(order)
            case .waits: break
            case .refused: return .failure(.overloaded)
            }
            state.wakeUp?()
            defer { state.hasThread = true }
            return .success(state.hasThread ? .runs : .startsNow)
        }
        switch admission {
        case .failure(let failure): completion(.failure(failure))
        case .success(.runs): break
        case .success(.startsNow):
            if !startThread({ self.run() }) { end(with: .unreachable("the system gives no thread")) }
        }
    }

    /// Accepts no further request. Requests in progress may continue for `graceSeconds`; then they fail with `.closed`.
    /// Returns at once. `completion` is called when the thread has ended.
    public func close(graceSeconds: Double, completion: @escaping @Sendable () -> Void) {
        let deadline = MonotonicTime.nanoseconds + UInt64(graceSeconds * 1e9)
        let hasThread = state.withLock { state in
            state.closing = deadline
            state.wakeUp?()
            if state.hasThread { state.onEnd.append(completion) }
            return state.hasThread
        }
        if !hasThread { completion() }
    }

    private func run() {
        do {
            let library = try CurlLibrary()
            let loop = try TransferLoop(library)
            state.withLock { $0.wakeUp = loop.wakeUp }
            while let orders = next(loop) {
                for order in orders { loop.begin(order) { self.finish(order, $0) } }
                let (time, isClosing) = state.withLock { ($0.slots.nextDeadline, $0.closing != nil) }
                loop.turn(until: time, isClosing: isClosing)
            }
            state.withLock { $0.wakeUp = nil }
            loop.cancelAll()
            end(with: .closed)
        } catch {
            end(with: .noLibrary(error.reason))
        }
    }

    /// The orders to begin; nil if the thread must end.
    private func next(_ loop: TransferLoop) -> [Transfer.Order]? {
        let (orders, late) = state.withLock { state -> ([Transfer.Order]?, [Transfer.Order]) in
            let now = MonotonicTime.nanoseconds
            let isOver = state.closing.map { loop.isIdle && state.ready.isEmpty || now >= $0 }
            guard isOver != true else { return (nil, []) }
            defer { state.ready = [] }
            return (state.ready, state.slots.takeLate(at: now))
        }
        for order in late { order.completion(.failure(.overloaded)) }
        return orders
    }

    private func finish(_ order: Transfer.Order, _ result: Result<WebhookResponse, WebhookFailure>) {
        state.withLock { state in
            guard let next = state.slots.free(order.host) else { return }
            state.ready.append(next)
            state.wakeUp?()
        }
        order.completion(result)
    }

    /// Ends the thread. The next request starts another one.
    private func end(with failure: WebhookFailure) {
        let (ready, waiting, onEnd) = state.withLock { state in
            state.hasThread = false
            state.wakeUp = nil
            defer { (state.ready, state.onEnd) = ([], []) }
            return (state.ready, state.slots.takeAll(), state.onEnd)
        }
        for order in ready { finish(order, .failure(failure)) }
        for order in waiting { order.completion(.failure(failure)) }
        for completion in onEnd { completion() }
    }
}
