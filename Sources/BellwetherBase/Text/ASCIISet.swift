/// A set of ASCII characters, which is tested byte by byte. It never contains bytes from 128.
package struct ASCIISet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ characters: some Sequence<UInt8>) {
        for byte in characters where byte < 128 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    package init(_ characters: String) { self.init(characters.utf8) }

    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 == 1
    }

    package func union(_ other: ASCIISet) -> ASCIISet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    /// The characters of ASCII that are not in the set.
    package var inverted: ASCIISet {
        var others = self
        (others.low, others.high) = (~low, ~high)
        return others
    }

    /// The set with the other case of each letter, which is 32 characters away.
    package var ignoringCase: ASCIISet {
        var set = self
        set.high |= (high & Self.upperCase.high) << 32 | (high & Self.lowerCase.high) >> 32
        return set
    }

    package static let upperCase = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    package static let lowerCase = ASCIISet("abcdefghijklmnopqrstuvwxyz")

    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let subDelimiters = "!$&'()*+,;="
    private static let pathCharacters = alphanumerics + "-._~" + subDelimiters + ":@"

    package static let digits = ASCIISet("0123456789")
    package static let hexadecimal = ASCIISet("0123456789ABCDEFabcdef")

    /// RFC 4648 5.
    package static let base64URL = ASCIISet(alphanumerics + "-_")

    /// RFC 3986 2.3.
    package static let unreserved = ASCIISet(alphanumerics + "-._~")
    /// RFC 3986 3.1, after the first letter.
    package static let scheme = ASCIISet(alphanumerics + "+-.")
    /// RFC 3986 3.2: user, host and port, with the brackets of IP literals.
    package static let authority = ASCIISet(alphanumerics + "-._~" + subDelimiters + ":@[]")
    /// RFC 3986 3.3.
    package static let path = ASCIISet(pathCharacters + "/")
    /// RFC 3986 3.4 and 3.5: query and fragment.
    package static let query = ASCIISet(pathCharacters + "/?")
    /// RFC 6838 4.2: one of the two names of a media type.
    package static let mediaTypeName = ASCIISet(alphanumerics + "!#$&-^_.+")
    /// The characters that swift-foundation leaves unescaped in a `URLQueryItem`: a query's characters without `=` and
    /// `&`.
    package static let iosQueryItem = ASCIISet(alphanumerics + "-._~!$'()*+,;:@/?")
    /// The characters that `android.net.Uri.encode` leaves unescaped.
    package static let androidValue = ASCIISet(alphanumerics + "_-!.~'()*")
}
