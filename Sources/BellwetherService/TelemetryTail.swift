internal import Synchronization

/// Wakes those who wait for the next record of an app. Counts commits, so that a commit between a read that found
/// nothing and the wait after it is not missed.
public final class TelemetryTail: Sendable {
    private struct State {
        var commits: [String: UInt64] = [:]
        var waiting: [String: [@Sendable () -> Void]] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public func commits(in app: String) -> UInt64 { state.withLock { $0.commits[app] ?? 0 } }

    /// Calls `wake` at the first commit after the given count, at once if there was one.
    public func wait(for app: String, after commits: UInt64, wake: @escaping @Sendable () -> Void) {
        let isPast = state.withLock { state in
            guard state.commits[app] ?? 0 == commits else { return true }
            state.waiting[app, default: []].append(wake)
            return false
        }
        if isPast { wake() }
    }

    /// Records were committed.
    public func notify(_ apps: Set<String>) {
        let wakes = state.withLock { state in
            apps.flatMap { app in
                state.commits[app, default: 0] += 1
                return state.waiting.removeValue(forKey: app) ?? []
            }
        }
        for wake in wakes { wake() }
    }
}
