internal import Glibc

/// Waits for a condition that another thread or process brings about; false after five minutes, which a busy
/// machine may need.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        // Gives the other thread or process a millisecond.
        _ = poll(nil, 0, 1)
    }
    return true
}
