/// Encodes small integers as the format's hybrid of runs and bit-packed values ("RLE"), without a length in front.
///
/// A bit-packed run covers a multiple of 8 values. A repeated value therefore fills it up before its own run begins.
struct RunLengthEncoder {
    /// Values of a bit-packed run: its head is one byte, as other writers have it.
    private static let longestPackedRun = 63 * 8

    /// The bits of a value, 1 to 32.
    private let bitWidth: Int
    private var bytes: [UInt8] = []
    /// The values of the bit-packed run that is not yet written.
    private var packed: [UInt32] = []
    /// The repeated value that is not yet written, and how often it came.
    private var value: UInt32 = 0
    private var count = 0

    init(bitWidth: Int) { self.bitWidth = bitWidth }

    /// The bits that the numbers below `count` need; at least 1.
    static func bitWidth(count: Int) -> Int { max(1, Int.bitWidth - (count - 1).leadingZeroBitCount) }

    mutating func append(_ value: UInt32, count: Int = 1) {
        guard count > 0 else { return }
        if value != self.value {
            endRepetition()
            self.value = value
        }
        self.count += count
    }

    /// Returns the encoded values, and begins again.
    mutating func finish() -> [UInt8] {
        endRepetition()
        // Readers know the number of values, and ignore what fills up the last 8.
        while !packed.count.isMultiple(of: 8) { packed.append(0) }
        endPackedRun()
        defer { bytes = [] }
        return bytes
    }

    private mutating func endRepetition() {
        while count > 0, count < 8 || !packed.count.isMultiple(of: 8) {
            packed.append(value)
            count -= 1
            if packed.count == Self.longestPackedRun { endPackedRun() }
        }
        guard count > 0 else { return }
        endPackedRun()
        bytes.append(varint: UInt64(count) << 1)
        for byte in 0..<(bitWidth + 7) / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        count = 0
    }

    private mutating func endPackedRun() {
        guard !packed.isEmpty else { return }
        bytes.append(varint: UInt64(packed.count / 8) << 1 | 1)
        var bits: UInt64 = 0
        var held = 0
        for value in packed {
            bits |= UInt64(value) << held
            held += bitWidth
            while held >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                held -= 8
            }
        }
        packed.removeAll(keepingCapacity: true)
    }
}

extension [UInt8] {
    /// Seven bits a byte, the lowest first (LEB128).
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }

    /// The bytes of a number, the lowest first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
