internal import Glibc
public import HTTPWire
internal import Synchronization

/// An HTTP/1.1 server on one address or several, with several workers that share only the ports.
///
/// A started server runs until it is drained. Releasing the object does not stop it.
public final class Server: Sendable {
    private let plans: [WorkerPlan]
    let life = Mutex(ServerLife())

    /// The port of each address on which the server listens, in the order of the settings; 0 for a path.
    public let ports: [Int]
    private let credentials: TLSIdentity

    /// The port of the first address.
    public var port: Int { ports[0] }

    /// Throws if the server could not listen on its addresses now, so that a start can fail before it touches anything.
    public static func checkAddresses(_ settings: ServerSettings) throws(ServerError) {
        for address in settings.addresses { _ = try ListeningSocket.bind(address, workers: 1) }
    }

    /// Binds the addresses. The server accepts nothing before `start`. `makeResponder` is called once on each worker's
    /// thread, with the worker and its index from 0.
    ///
    /// - Parameter credentials: must not be nil if an address is encrypted.
    public init(
        _ settings: ServerSettings, credentials: TLSCredentials? = nil,
        makeResponder: @escaping @Sendable (_ worker: any Parking, _ workerIndex: Int) -> any Responder
    ) throws(ServerError) {
        // A client that closes early must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let workers = max(settings.workers, 1)
        let bound = try settings.addresses.map { (address) throws(ServerError) in
            try ListeningSocket.bind(address, workers: workers)
        }
        let connections = ConnectionCount(
            limit: min(
                settings.limits.connections,
                try Descriptors.forConnections(workers: workers, listeners: settings.addresses.count)))
        let buffered = BufferedBytes(limit: settings.limits.bufferedBytes, workers: workers)
        let identity = TLSIdentity(credentials)
        ports = bound.map { $0[0].port }
        let encrypted = zip(settings.addresses, ports).first { $0.0.service == .https }
        var plans: [WorkerPlan] = []
        for index in 0..<workers {
            let listeners = zip(settings.addresses, bound).map { Listening(socket: $1[index], service: $0.service) }
            plans.append(
                WorkerPlan(
                    index: index, settings: settings, listeners: listeners, mailbox: try Mailbox(),
                    counters: WorkerCounters(), connectionCount: connections, buffered: buffered,
                    credentials: identity, httpsPort: encrypted?.1, makeResponder: makeResponder))
        }
        self.plans = plans
        self.credentials = identity
    }

    /// Shows other certificates to the connections whose handshakes begin from now on.
    public func follow(_ credentials: TLSCredentials) { self.credentials.set(credentials) }

    /// Starts the workers, and returns when all of them accept connections.
    public func start() throws(ServerError) {
        guard life.withLock({ $0.start(workers: plans.count) }) else { return }
        let reports = try Mailbox<ServerError?>()
        for plan in plans {
            let isRunning = WorkerThread.start { [self] in run(plan, reports) }
            if !isRunning {
                reports.post(.resources("a thread"))
                ended(inTime: true)
            }
        }
        var failure: ServerError?
        var missing = plans.count
        while missing > 0 {
            let received = reports.wait()
            missing -= received.count
            failure = failure ?? received.compactMap { $0 }.first
        }
        guard let failure else { return }
        for plan in plans { plan.mailbox.post(.drain) }
        throw failure
    }

    /// Runs one worker on its thread until it ends.
    private func run(_ plan: WorkerPlan, _ reports: Mailbox<ServerError?>) {
        do throws(ServerError) {
            let worker = try Worker(plan)
            try worker.startAccepting()
            reports.post(nil)
            worker.run()
            ended(inTime: worker.finishedInTime)
        } catch {
            reports.post(error)
            ended(inTime: true)
        }
    }

    private func ended(inTime: Bool) {
        let (completions, result) = life.withLock { $0.end(inTime: inTime) }
        for completion in completions { completion(result) }
    }

    /// Sends the message to every worker's responder, and calls `acknowledged` on one of their threads once all have
    /// received it. Before `start` the message is queued. A worker that has ended counts as having received it.
    public func broadcast(_ message: any Sendable, acknowledged: @escaping @Sendable () -> Void) {
        let acknowledgement = Acknowledgement(from: plans.count, acknowledged)
        for plan in plans where !plan.mailbox.post(.broadcast(message, acknowledgement)) {
            acknowledgement.acknowledge()
        }
    }

    /// Stops accepting once the backlog is empty, ends all waits, finishes active requests, closes idle connections and
    /// ends the workers. `completion` is called on the thread of the last worker. Its argument is false if the deadline
    /// passed and connections were cut off.
    public func drain(_ completion: @escaping @Sendable (_ finishedInTime: Bool) -> Void) {
        let result = life.withLock { $0.drain(completion) }
        if let result {
            for plan in plans { for listener in plan.listeners { listener.socket.close() } }
            return completion(result)
        }
        for plan in plans { plan.mailbox.post(.drain) }
    }

