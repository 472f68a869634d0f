internal import BellwetherBase

/// A link split into its parts, so that query items can be inserted after the present ones and before the fragment.
///
/// A valid link has a scheme and, after `//`, a well-formed authority. In the other parts, characters that a link may
/// not contain are percent-encoded, as Foundation does since iOS 17.
struct LinkText {
    /// The scheme, authority and path.
    private let base: String
    /// The query; nil without `?`.
    private var query: String?
    /// The fragment; nil without `#`.
    private let fragment: String?

    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].utf8
        guard let letter = scheme.first, Self.isLetter(letter), scheme.allSatisfy(ASCIISet.scheme.contains) else {
            return nil
        }
        let (beforeFragment, fragment) = Self.cut(text[text.utf8.index(after: colon)...].utf8, at: "#")
        let (hierarchy, query) = Self.cut(beforeFragment, at: "?")
        var path = hierarchy
        var authority = ""
        if hierarchy.starts(with: "//".utf8) {
            let rest = hierarchy.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            guard Self.isAuthority(rest[..<end]) else { return nil }
            authority = "//" + String(Substring(rest[..<end]))
            path = rest[end...]
        }
        base = String(text[...colon]) + authority + PercentEncoding.repair(path, keeping: .path)
        self.query = query.map { PercentEncoding.repair($0, keeping: .query) }
        self.fragment = fragment.map { PercentEncoding.repair($0, keeping: .query) }
    }

    /// Appends items such as `name=value`, which are already encoded.
    mutating func append(items: [String]) {
        guard !items.isEmpty else { return }
        let present = query.map { $0.isEmpty ? [] : [$0] } ?? []
        query = (present + items).joined(separator: "&")
    }

    var text: String { beforeFragment + fragmentWithMark }

    var hasQuery: Bool { query != nil }

    var beforeFragment: String { base + (query.map { "?" + $0 } ?? "") }

    /// The fragment with its `#`; empty if there is none.
    var fragmentWithMark: String { fragment.map { "#" + $0 } ?? "" }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func cut(_ text: Substring.UTF8View, at mark: Unicode.Scalar) -> (
        Substring.UTF8View, Substring.UTF8View?
    ) {
        guard let index = text.firstIndex(of: UInt8(ascii: mark)) else { return (text, nil) }
        return (text[..<index], text[text.index(after: index)...])
    }
}

extension LinkText {
    /// Whether a text is `[userinfo "@"] host [":" port]`. A host in brackets is an IP literal. An empty authority is
    /// allowed, as in `firefox://`.
    static func isAuthority(_ text: Substring.UTF8View) -> Bool {
        guard hasLegalCharacters(text) else { return false }
        let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.last else { return false }
        guard parts.count == 1 || !parts[0].contains(where: isBracket) else { return false }
        return host.first == UInt8(ascii: "[") ? isLiteral(host) : isName(host)
    }

    private static func hasLegalCharacters(_ text: Substring.UTF8View) -> Bool {
        text.indices.allSatisfy { index in
            text[index] == UInt8(ascii: "%")
                ? PercentEncoding.isTriplet(text[index...].prefix(3)) : ASCIISet.authority.contains(text[index])
        }
    }

    private static func isName(_ host: Substring.UTF8View) -> Bool {
        guard !host.contains(where: isBracket) else { return false }
        let parts = host.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.dropFirst().allSatisfy { $0.allSatisfy(ASCIISet.digits.contains) }
    }

    private static func isLiteral(_ host: Substring.UTF8View) -> Bool {
        guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let address = host[..<end].dropFirst()
        var port = host[end...].dropFirst()
        guard !address.isEmpty, !address.contains(where: isBracket) else { return false }
        guard let colon = port.popFirst() else { return true }
        return colon == UInt8(ascii: ":") && port.allSatisfy(ASCIISet.digits.contains)
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
}
