internal import Glibc
public import HTTPWire
internal import Synchronization

/// HTTP/1.1 on one address, by several workers that share nothing but the port.
///
/// Once started it runs until it is drained; letting go of it does not stop it.
public final class Server: Sendable {
    private let plans: [WorkerPlan]
    let life = Mutex(ServerLife())

    /// The port that is listened on; never 0.
    public let port: Int

    /// Binds the address. Nothing is accepted before `start`. `makeResponder` is called once on each worker's thread,
    /// with the worker and its index from 0.
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

    /// The life of one worker, on its thread.
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

    /// Sends the message to every worker's responder, and calls `acknowledged` once all have it, on one of their
    /// threads. Before `start` it is kept; a worker that has ended counts as having it.
    public func broadcast(_ message: any Sendable, acknowledged: @escaping @Sendable () -> Void) {
        let acknowledgement = Acknowledgement(from: plans.count, acknowledged)
        for plan in plans where !plan.mailbox.post(.broadcast(message, acknowledgement)) {
            acknowledgement.acknowledge()
        }
    }

    /// Stops accepting once the backlog is empty, ends all waits, finishes what is in flight, closes what is idle and
    /// ends the workers. `completion` is called on the thread of the last; with false if the deadline passed and
    /// connections were cut off.
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
