import Dispatch
import Synchronization
import TestSupport

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

    func wait() {
        _ = turnstile.wait(timeout: .now() + longestWait)
        turnstile.signal()
    }
}
