internal import Synchronization

/// Wakes those who wait for the next record of an app. Counts commits, so that a commit between a read that found
/// nothing and the wait after it is not missed.
public final class TelemetryTail: Sendable {
    private struct State {
        var commits: [String: UInt64] = [:]
        var waiting: [String: Waiters] = [:]
    }

    /// Those who wait for one app. Nobody says when he stops waiting (he may have hung up), so everyone says how long
    /// he waits at most, and those whose time is over are dropped as others come: they never outnumber the others for
    /// long.
    private struct Waiters {
        private var entries: [(deadline: ContinuousClock.Instant, wake: @Sendable () -> Void)] = []
        private var sweepAt = 64

        var wakes: [@Sendable () -> Void] { entries.map(\.wake) }

        mutating func add(until deadline: ContinuousClock.Instant, _ wake: @escaping @Sendable () -> Void) {
            if entries.count >= sweepAt {
                let now = ContinuousClock.now
                entries.removeAll { $0.deadline < now }
                sweepAt = max(64, 2 * entries.count)
            }
            entries.append((deadline, wake))
        }
    }

    private let state = Mutex(State())

    public init() {}

    public func commits(in app: String) -> UInt64 { state.withLock { $0.commits[app] ?? 0 } }

    /// Calls `wake` at the first commit after the given count, at once if there was one. After `milliseconds` it may be
    /// forgotten.
    public func wait(
        for app: String, after commits: UInt64, milliseconds: Int, wake: @escaping @Sendable () -> Void
    ) {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        let isPast = state.withLock { state in
            guard state.commits[app] ?? 0 == commits else { return true }
            state.waiting[app, default: Waiters()].add(until: deadline, wake)
            return false
        }
        if isPast { wake() }
    }

    /// Records were committed.
    public func notify(_ apps: Set<String>) {
        let wakes = state.withLock { state in
            apps.flatMap { app in
                state.commits[app, default: 0] += 1
                return state.waiting.removeValue(forKey: app)?.wakes ?? []
            }
        }
        for wake in wakes { wake() }
    }
}
