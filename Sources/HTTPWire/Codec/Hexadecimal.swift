extension [UInt8] {
    /// Appends eight digits in lower case.
    package mutating func append(hexadecimal value: UInt32) { append(word: value.hexadecimal, bytes: 8) }

    /// Appends `-` and four digits.
    mutating func append(hyphenated value: UInt16) {
        append(word: UInt64(UInt8(ascii: "-")) << 32 | UInt32(value).hexadecimal & 0xFFFF_FFFF, bytes: 5)
    }

    /// Appends the lowest bytes of a word, the most significant first.
    private mutating func append(word: UInt64, bytes: Int) {
        Swift.withUnsafeBytes(of: (word << UInt64(64 - 8 * bytes)).bigEndian) {
            append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<bytes]))
        }
    }
}

extension UInt32 {
    /// The eight digits in ASCII, the first in the most significant byte. All are computed at once, with each nibble in
    /// its own byte.
    fileprivate var hexadecimal: UInt64 {
        var nibbles = UInt64(self)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27
    }
}
