/// The different values of a chunk, each with an index in the order of first use: a hash table with open addressing.
///
/// It is bounded in entries, bytes and steps of a search. The bound of steps is for texts that were chosen so that
/// their hashes collide: they fill the dictionary early, and cost no time.
struct ValueDictionary {
    static let maxEntries = 15_000
    static let maxBytes = 1 << 20
    static let maxSteps = 128

    /// The entries in the format's form PLAIN: texts have their length in front.
    private(set) var bytes: [UInt8] = []
    private let prefix: Int
    /// Where each entry ends in `bytes`.
    private var ends: [Int] = []
    private var hashes: [UInt32] = []
    /// Entries by their hashes, plus 1; 0 is a free slot. The count is a power of 2, and at most half are taken.
    private var slots = [UInt32](repeating: 0, count: 64)

    init(isText: Bool) { prefix = isText ? 4 : 0 }

    var count: Int { ends.count }

    /// The index of a value, which is added if it is new; nil if there is no room for it.
    mutating func index(of value: UnsafeRawBufferPointer) -> UInt32? {
        let hash = Self.hash(value)
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        for _ in 0..<Self.maxSteps {
            let entry = slots[slot]
            if entry == 0 { return add(value, hash: hash, slot: slot) }
            if hashes[Int(entry - 1)] == hash, isEqual(Int(entry - 1), value) { return entry - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Appends the values with these indices to `output`, in the form PLAIN.
    func append(_ indices: [UInt32], to output: inout [UInt8]) {
        for index in indices { output.append(contentsOf: bytes[start(Int(index))..<ends[Int(index)]]) }
    }

    private func start(_ entry: Int) -> Int { entry == 0 ? 0 : ends[entry - 1] }

    private mutating func add(_ value: UnsafeRawBufferPointer, hash: UInt32, slot: Int) -> UInt32? {
        guard count < Self.maxEntries, bytes.count + prefix + value.count <= Self.maxBytes else { return nil }
        if prefix > 0 { bytes.append(littleEndian: UInt32(value.count)) }
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = UInt32(count)
        if count * 2 > slots.count { grow() }
        return UInt32(count - 1)
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        slots = [UInt32](repeating: 0, count: mask + 1)
        for (entry, hash) in hashes.enumerated() {
            var slot = Int(hash) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(entry + 1)
        }
    }

    private func isEqual(_ entry: Int, _ value: UnsafeRawBufferPointer) -> Bool {
        let start = start(entry) + prefix
        guard ends[entry] - start == value.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[start..<start + value.count])
            var at = 0
            while at + 8 <= value.count {
                guard Self.word(bytes, at) == Self.word(value, at) else { return false }
                at += 8
            }
            while at < value.count {
                guard bytes[at] == value[at] else { return false }
                at += 1
            }
            return true
        }
    }

    /// Multiplies 8 bytes a step. The constants are odd numbers without a pattern (of xxHash).
    static func hash(_ value: UnsafeRawBufferPointer) -> UInt32 {
        var hash = 0x9E37_79B1_85EB_CA87 ^ UInt64(value.count)
        func mix(_ word: UInt64) {
            let product = (hash ^ word).multipliedFullWidth(by: 0xC2B2_AE3D_27D4_EB4F)
            hash = product.high ^ product.low
        }
        var at = 0
        while at + 8 <= value.count {
            mix(word(value, at))
            at += 8
        }
        var rest: UInt64 = 0
        while at < value.count {
            rest = rest << 8 | UInt64(value[at])
            at += 1
        }
        mix(rest)
        return UInt32(truncatingIfNeeded: hash)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    }
}
