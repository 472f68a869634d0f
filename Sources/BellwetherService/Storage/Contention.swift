internal import Dispatch

/// How long a write is tried where other daemons' writes of the same row come first, as those of a tally that many
/// answers of one survey change (docs/decisions/0109-writers-that-meet-at-a-row-wait-by-chance.md).
enum Contention {
    /// One of several writers that begin together wins each time: so many times in a row none of twelve loses.
    static let maximumAttempts = 100
    private static let longestMicroseconds = 8_000

    /// Waits before the next attempt, by chance: writers that met do not meet again. Not to be called in a write's
    /// turn.
    static func pause(after conflicts: Int) {
        guard conflicts > 0 else { return }
        let bound = min(conflicts * 500, longestMicroseconds)
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(Int.random(in: 0...bound)))
    }
}
