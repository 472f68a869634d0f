internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import BellwetherService

/// The principal of a request: a token or a person. It contains the name, never the token's text.
public final class Principal: Sendable {
    public let name: Identifier
    public let scope: Scope
    /// `*` means every app.
    public let app: Identifier
    /// Whether the token is public (docs/reference/http-api.md#public-tokens).
    let isWeb: Bool
    /// The SHA-256 of the token, or of the token from which the session came; nil if no token was needed.
    let digest: [UInt8]?
    let expires: Timestamp?
    let abilities: Set<Ability>
    /// The session; nil if the request has a token.
    let session: StoredToken?

    static let developer = Principal(name: Identifier(ChangeAuthor.developer), scope: .admin, app: "*")

    init(
        name: Identifier, scope: Scope, app: Identifier, isWeb: Bool = false, digest: [UInt8]? = nil,
        expires: Timestamp? = nil, abilities: Set<Ability>? = nil, session: StoredToken? = nil
    ) {
        self.name = name
        self.scope = scope
        self.app = app
        self.isWeb = isWeb
        self.digest = digest
        self.expires = expires
        self.abilities = abilities ?? scope.abilities
        self.session = session
    }

    /// A signed-in person, with the session's abilities as far as the session's token still has them. Nil if the token
    /// is now for another app.
    convenience init?(_ session: StoredToken, of parent: Principal) {
        guard parent.covers(app: session.app) else { return nil }
        self.init(
            name: session.name, scope: session.scope, app: session.app, digest: parent.digest,
            expires: session.expiresAt, abilities: session.scope.abilities.intersection(parent.abilities),
            session: session)
    }

    func can(_ ability: Ability) -> Bool { abilities.contains(ability) }

    func covers(app: Identifier) -> Bool { self.app == "*" || self.app == app }
}
