public import BellwetherBase
internal import BellwetherCore
public import Logging
internal import Synchronization

/// Makes backups on schedule, or only knows the newest one that the store's own tools made
/// (docs/operators-guide.md#backups-on-schedule).
///
/// A backup is due when the newest one is as old as the interval. So a restart makes no further one. After a failure
/// the next attempt comes in ten minutes, or after the interval if it is shorter. The store's tools are looked at every
/// ten minutes.
public final class ScheduledBackups: Sendable {
    private static let retrySeconds: Int64 = 600

    public enum Source: Sendable {
        case made(any BackupSeries, every: Int64)
        /// Reads the time of the newest backup.
        case otherTools(@Sendable () throws(StoreError) -> Timestamp?)
    }

    public struct Status: Sendable, Hashable {
        /// The time of the newest backup, to which everything that was acknowledged before it belongs; nil if there is
        /// none.
        public var newest: Timestamp?
        /// The reason why the last attempt failed; nil if it did not.
        public var failure: String?
        /// The size and the duration of the last backup that this process made.
        public var bytes: Int64?
        public var seconds: Double?

        public init() {}
    }

    private struct State {
        var status = Status()
        var isRunning = false
        var hasStarted = false
        var attemptedAt: Timestamp?
    }

    private let source: Source
    private let clock: Clock
    private let queue: BackgroundQueue
    private let logger: Logger
    private let state = Mutex(State())

    public init(
        _ source: Source, clock: Clock = .system, queue: BackgroundQueue, logger: Logger? = nil
    ) {
        (self.source, self.clock, self.queue) = (source, clock, queue)
        self.logger = logger ?? Persistence.silent
    }

    public var status: Status { state.withLock { $0.status } }

    /// The age at which the next backup is due; nil if other tools make them.
    public var intervalSeconds: Int64? {
        guard case .made(_, let seconds) = source else { return nil }
        return seconds
    }

    /// The seconds since the newest backup; nil if there is none. A time in the future, from a clock that was set back,
    /// counts as now.
    public var ageSeconds: Double? {
        status.newest.map { max(0, Double(clock.now().milliseconds - $0.milliseconds) / 1000) }
    }

    /// Whether the last attempt failed, or the newest backup is older than two intervals, and than twenty minutes. It
    /// is nil if other tools make the backups, because their intervals are not known.
    public var isLate: Bool? {
        intervalSeconds.map { interval in
            status.failure != nil || (ageSeconds ?? 0) > Double(2 * max(interval, Self.retrySeconds))
        }
    }

    /// Begins a backup in the background if one is due. The first look only reads the time of the newest one.
    public func look() {
        let now = clock.now()
        let begins = state.withLock { state in
            guard !state.isRunning, isDue(state, now) else { return false }
            (state.isRunning, state.attemptedAt) = (true, now)
            return true
        }
        if begins { queue.async { self.attempt(at: now) } }
    }

    /// Ends a backup that is being made, soon.
    public func stop() {
        if case .made(let series, _) = source { series.stop() }
    }

    private func isDue(_ state: borrowing State, _ now: Timestamp) -> Bool {
        guard state.hasStarted else { return true }
        let interval = intervalSeconds ?? Self.retrySeconds
        // A clock may be set back, too.
        func hasPassed(_ seconds: Int64, since time: Timestamp?) -> Bool {
            guard let time else { return true }
            return (now.milliseconds - time.milliseconds).magnitude >= UInt64(seconds) * 1000
        }
        if state.status.failure != nil || intervalSeconds == nil {
            return hasPassed(min(Self.retrySeconds, interval), since: state.attemptedAt)
        }
        return hasPassed(interval, since: state.status.newest)
    }

    private func attempt(at now: Timestamp) {
        defer { state.withLock { ($0.isRunning, $0.hasStarted) = (false, true) } }
        do throws(StoreError) {
            switch source {
            case .otherTools(let read):
                let newest = try read()
                state.withLock { $0.status.newest = newest }
            case .made(let series, _) where !state.withLock({ $0.hasStarted }):
                let newest = try series.newest()
                state.withLock { $0.status.newest = newest }
            case .made(let series, _): try make(series, now)
            }
        } catch {
            guard intervalSeconds != nil else { return state.withLock { $0.status.newest = nil } }
            state.withLock { $0.status.failure = error.reason }
            logger.error("the backup failed", metadata: ["reason": "\(error.reason)"])
        }
    }

    private func make(_ series: any BackupSeries, _ now: Timestamp) throws(StoreError) {
        let began = MonotonicTime.nanoseconds
        let report = try series.add(at: now)
        let seconds = Double(MonotonicTime.nanoseconds - began) / 1e9
        var status = Status()
        (status.newest, status.bytes, status.seconds) = (report.at ?? now, report.facts.bytes, seconds)
        state.withLock { [status] in $0.status = status }
        logger.info("backup made and restored", metadata: ["path": "\(report.path)", "seconds": "\(seconds)"])
    }
}
