internal import BellwetherBase
internal import BellwetherJSON

/// One person's way to the provider and back. The provider repeats `state`; all other secrets are derived from it and
/// the installation's secret. So no node stores anything, and any node can take the person back.
public struct SignInRequest: Sendable {
    /// The time for which it is valid, in seconds.
    public static let seconds: Int64 = 600

    public let state: String
    private let secret: [UInt8]

    public static func make(secret: [UInt8]) -> SignInRequest {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return SignInRequest(state: TokenText.make(bytes, prefix: ""), secret: secret)
    }

    public init(state: String, secret: [UInt8]) { (self.state, self.secret) = (state, secret) }

    /// The ID token repeats it.
    var nonce: String { derived("nonce") }

    /// The secret of PKCE (RFC 7636 4.1), which only the request for the tokens has.
    var verifier: String { derived("verifier") }

    var challenge: String { TokenText.make(Digest.sha256(Array(verifier.utf8)), prefix: "") }

    private func derived(_ purpose: String) -> String {
        let code = HMAC.authenticationCode(for: Array("sign-in \(purpose) \(state)".utf8), key: secret)
        return TokenText.make(Array(code), prefix: "")
    }
}
