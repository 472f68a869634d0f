/// SipHash-2-4 with a result of 128 bits, a keyed hash (Aumasson and Bernstein, 2012).
public struct SipHash: Sendable, Hashable {
    private let first: UInt64
    private let second: UInt64

    /// The number of bytes of a key.
    public static let keyBytes = 16

    /// The halves of a key, as little-endian numbers.
    public init(_ first: UInt64, _ second: UInt64) { (self.first, self.second) = (first, second) }

    /// The key's bytes.
    public var key: [UInt8] {
        [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }

    /// Nil unless the key has `keyBytes` bytes.
    public init?(key: [UInt8]) {
        guard key.count == Self.keyBytes else { return nil }
        first = Self.word(key[...], at: 0)
        second = Self.word(key[...], at: 8)
    }

    /// The hash of a text's bytes: the first eight bytes of the result, and the last eight, each as a little-endian
    /// number.
    public func hash(_ bytes: ArraySlice<UInt8>) -> (low: UInt64, high: UInt64) {
        var state = State(first, second)
        var place = bytes.startIndex
        while bytes.endIndex - place >= 8 {
            state.absorb(Self.word(bytes, at: place))
            place += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for (shift, byte) in bytes[place...].enumerated() { last |= UInt64(byte) << UInt64(8 * shift) }
        state.absorb(last)
        return state.finish()
    }

    private static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt64 {
        var word: UInt64 = 0
        for shift in 0..<8 { word |= UInt64(bytes[place + shift]) << UInt64(8 * shift) }
        return word
    }

    private struct State {
        private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

        init(_ first: UInt64, _ second: UInt64) {
            v0 = first ^ 0x736F_6D65_7073_6575
            v1 = second ^ 0x646F_7261_6E64_6F6D ^ 0xEE
            v2 = first ^ 0x6C79_6765_6E65_7261
            v3 = second ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            turn(2)
            v0 ^= word
        }

        mutating func finish() -> (low: UInt64, high: UInt64) {
            v2 ^= 0xEE
            turn(4)
            let low = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
            turn(4)
            return (low, v0 ^ v1 ^ v2 ^ v3)
        }

        private mutating func turn(_ rounds: Int) {
            for _ in 0..<rounds {
                v0 &+= v1
                v1 = Self.rotated(v1, 13) ^ v0
                v0 = Self.rotated(v0, 32)
                v2 &+= v3
                v3 = Self.rotated(v3, 16) ^ v2
                v0 &+= v3
                v3 = Self.rotated(v3, 21) ^ v0
                v2 &+= v1
                v1 = Self.rotated(v1, 17) ^ v2
                v2 = Self.rotated(v2, 32)
            }
        }

        private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
    }
}
