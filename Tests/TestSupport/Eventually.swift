internal import Glibc

/// The longest time in seconds for which a test waits for another thread or process. A busy machine may give it no
/// processor for many seconds, and a wait ends when its condition holds.
public let longestWait = 300.0

/// Waits for a condition that another thread or process brings about; false after `longestWait`.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(longestWait)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        // Gives the other thread or process a millisecond.
        _ = poll(nil, 0, 1)
    }
    return true
}
