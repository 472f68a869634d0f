/// The smallest and the largest value of a chunk, by which readers skip row groups.
struct ValueBounds {
    /// Longer texts are not stated: the bounds would be larger than what they spare.
    static let maxTextBytes = 64

    private var integers: (min: Int64, max: Int64)?
    private var doubles: (min: Double, max: Double)?
    private var texts: (min: [UInt8], max: [UInt8])?

    mutating func include(_ value: Int64) {
        let (least, greatest) = integers ?? (value, value)
        integers = (min(least, value), max(greatest, value))
    }

    /// A value that is not a number has no place in the order, and is left out.
    mutating func include(_ value: Double) {
        guard !value.isNaN else { return }
        let (least, greatest) = doubles ?? (value, value)
        doubles = (min(least, value), max(greatest, value))
    }

    /// Texts are in the order of their bytes, without signs.
    mutating func include(_ text: UnsafeRawBufferPointer) {
        guard let (least, greatest) = texts else {
            texts = (Array(text), Array(text))
            return
        }
        if text.lexicographicallyPrecedes(least) {
            texts?.min = Array(text)
        } else if greatest.lexicographicallyPrecedes(text) {
            texts?.max = Array(text)
        }
    }

    /// Both bounds in the format's form; nil if no value was included, or if a text is too long.
    func encoded(as type: ParquetType) -> (min: [UInt8], max: [UInt8])? {
        switch type {
        case .boolean: return nil
        case .int32: return integers.map { (Self.bytes(Int32($0.min)), Self.bytes(Int32($0.max))) }
        case .int64, .timestamp: return integers.map { (Self.bytes($0.min), Self.bytes($0.max)) }
        case .double:
            // Readers may take the two zeros for equal: the bounds must include both.
            return doubles.map {
                let (least, greatest) = ($0.min == 0 ? -0.0 : $0.min, $0.max == 0 ? 0.0 : $0.max)
                return (Self.bytes(least.bitPattern), Self.bytes(greatest.bitPattern))
            }
        case .string:
            return texts.flatMap { max($0.min.count, $0.max.count) <= Self.maxTextBytes ? $0 : nil }
        }
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: value)
        return bytes
    }
}
