/// Base64 with padding (RFC 4648 4).
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each byte; 255 for a byte that is no digit.
    private static let values: [UInt8] = {
        var values = Array(repeating: UInt8.max, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    public static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let count = min(3, bytes.endIndex - start)
            var bits: UInt32 = 0
            for index in 0..<3 { bits = bits << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
            for digit in 0..<4 {
                output.append(digit <= count ? digits[Int(bits >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
            start += count
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes a text; nil for a text that `encode` does not write. The padding may be missing.
    public static func decode(_ text: String) -> [UInt8]? {
        let input = Array(text.utf8)
        let content = input.prefix { $0 != UInt8(ascii: "=") }
        guard content.count % 4 != 1, content.count == input.count || input.count % 4 == 0 else { return nil }
        guard input.dropFirst(content.count).allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        guard input.count - content.count <= 2 else { return nil }
        let values = values
        var (output, bits, count) = ([UInt8](), UInt32(0), UInt32(0))
        output.reserveCapacity(content.count / 4 * 3 + 2)
        for byte in content {
            let value = values[Int(byte)]
            guard value != .max else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            output.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        // The unused bits after the last byte must be 0.
        return bits == 0 ? output : nil
    }
}
