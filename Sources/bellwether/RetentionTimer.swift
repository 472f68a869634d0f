internal import BellwetherJSON
internal import BellwetherService
internal import Dispatch
internal import Logging
internal import Synchronization

/// Deletes expired rows and records at the start and then at intervals. It pauses for a day after the clock stepped
/// forward. If several daemons share a store, only one of them deletes at a time.
final class RetentionTimer {
    private static let seconds = 600

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.retention"))
    private let policy: CurrentPolicy

    init(persistence: Persistence, policy: RetentionPolicy, logger: Logger) {
        let current = CurrentPolicy(policy)
        self.policy = current
        source.schedule(deadline: .now(), repeating: .seconds(Self.seconds))
        let clock = Mutex(RetentionClock())
        let job = LeasedJob("retention", seconds: Int64(Self.seconds))
        source.setEventHandler {
            let uptime = Int64(MonotonicTime.nanoseconds / 1_000_000_000)
            guard let now = clock.withLock({ $0.time(wall: persistence.store.clock.now(), uptime: uptime) }) else {
                return logger.warning("the clock stepped forward; nothing is deleted for a day")
            }
            let policy = current.policy.withLock { $0 }
            job.run(in: persistence, now: now) { persistence.enforceRetention(policy, now: now, $0) }
        }
        source.resume()
    }

    /// Sets the policy for later deletions.
    func follow(_ policy: RetentionPolicy) { self.policy.policy.withLock { $0 = policy } }

    func cancel() { source.cancel() }

    private final class CurrentPolicy: Sendable {
        let policy: Mutex<RetentionPolicy>

        init(_ policy: RetentionPolicy) { self.policy = Mutex(policy) }
    }
}
