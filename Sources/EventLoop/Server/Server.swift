internal import Glibc
public import HTTPWire
internal import Synchronization

/// An HTTP/1.1 server on one address, with several workers that share only the port.
///
/// A started server runs until it is drained. Releasing the object does not stop it.
public final class Server: Sendable {
    private let plans: [WorkerPlan]
    let life = Mutex(ServerLife())

    /// The port on which the server listens; never 0.
    public let port: Int

    /// Binds the address. The server accepts nothing before `start`. `makeResponder` is called once on each worker's
    /// thread, with the worker and its index from 0.
    public init(
        _ settings: ServerSettings,
        makeResponder: @escaping @Sendable (_ worker: any Parking, _ workerIndex: Int) -> any Responder
    ) throws(ServerError) {
        // A client that closes early must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let listeners = try ListeningSocket.bind(settings)
        let connections = ConnectionCount(
            limit: min(settings.limits.connections, try Descriptors.forConnections(workers: listeners.count)))
        let buffered = BufferedBytes(limit: settings.limits.bufferedBytes, workers: listeners.count)
        var plans: [WorkerPlan] = []
        for (index, listener) in listeners.enumerated() {
            plans.append(
                WorkerPlan(
                    index: index, settings: settings, listener: listener, mailbox: try Mailbox(),
                    counters: WorkerCounters(), connectionCount: connections, buffered: buffered,
                    makeResponder: makeResponder))
        }
        self.plans = plans
        port = listeners[0].port
    }

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
            for plan in plans { plan.listener.close() }
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
