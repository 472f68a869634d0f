internal import BellwetherBase

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
