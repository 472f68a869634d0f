public import BellwetherService
internal import CCurl
internal import Curl
internal import Synchronization

/// Sends webhooks over libcurl, many at a time, on one thread of its own.
///
/// The thread and libcurl come with the first request. A request follows no redirect and uses no proxy; it goes over
/// http or https, with certificates verified, and to addresses that the rules allow, which are looked at when a socket
/// is opened and again before each request.
public final class WebhookSender: WebhookSending {
    /// Requests under way.
    public static let bound = 1000
    public static let hostBound = 64

    private enum ThreadNeed { case runs, startsNow }

    private struct State {
        var rules: AddressRules
        /// Requests that the thread has not taken yet.
        var waiting: [Transfer.Order] = []
        var underWay = 0
        var underWayByHost: [String: Int] = [:]
        var hasThread = false
        /// Ends the thread's wait for sockets. Called under the lock, for the thread frees what it needs.
        var wakeUp: (@Sendable () -> Void)?
        /// No request is taken any more; those under way are broken off at this time of `MonotonicTime`.
        var closing: UInt64?
        var onEnd: [@Sendable () -> Void] = []
    }

    private let startThread: BackgroundQueue.ThreadStart
    private let state: Mutex<State>

    /// - Parameter startThread: starts the thread, to which no signals are delivered.
    public init(_ rules: AddressRules, startThread: @escaping BackgroundQueue.ThreadStart) {
        self.startThread = startThread
        state = Mutex(State(rules: rules))
    }

    /// Rules for the requests to come.
    public func follow(_ rules: AddressRules) { state.withLock { $0.rules = rules } }

    public func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion) {
        if let header = request.headers.first(where: { !$0.isSafe }) {
            return completion(.failure(.unsafeHeader(header.name)))
        }
        let host = request.url.host
        let admission = state.withLock { state -> Result<ThreadNeed, WebhookFailure> in
            guard state.closing == nil else { return .failure(.closed) }
            guard state.underWay < Self.bound, state.underWayByHost[host] ?? 0 < Self.hostBound else {
                return .failure(.overloaded)
            }
            state.underWay += 1
            state.underWayByHost[host, default: 0] += 1
            state.waiting.append(Transfer.Order(request: request, rules: state.rules, completion: completion))
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

    /// Takes no further request. Those under way may end for so long, then they fail with `.closed`. Returns at once;
    /// `completion` is called when the thread has ended.
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
                loop.turn(isClosing: state.withLock { $0.closing != nil })
            }
            state.withLock { $0.wakeUp = nil }
            loop.cancelAll()
            end(with: .closed)
        } catch {
            end(with: .noLibrary(error.reason))
        }
    }

    /// What has to be begun. Nil: the thread is to end.
    private func next(_ loop: TransferLoop) -> [Transfer.Order]? {
        state.withLock { state in
            let isOver = state.closing.map { loop.isIdle && state.waiting.isEmpty || MonotonicTime.nanoseconds >= $0 }
            guard isOver != true else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func finish(_ order: Transfer.Order, _ result: Result<WebhookAnswer, WebhookFailure>) {
        let host = order.request.url.host
        state.withLock { state in
            state.underWay -= 1
            let count = state.underWayByHost[host] ?? 0
            state.underWayByHost[host] = count > 1 ? count - 1 : nil
        }
        order.completion(result)
    }

    /// The thread ends. The next request starts another one.
    private func end(with failure: WebhookFailure) {
        let (waiting, onEnd) = state.withLock { state in
            state.hasThread = false
            state.wakeUp = nil
            defer { (state.waiting, state.onEnd) = ([], []) }
            return (state.waiting, state.onEnd)
        }
        for order in waiting { finish(order, .failure(failure)) }
        for completion in onEnd { completion() }
    }
}
