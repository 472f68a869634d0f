public import BellwetherJSON

/// The description that a provider publishes of itself (OpenID Connect Discovery 1.0, 3).
public struct ProviderDocument: Sendable, Hashable {
    public let authorization: String
    public let token: String
    public let keys: String
    /// Where the claims about a person are read; nil if the provider offers it not.
    public let userInfo: String?
    /// Where a person signs out; nil if the provider offers it not.
    public let endSession: String?
    /// Whether answers name the issuer (RFC 9207).
    public let namesIssuer: Bool

    /// - Parameter issuer: The issuer of the settings, which the document must name.
    public init(_ document: JSONObject, issuer: String) throws(SignInRefusal) {
        guard document["issuer"]?.string == issuer else {
            throw SignInRefusal("the provider's document names another issuer than the setting sign_in.issuer")
        }
        let address = { (name: String) in document[name]?.string }
        guard let authorization = address("authorization_endpoint"), let token = address("token_endpoint"),
            let keys = address("jwks_uri")
        else { throw SignInRefusal("the provider's document lacks an address") }
        let isSafe = issuer.hasPrefix("https://")
        userInfo = address("userinfo_endpoint")
        endSession = address("end_session_endpoint")
        let addresses = [authorization, token, keys] + [userInfo, endSession].compactMap(\.self)
        guard !isSafe || addresses.allSatisfy({ $0.hasPrefix("https://") }) else {
            throw SignInRefusal("an address of the provider's document is not https")
        }
        (self.authorization, self.token, self.keys) = (authorization, token, keys)
        namesIssuer = document["authorization_response_iss_parameter_supported"] == true
    }
}
