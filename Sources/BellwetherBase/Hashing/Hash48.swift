/// The first 48 bits of a SHA-256, most significant first. Sampling uses them as a fraction between 0 and 1.
public enum Hash48 {
    /// The hash of a text's bytes.
    public static func hash(_ text: [UInt8]) -> UInt64 { SHA256.hash(text).words.0 >> 16 }

    /// A hash in the form of logs and tests: twelve lower-case hex digits.
    public static func hexadecimal(_ hash48: UInt64) -> String {
        let digits = String(hash48, radix: 16)
        return String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    }
}
