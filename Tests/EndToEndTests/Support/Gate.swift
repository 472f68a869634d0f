import Dispatch
import Synchronization

/// Blocks threads until a number of others have arrived.
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

    /// Waits for at most a minute.
    func wait() {
        _ = turnstile.wait(timeout: .now() + 60)
        turnstile.signal()
    }
}
