internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Logging
internal import Synchronization

/// The schedule and the state of a sink, which makes one attempt at a time, in the background.
///
/// If several daemons share a store, one at a time writes, under a lease. The lease only saves work: files and
/// positions stay right without it. After a failure the waiting time doubles, up to ten minutes.
public final class SinkSchedule: Sendable {
    private static let retrySeconds: Int64 = 10
    private static let longestSeconds: Int64 = 600

    public let settings: SinkSettings
    public let persistence: Persistence
    /// The time between two attempts that succeed.
    private let everySeconds: Int64
    private let queue: BackgroundQueue
    private let logger: Logger
    private let job: LeasedJob
    private let state = Mutex(State())

    private struct State {
        var status = SinkStatus()
        var isRunning = false
        var isStopped = false
        var attemptedAt: Timestamp?
        let startedAt = MonotonicTime.nanoseconds
    }

    /// - Parameter leaseSeconds: longer than an attempt, as a rule.
    public init(
        _ settings: SinkSettings, every seconds: Int64, lease leaseSeconds: Int64, in persistence: Persistence,
        queue: BackgroundQueue, logger: Logger? = nil
    ) {
        (self.settings, everySeconds, self.persistence, self.queue) = (settings, seconds, persistence, queue)
        self.logger = logger ?? Persistence.silent
        job = LeasedJob("sink:\(settings.name)", seconds: leaseSeconds)
    }

    private var now: Timestamp { persistence.store.clock.now() }

    public var status: SinkStatus { state.withLock { $0.status } }

    public var isStopped: Bool { state.withLock { $0.isStopped } }

    /// An attempt that is under way ends soon, and none follows.
    public func stop() { state.withLock { $0.isStopped = true } }

    /// Whether nothing was written for three intervals, or an operator must act.
    public var isLate: Bool {
        state.withLock { state in
            if let fault = state.status.fault, !fault.isPassing { return true }
            let allowed = 3 * max(settings.everySeconds, 60)
            guard let last = state.status.succeededAt else {
                return MonotonicTime.nanoseconds - state.startedAt > UInt64(allowed) * 1_000_000_000
            }
            return now.seconds - last.seconds > allowed
        }
    }

    /// Begins an attempt if one is due.
    public func look(_ attempt: @escaping @Sendable () throws(SinkFault) -> Void) {
        let now = now
        let begins = state.withLock { state in
            guard !state.isRunning, !state.isStopped, isDue(state, now) else { return false }
            (state.isRunning, state.attemptedAt) = (true, now)
            return true
        }
        guard begins else { return }
        // Where no other process can open the store, the lease of a process that was killed would only delay the next.
        guard persistence.store.shared != nil else {
            return run(attempt) { self.state.withLock { $0.isRunning = false } }
        }
        job.run(in: persistence, now: now) { done in
            self.run(attempt, done)
        } _: { _ in
            self.state.withLock { $0.isRunning = false }
        }
    }

    private func run(
        _ attempt: @escaping @Sendable () throws(SinkFault) -> Void, _ done: @escaping @Sendable () -> Void
    ) {
        queue.async {
            do throws(SinkFault) {
                try attempt()
                self.succeed()
            } catch {
                self.fail(error)
            }
            done()
        }
    }

    private func isDue(_ state: borrowing State, _ now: Timestamp) -> Bool {
        guard let last = state.attemptedAt else { return true }
        let failures = min(state.status.failures, 10)
        // Intervals of a day begin with the days.
        if failures == 0, everySeconds >= Timestamp.secondsPerDay { return now.dayNumber != last.dayNumber }
        let retry = min(Self.longestSeconds, Self.retrySeconds << max(0, failures - 1))
        let seconds = failures == 0 ? everySeconds : retry
        // A clock may be set back, too.
        return (now.milliseconds - last.milliseconds).magnitude >= UInt64(seconds) * 1000
    }

    /// Notes that everything is written.
    public func succeed() {
        let now = now
        state.withLock { ($0.status.fault, $0.status.failures, $0.status.succeededAt) = (nil, 0, now) }
    }

    /// Notes a fault after which the attempt goes on.
    public func note(_ fault: SinkFault) { state.withLock { $0.status.fault = fault } }

    /// Notes the state of an app.
    public func note(_ app: Identifier, _ change: (inout SinkStatus.App) -> Void) {
        let lag = persistence.store.lag(of: settings, in: app)
        state.withLock { state in
            var shown = state.status.apps[app] ?? SinkStatus.App()
            shown.lag = lag ?? shown.lag
            change(&shown)
            state.status.apps[app] = shown
        }
    }

    private func fail(_ fault: SinkFault) {
        let failures = state.withLock { state in
            (state.status.fault, state.status.failures) = (fault, state.status.failures + 1)
            return state.status.failures
        }
        guard failures == 1 || failures % 10 == 0 else { return }
        logger.error("a sink cannot write", metadata: ["sink": "\(settings.name)", "reason": "\(fault.sentence)"])
    }
}
