/// Time as the load generator lives it, in nanoseconds: it stands still while the machine runs something else in the
/// generator's place.
///
/// The generator never waits for the server, so that such a time is the machine's doing, never the server's. Counting
/// it would charge the server with requests that were never sent: on a shared machine the kernel's own threads alone
/// put the generator aside for milliseconds, several times a second. A stall of the server keeps no time from passing
/// here.
final class GeneratorClock {
    /// The bound of one send, one receive or one step of bad company, many times over.
    private static let longestStep: Int64 = 250_000

    /// When it was last looked at, by the monotonic clock.
    private var looked: Int64
    /// How long the generator has been away since the clock was made, and how often.
    private(set) var away: Int64 = 0
    private(set) var absences = 0

    init() { looked = MonotonicClock.now }

    /// To be asked after each step that may take long.
    var now: Int64 {
        let time = MonotonicClock.now
        if time - looked > Self.longestStep {
            away += time - looked
            absences += 1
        }
        looked = time
        return time - away
    }

    /// Does something that waits on purpose: what passes meanwhile counts.
    func waiting<Result>(_ body: () -> Result) -> Result {
        _ = now
        defer { looked = MonotonicClock.now }
        return body()
    }
}
