/// An origin as browsers send it in `Origin` (Fetch standard 3.1, HTML standard 7.1.1). It is `null`, or scheme and
/// host, with the port if it is not the scheme's default.
public struct BrowserOrigin: Sendable, Hashable {
    public let text: String

    /// The reason why no browser sends a text as an origin, and the text to write instead.
    public struct Fault: Error, Sendable, Hashable {
        public let reason: String
    }

    private static let defaultPorts = ["http": "80", "https": "443", "ws": "80", "wss": "443"]

    public init(_ text: String) throws(Fault) {
        self.text = text
        guard text != "null" else { return }
        guard !text.contains("*") else { throw Fault(reason: "there is no wildcard; list each origin") }
        guard let separator = text.firstRange(of: "://"), Self.isScheme(text[..<separator.lowerBound]) else {
            throw Fault(reason: "an origin begins with a scheme, such as https://admin.example.org")
        }
        let (scheme, rest) = (text[..<separator.lowerBound], text[separator.upperBound...])
        guard !rest.contains(where: { "/?#@".contains($0) }) else {
            throw Fault(
                reason: "an origin is scheme, host and port alone, without a path, a slash at the end or a user")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Fault(reason: "an origin is ASCII without spaces; other letters in a host are written as xn--…")
        }
        guard !text.contains(where: \.isUppercase) else { throw Fault(reason: "an origin is in lower case") }
        guard let port = Self.port(ofHostAndPort: rest) else {
            throw Fault(reason: "a host, and perhaps a port from 1 to 65535, follows the scheme")
        }
        guard port.isEmpty || Self.defaultPorts[String(scheme)] != String(port) else {
            throw Fault(reason: "browsers leave out the port \(port) of \(scheme)")
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true && text.utf8.allSatisfy { $0 < 0x80 }
            && text.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    /// The port. It is empty if there is none, and nil if the text is no valid host, or no port follows it.
    private static func port(ofHostAndPort text: Substring) -> Substring? {
        let hostEnd = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        let (host, rest) = (text[..<(hostEnd ?? text.endIndex)], text[(hostEnd ?? text.endIndex)...])
        guard isAddress(host) || isName(host) else { return nil }
        guard let colon = rest.first else { return "" }
        let port = rest.dropFirst()
        guard colon == ":", let number = UInt16(port), number > 0, String(number) == port else { return nil }
        return port
    }

    private static func isAddress(_ text: Substring) -> Bool {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return false }
        let digits = text.dropFirst().dropLast()
        return digits.count(where: { $0 == ":" }) >= 2 && digits.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
    }
}
