public import BellwetherJSON
internal import Synchronization

/// Wakes the requests that wait for the next record of an app. It counts commits, so that a commit between a read that
/// found nothing and the wait after it is not missed.
public final class TelemetryTail: Sendable {
    private struct State {
        var commits: [Identifier: UInt64] = [:]
        /// The count for unknown apps.
        var others: UInt64 = 0
        var waiting: [Identifier: Waiters] = [:]

        func commits(in app: Identifier) -> UInt64 { others &+ (commits[app] ?? 0) }
    }

    /// The waiters for one app. A waiter that disconnects is not removed. So each has a deadline, and expired waiters
    /// are dropped when others come. They never outnumber the others for long.
    private struct Waiters {
        private var entries: [(deadline: ContinuousClock.Instant, wake: @Sendable () -> Void)] = []
        private var sweepAt = 64

        var wakes: [@Sendable () -> Void] { entries.map(\.wake) }

        /// Adds a waiter. Returns false if the maximum number waits.
        mutating func add(
            until deadline: ContinuousClock.Instant, bound: Int, _ wake: @escaping @Sendable () -> Void
        ) -> Bool {
            let now = ContinuousClock.now
            let isFull = entries.count >= bound
            if isFull, entries.first.map({ $0.deadline >= now }) ?? true { return false }
            if isFull || entries.count >= sweepAt {
                entries.removeAll { $0.deadline < now }
                sweepAt = max(64, 2 * entries.count)
            }
            entries.append((deadline, wake))
            return true
        }
    }

    /// The maximum number of waiters for one app, including disconnected ones; a hundred bytes each.
    public static let defaultBound = 65_536

    private let bound: Int
    private let state = Mutex(State())

    public init(bound: Int = TelemetryTail.defaultBound) { self.bound = bound }

    public func commits(in app: Identifier) -> UInt64 { state.withLock { $0.commits(in: app) } }

    /// Calls `wake` at the first commit after the given count, at once if there was one. After `milliseconds` the
    /// waiter may be dropped. Returns false if too many wait already; then `wake` is never called.
    public func wait(
        for app: Identifier, after commits: UInt64, milliseconds: Int, wake: @escaping @Sendable () -> Void
    ) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        let isWaiting = state.withLock { state -> Bool? in
            guard state.commits(in: app) == commits else { return nil }
            return state.waiting[app, default: Waiters()].add(until: deadline, bound: bound, wake)
        }
        if isWaiting == nil { wake() }
        return isWaiting ?? true
    }

    /// Notes that records were committed; nil means that the apps are unknown.
    public func notify(_ apps: Set<Identifier>?) {
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            guard let apps else {
                state.others += 1
                defer { state.waiting = [:] }
                return state.waiting.values.flatMap(\.wakes)
            }
            return apps.flatMap { app in
                state.commits[app, default: 0] += 1
                return state.waiting.removeValue(forKey: app)?.wakes ?? []
            }
        }
        for wake in wakes { wake() }
    }
}
