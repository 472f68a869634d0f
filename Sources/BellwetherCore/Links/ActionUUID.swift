internal import Crypto

/// The uuid of a press, derived and not drawn, so that an answer is the same until the next display (api.md 2.1).
public enum ActionUUID {
    /// HMAC-SHA256 over what identifies the press, shaped as a version 4 UUID, in lowercase. Parts are
    /// length-prefixed, so that no two presses share a text.
    public static func derive(secret: [UInt8], parts: [String]) -> String {
        var text: [UInt8] = []
        for part in parts {
            text += "\(part.utf8.count):".utf8
            text += part.utf8
        }
        let code = HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: secret))
        var bytes = Array(code.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }
}

/// The canonical spelling of a UUID's 16 bytes: lowercase, 8-4-4-4-12.
public enum UUIDText {
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

    private static let digits = Array("0123456789abcdef".utf8)
}
