internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import BellwetherService

/// The principal of a request: a token or a person. It contains the name, never the token's text.
public final class Principal: Sendable {
    public let name: Identifier
    public let roles: Roles
    /// Whether the token is public (docs/reference/http-api.md#public-tokens).
    let isWeb: Bool
    /// The SHA-256 of the token, or the digest of the token or account from which the session came; nil if no token
    /// was needed.
    let digest: [UInt8]?
    let expires: Timestamp?
    /// The session; nil if the request has a token.
    let session: StoredToken?

    static let developer = Principal(name: Identifier(ChangeAuthor.developer), roles: Roles(.admin, app: Roles.allApps))

    init(
        name: Identifier, roles: Roles, isWeb: Bool = false, digest: [UInt8]? = nil, expires: Timestamp? = nil,
        session: StoredToken? = nil
    ) {
        self.name = name
        self.roles = roles
        self.isWeb = isWeb
        self.digest = digest
        self.expires = expires
        self.session = session
    }

    /// A signed-in person, who may do what the token or account of the session may do now.
    convenience init(_ session: StoredToken, of parent: Principal) {
        self.init(
            name: session.name, roles: parent.roles, digest: parent.digest, expires: session.expiresAt, session: session
        )
    }

    /// A person whose session has just begun.
    convenience init(signedIn session: StoredToken) {
        self.init(
            name: session.name, roles: session.roles, digest: session.parent, expires: session.expiresAt,
            session: session)
    }

    /// Whether the principal has an ability in at least one app.
    func can(_ ability: Ability) -> Bool { roles.can(ability) }

    func can(_ ability: Ability, in app: Identifier) -> Bool { roles.can(ability, in: app) }

    func covers(app: Identifier) -> Bool { roles.covers(app: app) }

    /// The app of a token for one app; nil for a principal of several apps.
    var app: Identifier? { roles.app == Roles.allApps ? nil : roles.app }
}
