internal import BellwetherBase

/// SHA-256, and its form as text.
public enum Digest {
    public static let byteCount = SHA256.byteCount

    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(bytes)) }

    /// Lowercase hex digits, as sha256sum prints them.
    public static func hex(_ digest: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * digest.underestimatedCount)
        for byte in digest { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text that `hex` returned; nil for other texts.
    static func bytes(hex text: String) -> [UInt8]? {
        let nibbles = text.utf8.map { byte in digits.firstIndex(of: byte) }
        guard nibbles.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            guard let high = nibbles[index], let low = nibbles[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
