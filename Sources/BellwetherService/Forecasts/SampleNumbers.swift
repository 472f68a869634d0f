internal import Synchronization

/// The random numbers for the sampling of polls: SplitMix64 (Steele, Lea, Flood 2014), with its own seed.
///
/// They need not be secret, and the system's generator would need a system call for each poll.
final class SampleNumbers: Sendable {
    private let state: Atomic<UInt64>

    init(seed: UInt64 = .random(in: .min ... .max)) { state = Atomic(seed) }

    /// A uniformly distributed number below a positive bound.
    func next(below bound: Int) -> Int {
        var number = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        number ^= number >> 31
        return Int(number.multipliedFullWidth(by: UInt64(bound)).high)
    }
}
