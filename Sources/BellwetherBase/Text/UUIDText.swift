/// UUIDs as text (RFC 9562 4).
public enum UUIDText {
    /// The canonical spelling of 16 bytes: lowercase, 8-4-4-4-12.
    public static func format(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { output.append(0x2D) }
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a text has hexadecimal digits of either case in groups of 8, 4, 4, 4 and 12.
    package static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { position, byte in
            [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : ASCIISet.hexadecimal.contains(byte)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
