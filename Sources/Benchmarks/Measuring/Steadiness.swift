/// The steadiness of the calling thread's processor, while no other load is known to use it. The measured work reads
/// from random positions of a block of memory.
///
/// If the work takes twice as long for a tenth of the time, a measured tail is due to other load on the machine.
struct Steadiness {
    /// More memory than the caches of one processor hold, and less than the shared caches hold. A daemon with 100,000
    /// clients reads that much.
    private static let bytes = 16 << 20
    private static let readsOfAPiece = 20_000

    /// The median time of a piece of work, in milliseconds.
    let median: Double
    /// The share of the total time that was spent in pieces of at least 1.5 times the median.
    let slowShare: Double
    /// The longest sequence of such pieces, in milliseconds.
    let longestSlow: Double
    /// The number of pieces that took at least a millisecond longer than the median: the processor ran something else.
    let absences: Int
    /// The total time of these interruptions, in milliseconds.
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
        // The result depends on the sum, so the compiler cannot remove the reads.
        return sum == .max ? [] : times
    }
}
