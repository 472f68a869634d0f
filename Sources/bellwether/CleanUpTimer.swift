internal import BellwetherBase
internal import BellwetherService
internal import Dispatch
internal import Synchronization

/// Deletes drafts that were left alone and runs that are older than their retention, a minute after the start and then
/// once a day (docs/reference/surveys.md#clean-up). Of several daemons over one store one does it: it holds a lease.
final class CleanUpTimer {
    private static let seconds = 86_400
    /// No run takes so long.
    private static let leaseSeconds: Int64 = 3_600
    private static let lease = "runs.clean-up"

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.clean-up"))

    init(persistence: Persistence, publication: @escaping @Sendable () -> (snapshot: Snapshot, retentionDays: Int?)) {
        let holder = WebhookID.make()
        source.schedule(deadline: .now() + .seconds(60), repeating: .seconds(Self.seconds))
        source.setEventHandler {
            let now = Clock.system.now()
            let (snapshot, days) = publication()
            let apps = snapshot.apps.values.sorted { $0.name < $1.name }
            let rules = apps.flatMap { CleanUpRuns.rules(for: $0, retentionDays: days) }
            let lease = Lease.taking(Self.lease, holder: holder, seconds: Self.leaseSeconds, now: now)
            persistence.submit(lease) { result in
                guard case .success(.leased(true)) = result else { return }
                CleanUpRuns(in: persistence, now: now).run(rules)
            }
        }
        source.resume()
    }

    func cancel() { source.cancel() }
}
