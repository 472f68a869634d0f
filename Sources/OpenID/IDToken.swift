public import BellwetherBase
public import BellwetherJSON

/// The claims that a valid ID token must have (OpenID Connect Core 1.0, 3.1.3.7).
public struct SignInExpectation: Sendable {
    public let issuer: String
    public let clientID: String
    public let nonce: String
    /// The access token that came with the ID token.
    public let accessToken: String
    public let now: Timestamp

    public init(issuer: String, clientID: String, nonce: String, accessToken: String, now: Timestamp) {
        (self.issuer, self.clientID, self.nonce) = (issuer, clientID, nonce)
        (self.accessToken, self.now) = (accessToken, now)
    }
}

/// A verified statement of a provider about a person.
public struct IDToken: Sendable, Hashable {
    /// The difference of clocks that is accepted, in seconds.
    static let leeway = 60.0
    /// The maximum age of a token, in seconds: it was made for this sign-in.
    static let maximumAge = 600.0

    public let subject: String
    public let claims: JSONObject

    /// Verifies a token. The first check that fails is the reason.
    public init(_ text: String, keys: KeySet, _ expected: SignInExpectation) throws(SignInRefusal) {
        let token = try SignedToken(text)
        try keys.verify(token)
        claims = token.claims
        guard claims["iss"]?.string == expected.issuer else {
            throw SignInRefusal("the ID token is from another issuer")
        }
        try Self.checkAudience(claims, expected.clientID)
        try Self.checkTimes(claims, expected.now)
        guard claims["nonce"]?.string == expected.nonce else {
            throw SignInRefusal("the ID token was made for another sign-in")
        }
        try Self.checkAccessToken(claims, expected.accessToken)
        guard let subject = claims["sub"]?.string, !subject.isEmpty, subject.utf8.count <= 255 else {
            throw SignInRefusal("the ID token names nobody")
        }
        self.subject = subject
    }

    /// Whether the keys have the key of a token. If not, the provider may have a new one.
    public static func isKnown(keyOf text: String, in keys: KeySet) throws(SignInRefusal) -> Bool {
        keys.hasKey(of: try SignedToken(text))
    }

    private static func checkAudience(_ claims: JSONObject, _ clientID: String) throws(SignInRefusal) {
        let audience: [String?]? = claims["aud"]?.array.map { $0.map(\.string) } ?? claims["aud"].map { [$0.string] }
        // A token for others, too, may have been passed on by them.
        guard audience == [clientID], claims["azp"] == nil || claims["azp"]?.string == clientID else {
            throw SignInRefusal("the ID token is for another client")
        }
    }

    private static func checkTimes(_ claims: JSONObject, _ now: Timestamp) throws(SignInRefusal) {
        guard let expires = claims["exp"]?.double, let made = claims["iat"]?.double else {
            throw SignInRefusal("the ID token has no times")
        }
        let seconds = Double(now.milliseconds) / 1000
        guard seconds < expires + leeway else { throw SignInRefusal("the ID token has expired") }
        guard made <= seconds + leeway, seconds <= made + maximumAge + leeway else {
            throw SignInRefusal("the ID token was not made now: compare the clocks of both servers")
        }
    }

    private static func checkAccessToken(_ claims: JSONObject, _ accessToken: String) throws(SignInRefusal) {
        guard let hash = claims["at_hash"] else { return }
        let digest = Array(SHA256.hash(Array(accessToken.utf8)))
        guard hash.string == Base64URL.encode(Array(digest[..<16])) else {
            throw SignInRefusal("the ID token belongs to another access token")
        }
    }
}
