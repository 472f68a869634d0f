internal import BellwetherService
internal import Dispatch
internal import Synchronization

/// Deletes what is no longer kept, at the start and then from time to time.
final class RetentionTimer {
    private static let seconds = 600

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.retention"))
    private let policy: CurrentPolicy

    init(store: any Store, policy: RetentionPolicy) {
        let current = CurrentPolicy(policy)
        self.policy = current
        source.schedule(deadline: .now(), repeating: .seconds(Self.seconds))
        source.setEventHandler { store.enforceRetention(current.policy.withLock { $0 }, now: Clock.system.now()) }
        source.resume()
    }

    /// Holds from the next time on.
    func follow(_ policy: RetentionPolicy) { self.policy.policy.withLock { $0 = policy } }

    func cancel() { source.cancel() }

    private final class CurrentPolicy: Sendable {
        let policy: Mutex<RetentionPolicy>

        init(_ policy: RetentionPolicy) { self.policy = Mutex(policy) }
    }
}
