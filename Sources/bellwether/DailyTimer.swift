internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import Dispatch
internal import Synchronization

/// Runs a job soon after the start, then once a day. If several daemons share a store, the job's lease lets only one of
/// them do it at a time. A daemon that finds the lease taken, or whose store fails, tries again later.
final class DailyTimer {
    private static let interval: Int64 = 86_400
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.daily"))

    /// - Parameters:
    ///   - holder: a random id of this daemon, for the lease.
    ///   - now: the store's time.
    ///   - done: called at the end of the job, with false if it was not done.
    typealias Job =
        @Sendable (
            _ holder: Identifier, _ now: Timestamp, _ done: @escaping @Sendable (_ wasDone: Bool) -> Void
        ) -> Void

    private final class NextTime: Sendable {
        /// The time of the next run, in seconds since 1970.
        let seconds = Atomic<Int64>(0)
    }

    /// - Parameters:
    ///   - seconds: the time from the start to the first run.
    ///   - retrySeconds: the time to the next attempt, when the job was not done.
    init(after seconds: Int, retrySeconds: Int64, _ persistence: Persistence, _ job: @escaping Job) {
        source.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(Int(retrySeconds)))
        let (holder, next) = (WebhookID.make(), NextTime())
        source.setEventHandler {
            let now = persistence.store.clock.now()
            guard now.seconds >= next.seconds.load(ordering: .relaxed) else { return }
            job(holder, now) { wasDone in
                if wasDone { next.seconds.store(now.seconds + Self.interval, ordering: .relaxed) }
            }
        }
        source.resume()
    }

    func cancel() { source.cancel() }
}
