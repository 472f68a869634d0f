internal import BellwetherBase

/// The uuid of a press. It is derived, not random, so a poll's response stays the same until the next display
/// (docs/reference/messaging.md#action-uuid).
public enum ActionUUID {
    /// HMAC-SHA256 over the parts that identify the press, formatted as a version 4 UUID in lowercase. Each part has
    /// its length as a prefix, so different presses never have the same input.
    public static func derive(secret: [UInt8], parts: [String]) -> String {
        var text: [UInt8] = []
        for part in parts {
            text += "\(part.utf8.count):".utf8
            text += part.utf8
        }
        let code = HMAC.authenticationCode(for: text, key: secret)
        var bytes = Array(code.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }
}
