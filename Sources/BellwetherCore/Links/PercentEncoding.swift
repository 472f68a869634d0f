internal import BellwetherBase

/// Percent-encoding of text in links (RFC 3986 2.1): UTF-8 bytes outside of a set become `%` and two capital hex
/// digits.
public enum PercentEncoding {
    /// Encodes the value of a query item so that every parser reads it in the same way: only RFC 3986's unreserved
    /// characters stay.
    public static func queryValue(_ text: String) -> String { encode(text, keeping: .unreserved) }

    /// Encodes names and values as Firefox for iOS does, through Foundation's `URLQueryItem`. Characters that a query
    /// may contain stay, except `=` and `&`. `+` stays too, although form parsers read it as a space.
    public static func iosQueryItem(_ text: String) -> String { encode(text, keeping: .iosQueryItem) }

    /// Encodes values as Firefox for Android does, through `android.net.Uri.encode`.
    public static func androidQueryValue(_ text: String) -> String { encode(text, keeping: .androidValue) }

    static func encode(_ text: String, keeping kept: ASCIISet) -> String {
        guard text.utf8.contains(where: { !kept.contains($0) }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 { append(byte, keeping: kept, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes characters that are not allowed. A `%` with two hex digits is treated as already encoded.
    static func repair(_ text: Substring.UTF8View, keeping kept: ASCIISet) -> String {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), isTriplet(text[index...].prefix(3)) {
                bytes.append(byte)
            } else {
                append(byte, keeping: kept, to: &bytes)
            }
            text.formIndex(after: &index)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text is `%` and two hex digits.
    static func isTriplet(_ text: Substring.UTF8View) -> Bool {
        text.count == 3 && text.first == UInt8(ascii: "%") && text.dropFirst().allSatisfy(ASCIISet.hexadecimal.contains)
    }

    private static func append(_ byte: UInt8, keeping kept: ASCIISet, to bytes: inout [UInt8]) {
        guard !kept.contains(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 0xF))
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
