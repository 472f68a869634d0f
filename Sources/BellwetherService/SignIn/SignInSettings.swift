internal import BellwetherJSON

/// The identity provider with which people sign in (docs/reference/sign-in.md#settings).
public struct SignInSettings: Sendable {
    /// The provider's address, as its tokens name it.
    public let issuer: String
    public let clientID: String
    public let clientSecret: String
    /// The provider's name on the button.
    public var name: String
    /// The claim with a person's groups; a path of names, separated by points.
    public var claim = "groups"
    public var scopes = ["openid", "email", "groups"]
    /// The roles that a group gives.
    public var roles: [String: Roles] = [:]
    /// The public address of the daemon, without a slash at its end.
    public let publicURL: String

    public init(issuer: String, clientID: String, clientSecret: String, publicURL: String) {
        (self.issuer, self.clientID, self.clientSecret) = (issuer, clientID, clientSecret)
        self.publicURL = publicURL
        name = WebhookURL(issuer)?.name ?? issuer
    }

    /// Where the provider sends people back to.
    var returnAddress: String { publicURL + "/v1/login/callback" }

    /// The roles of a person in these groups. Of two scopes for an app the one with more abilities counts.
    func roles(of groups: [String]) -> Roles? {
        var scopes: [Identifier: Scope] = [:]
        for group in groups.sorted() {
            for (app, scope) in roles[group]?.scopes ?? [:] {
                let known = scopes[app]?.abilities.count ?? 0
                if scope.abilities.count > known { scopes[app] = scope }
            }
        }
        return scopes.isEmpty ? nil : Roles(scopes)
    }
}
