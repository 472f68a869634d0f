/// MurmurHash3, 32 bits, x86 (Austin Appleby, public domain). AppDNA assigns variants with it
/// (docs/reference/http-api.md#the-command-bucket).
public enum Murmur3 {
    public static func hash(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
        var hash = seed
        let blocks = bytes.count / 4
        for block in 0..<blocks {
            hash ^= scrambled(word(bytes[(block * 4)..<(block * 4 + 4)]))
            hash = (hash << 13 | hash >> 19) &* 5 &+ 0xE654_6B64
        }
        let tail = bytes[(blocks * 4)...]
        if !tail.isEmpty { hash ^= scrambled(word(tail)) }
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func scrambled(_ word: UInt32) -> UInt32 {
        let product = word &* 0xCC9E_2D51
        return (product << 15 | product >> 17) &* 0x1B87_3593
    }
}