    public var statistics: ServerStatistics {
        var sum = ServerStatistics()
        sum.connectionLimit = plans[0].connectionCount.limit
        for plan in plans { plan.counters.add(to: &sum) }
        return sum
    }
}

/// The reason why a server could not be set up.
public enum ServerError: Error, Sendable, Hashable {
    /// The host is no address, and no name that resolves to one.
    case host(String)
    /// The server cannot listen on the address.
    case bind(host: String, port: Int, reason: String)
    /// The server cannot listen on the path.
    case path(String, reason: String)
    /// The system refused a resource that the server needs.
    case resources(String)

    /// A sentence for people.
    public var message: String {
        switch self {
        case .host(let host): "\"\(host)\" is no address to listen on."
        case .bind(let host, let port, let reason): "Cannot listen on \(host) port \(port): \(reason)."
        case .path(let path, let reason): "Cannot listen on unix:\(path): \(reason)."
        case .resources(let what): "The system did not give \(what)."
        }
    }
}

/// The addresses on which a server listens, and its limits.
public struct ServerSettings: Sendable, Hashable {
    /// An address, or a name that resolves to one.
    public var host = "127.0.0.1"
    /// The port. With 0 the system chooses a free port, the same for all workers.
    public var port = 0
    /// Further addresses.
    public var further: [ListenAddress] = []
    /// The number of threads. Each has its own loop, listener and connections.
    public var workers = 1
    /// The number of connections that the kernel keeps for a worker which has not accepted them yet.
    public var backlog = 1024
    public var limits = Limits()

    public init() {}

    public init(host: String, port: Int, workers: Int, limits: Limits = Limits()) {
        self.host = host
        self.port = port
        self.workers = workers
        self.limits = limits
    }
}

extension ServerSettings {
    /// All addresses, beginning with `host` and `port`.
    public var addresses: [ListenAddress] { [ListenAddress(.network(host: host, port: port), .http)] + further }
}

/// A socket on which a worker accepts connections, and what it speaks there.
struct Listening: Sendable {
    let socket: ListeningSocket
    let service: ListenAddress.Service
}

/// The certificates that new connections are shown; nil for a server without TLS. Any thread may replace them.
final class TLSIdentity: Sendable {
    private let credentials: Mutex<TLSCredentials?>

    init(_ credentials: TLSCredentials?) { self.credentials = Mutex(credentials) }

    var value: TLSCredentials? { credentials.withLock { $0 } }
    func set(_ new: TLSCredentials) { credentials.withLock { $0 = new } }
}

/// Counts over all workers since the start. Each count is exact, but they are not read at the same instant.
public struct ServerStatistics: Sendable, Hashable {
    public var openConnections = 0
    /// The maximum number of open connections.
    public var connectionLimit = 0
    public var acceptedConnections = 0
    /// The number of connections that were answered 503 because there were too many.
    public var refusedConnections = 0
    public var requests = 0
    /// The number of exchanges that are parked now.
    public var parkedExchanges = 0
    /// The number of exchanges that a responder dropped. Each is a bug.
    public var unansweredExchanges = 0
    public var bytesReceived = 0
    public var bytesSent = 0
    /// The number of unreadable requests and of connections that were closed, by reason: the names of `WireFault`, and
    /// `write_timeout`, `accept_failed`, `overload`, `handshake_timeout`, `handshake_failed`, `handshakes`,
    /// `plain_http`.
    public var rejected: [String: Int] = [:]

    public init() {}
}

/// The state of a server (made, started, drained), and the completions that wait for its end.
struct ServerLife: Sendable {
    typealias Completion = @Sendable (Bool) -> Void

    private enum Stage { case new, running, ended }

    private var stage = Stage.new
    private var workers = 0
    private var finishedInTime = true
    private var completions: [Completion] = []

    /// Marks the server as started. Returns false if it was started before.
    mutating func start(workers count: Int) -> Bool {
        guard stage == .new else { return false }
        stage = .running
        workers = count
        return true
    }

    /// Registers a closure for the end. If the server has already ended, returns whether it ended in time.
    mutating func drain(_ completion: @escaping Completion) -> Bool? {
        guard stage == .running else {
            stage = .ended
            return finishedInTime
        }
        completions.append(completion)
        return nil
    }

    /// Records that one worker has ended. For the last worker, returns the closures to call and their argument.
    mutating func end(inTime: Bool) -> ([Completion], Bool) {
        workers -= 1
        finishedInTime = finishedInTime && inTime
        guard workers == 0 else { return ([], finishedInTime) }
        stage = .ended
        defer { completions = [] }
        return (completions, finishedInTime)
    }
}
