internal import BellwetherService
internal import Dispatch

/// Deletes what is no longer kept, at the start and then from time to time.
final class RetentionTimer {
    private static let seconds = 600

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.retention"))

    init(store: any Store, policy: RetentionPolicy) {
        source.schedule(deadline: .now(), repeating: .seconds(Self.seconds))
        source.setEventHandler { store.enforceRetention(policy, now: Clock.system.now()) }
        source.resume()
    }

    func cancel() { source.cancel() }
}
