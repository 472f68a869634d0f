internal import BellwetherBase
internal import BellwetherJSON

/// The reason why a sign-in is refused, in one sentence for logs and for the person.
public struct SignInRefusal: Error, Sendable, Hashable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}

/// A signed JSON Web Token in compact form (RFC 7515 7.1), not yet verified.
struct SignedToken {
    private static let bound = 64 << 10

    let algorithm: SignatureAlgorithm
    let keyID: String?
    let claims: JSONObject
    /// The bytes that the signature covers.
    let signed: [UInt8]
    let signature: [UInt8]

    init(_ text: String) throws(SignInRefusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bound, parts.count == 3, let signature = Base64URL.decode(parts[2]) else {
            throw SignInRefusal("the ID token is not a signed token")
        }
        let header = try Self.object(parts[0])
        claims = try Self.object(parts[1])
        guard let name = header["alg"]?.string, let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw SignInRefusal("the ID token is signed by an algorithm other than RS256 and ES256")
        }
        guard header["crit"] == nil else { throw SignInRefusal("the ID token has critical extensions") }
        keyID = header["kid"]?.string
        guard header["kid"] == nil || keyID != nil else { throw SignInRefusal("the ID token's kid is no text") }
        (self.algorithm, self.signature) = (algorithm, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: Substring) throws(SignInRefusal) -> JSONObject {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes), let object = value.object
        else { throw SignInRefusal("a part of the ID token is no JSON object") }
        return object
    }
}

/// Base64 of URLs without padding (RFC 4648 5).
enum Base64URL {
    static func decode(_ text: Substring) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") })
        else { return nil }
        let plain = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return Base64.decode(String(decoding: plain, as: UTF8.self))
    }

    static func encode(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes[...]).utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
