public import BellwetherJSON
internal import CSignature

enum SignatureAlgorithm: String {
    case rs256 = "RS256"
    case es256 = "ES256"
}

/// The public keys of a provider (JWKS, RFC 7517 5) with which it may sign.
public struct KeySet: Sendable, Hashable {
    /// The maximum number of keys that are read.
    private static let bound = 100

    private let keys: [SignatureKey]

    /// Keys of other types, uses and algorithms are ignored. Nil for a document that is no set of keys.
    public init?(_ document: JSONObject) {
        guard let array = document["keys"]?.array, array.count <= Self.bound else { return nil }
        keys = array.compactMap { $0.object.flatMap(SignatureKey.init) }
    }

    /// Whether the set has a key of this id, or keys without an id.
    func hasKey(of token: SignedToken) -> Bool { (try? key(of: token)) != nil }

    /// The key of the token's id; for a token without an id the only key of its algorithm.
    private func key(of token: SignedToken) throws(SignInRefusal) -> SignatureKey {
        let usable = keys.filter { $0.algorithm == token.algorithm }
        let matching = token.keyID.map { id in usable.filter { $0.id == id } } ?? usable
        guard matching.count == 1 else {
            throw SignInRefusal("the provider publishes no key with which the ID token is signed")
        }
        return matching[0]
    }

    func verify(_ token: SignedToken) throws(SignInRefusal) {
        guard try key(of: token).verifies(token.signature, of: token.signed) else {
            throw SignInRefusal("the ID token's signature is wrong")
        }
    }
}

/// A public key.
private struct SignatureKey: Sendable, Hashable {
    /// The sizes of RSA keys, in bytes: 2,048 to 8,192 bits.
    private static let modulusSizes = 256...1024

    enum Material: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(x: [UInt8], y: [UInt8])
    }

    let id: String?
    let material: Material

    var algorithm: SignatureAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// Nil for a key that signs nothing, or of another type, curve or size.
    init?(_ key: JSONObject) {
        let bytes = { (name: String) in (key[name]?.string).flatMap { Base64URL.decode($0[...]) } }
        guard key["use"] == nil || key["use"] == "sig" else { return nil }
        switch key["kty"]?.string {
        case "RSA":
            guard let modulus = bytes("n"), let exponent = bytes("e"), Self.modulusSizes.contains(modulus.count),
                (1...8).contains(exponent.count)
            else { return nil }
            material = .rsa(modulus: modulus, exponent: exponent)
        case "EC":
            guard key["crv"] == "P-256", let x = bytes("x"), let y = bytes("y"), x.count == 32, y.count == 32
            else { return nil }
            material = .p256(x: x, y: y)
        default: return nil
        }
        id = key["kid"]?.string
        guard key["alg"] == nil || key["alg"]?.string == algorithm.rawValue else { return nil }
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .rsa(let modulus, let exponent):
            bellwether_verify_rs256(
                modulus, modulus.count, exponent, exponent.count, message, message.count, signature, signature.count)
                == 1
        case .p256(let x, let y):
            signature.count == 64 && bellwether_verify_es256(x, y, message, message.count, signature) == 1
        }
    }
}
