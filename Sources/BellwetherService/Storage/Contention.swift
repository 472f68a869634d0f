internal import Dispatch

/// The attempts of a write when other daemons' writes of the same row come first. An example is the row of a tally that
/// many answers of one survey change (docs/decisions/archive/0109-writers-that-meet-at-a-row-wait-by-chance.md).
enum Contention {
    /// The maximum number of attempts. One of several writers that begin together wins each time. Of twelve writers,
    /// none loses so many times in a row.
    static let maximumAttempts = 100
    private static let longestMicroseconds = 8_000

    /// Waits for a random time before the next attempt, so that conflicting writers do not conflict again. Not to be
    /// called in a write's turn.
    static func pause(after conflicts: Int) {
        guard conflicts > 0 else { return }
        let bound = min(conflicts * 500, longestMicroseconds)
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(Int.random(in: 0...bound)))
    }
}
