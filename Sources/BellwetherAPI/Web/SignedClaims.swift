internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService

/// Claims that the daemon issues and verifies without storing them. The text is a purpose, claims, and the HMAC-SHA256
/// of both under the installation's secret, separated by points. Without the secret, a claim cannot be made, and a
/// claim is only valid for its own purpose.
enum SignedClaims {
    /// - Parameter claims: The claims, which contain no points.
    static func text(_ purpose: String, _ claims: [String], secret: [UInt8]) -> String {
        let text = ([purpose] + claims).joined(separator: ".")
        return text + "." + code(for: text, secret)
    }

    /// The claims of a text; nil if it was made by another installation or for another purpose.
    static func read(_ text: String, _ purpose: String, secret: [UInt8]) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts[0] == purpose, let given = parts.last else { return nil }
        let code = code(for: parts.dropLast().joined(separator: "."), secret)
        return isEqual(Array(code.utf8), Array(given.utf8)) ? Array(parts[1..<(parts.count - 1)]) : nil
    }

    /// A name as a claim: the hexadecimal digits of its bytes.
    static func claim(_ name: Identifier) -> String { Digest.hex(Array(name.utf8)) }

    static func name(_ claim: String) -> Identifier? {
        bytes(claim).flatMap { String(validating: $0, as: UTF8.self) }.map { Identifier($0) }
    }

    /// The bytes of hexadecimal digits; nil for another text.
    static func bytes(_ claim: String) -> [UInt8]? {
        let digits = claim.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    private static func code(for text: String, _ secret: [UInt8]) -> String {
        Digest.hex(HMAC.authenticationCode(for: Array(text.utf8), key: secret))
    }

    /// Compares in constant time.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}

extension Timestamp {
    /// A time in whole seconds, as a claim.
    var claim: String { String(milliseconds / 1000) }

    init?(claim: String) {
        guard let seconds = Int64(claim), seconds > 0, seconds < 1 << 40 else { return nil }
        self = Timestamp(milliseconds: 0).adding(seconds: seconds)
    }
}
