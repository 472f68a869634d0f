internal import BellwetherBase
internal import BellwetherService
internal import Dispatch
internal import Synchronization

/// Deletes abandoned drafts, and runs that are older than their retention: one minute after the start, then once a day
/// (docs/reference/surveys.md#clean-up). If several daemons share a store, a lease lets only one of them clean up at a
/// time. A daemon that finds the lease taken tries again after an hour.
final class CleanUpTimer {
    private static let interval: Int64 = 86_400
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.clean-up"))

    private final class NextTime: Sendable {
        /// The time of the next run, in seconds since 1970.
        let seconds = Atomic<Int64>(0)
    }

    init(persistence: Persistence, publication: @escaping @Sendable () -> (snapshot: Snapshot, retentionDays: Int?)) {
        source.schedule(deadline: .now() + .seconds(60), repeating: .seconds(Int(CleanUpRuns.leaseSeconds)))
        let (holder, next) = (WebhookID.make(), NextTime())
        source.setEventHandler {
            let now = persistence.store.clock.now()
            guard now.seconds >= next.seconds.load(ordering: .relaxed) else { return }
            let (snapshot, days) = publication()
            let apps = snapshot.apps.values.sorted { $0.name < $1.name }
            let rules = apps.flatMap { CleanUpRuns.rules(for: $0, retentionDays: days) }
            CleanUpRuns(in: persistence, now: now).run(rules, holding: holder) { wasDone in
                if wasDone { next.seconds.store(now.seconds + Self.interval, ordering: .relaxed) }
            }
        }
        source.resume()
    }

    func cancel() { source.cancel() }
}
