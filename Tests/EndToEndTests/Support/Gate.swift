import Dispatch
import Synchronization

/// Holds threads until so many others have come.
final class Gate: Sendable {
    private let turnstile = DispatchSemaphore(value: 0)
    private let missing: Mutex<Int>

    init(after count: Int = 1) { missing = Mutex(count) }

    func arrive() {
        let left = missing.withLock { missing in
            missing -= 1
            return missing
        }
        if left == 0 { turnstile.signal() }
    }

    /// For a minute at most.
    func wait() {
        _ = turnstile.wait(timeout: .now() + 60)
        turnstile.signal()
    }
}
