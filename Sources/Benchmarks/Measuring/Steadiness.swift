/// How evenly the processor of the calling thread does one and the same piece of work, as long as no other load is
/// known to use it: reads from everywhere in some memory.
///
/// A tail that was measured where work takes twice as long for a tenth of the time is the neighbours' doing.
struct Steadiness {
    /// More than a processor has for itself, less than several share: what a daemon of 100,000 clients goes through.
    private static let bytes = 16 << 20
    private static let readsOfAPiece = 20_000

    /// Milliseconds of a piece.
    let median: Double
    /// The share of all time that pieces took which needed 1.5 times the median or more.
    let slowShare: Double
    /// Milliseconds of such pieces one after another.
    let longestSlow: Double
    /// How often a piece took a millisecond longer than the median: the processor did something else.
    let absences: Int
    /// Milliseconds of those, in all.
    let away: Double

    init(seconds: Double) {
        let times = Self.measure(seconds: seconds)
        let median = times.sorted().median ?? 0
        var (slow, stretch, longest, away, absences) = (0.0, 0.0, 0.0, 0.0, 0)
        for time in times {
            if time > median + 1 {
                absences += 1
                away += time - median
            } else if time >= 1.5 * median {
                slow += time
                stretch += time
            } else {
                stretch = 0
            }
            longest = max(longest, stretch)
        }
        self.median = median
        slowShare = slow / max(times.reduce(0, +), 1)
        longestSlow = longest
        self.absences = absences
        self.away = away
    }

    private static func measure(seconds: Double) -> [Double] {
        let words = (0..<UInt64(bytes / MemoryLayout<UInt64>.stride)).map { $0 &* 0x9E37_79B9_7F4A_7C15 }
        let mask = UInt64(words.count - 1)
        var times: [Double] = []
        var (state, sum): (UInt64, UInt64) = (1, 0)
        let end = MonotonicClock.now + Int64(seconds * 1_000_000_000)
        var now = MonotonicClock.now
        while now < end {
            for _ in 0..<readsOfAPiece {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let word = words[Int(state >> 33 & mask)]
                sum = word & 1 == 0 ? sum ^ state : sum &+ word
            }
            let next = MonotonicClock.now
            times.append(Double(next - now) / 1_000_000)
            now = next
        }
        // The result depends on the sum, so that the reads are not optimised away.
        return sum == .max ? [] : times
    }
}
