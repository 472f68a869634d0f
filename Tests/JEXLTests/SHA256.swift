/// FIPS 180-4, in a short form: the tests of `bucketSample` need real hashes, and JEXL does not contain a hash.
enum SHA256 {
    static let hash48: @Sendable ([UInt8]) -> UInt64 = { text in
        let words = digest(text)
        return UInt64(words[0]) << 16 | UInt64(words[1] >> 16)
    }

    private static func digest(_ text: [UInt8]) -> [UInt32] {
        var padded = text + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        padded += (0..<8).map { UInt8(truncatingIfNeeded: (UInt64(text.count) * 8) >> (56 - 8 * UInt64($0))) }
        var hash = primes.prefix(8).map { fraction(of: $0.squareRoot()) }
        for block in stride(from: 0, to: padded.count, by: 64) { compress(padded[block..<block + 64], into: &hash) }
        return hash
    }

    private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = turn(early, 7) ^ turn(early, 18) ^ early >> 3
            let second = turn(late, 17) ^ turn(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var state = hash
        for (word, constant) in zip(words, constants) {
            let (a, e) = (state[0], state[4])
            let choice = e & state[5] ^ ~e & state[6]
            let one = state[7] &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice &+ constant &+ word
            let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
            let two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
            state = [one &+ two, a, state[1], state[2], state[3] &+ one, e, state[5], state[6]]
        }
        for index in hash.indices { hash[index] &+= state[index] }
    }

    private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static func fraction(of root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static let primes: [Double] = (2...311).filter { number in
        !(2..<number).contains { number % $0 == 0 }
    }.map(Double.init)

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes.map { prime in
        // Newton's method, because the standard library has no cube root.
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root - prime) / (3 * root * root) }
        return fraction(of: root)
    }
}
