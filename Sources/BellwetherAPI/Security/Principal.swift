internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// Who asks: a token by its name, never by its text.
public final class Principal: Sendable {
    public let name: String
    public let scope: Scope
    /// `*`: every app.
    public let app: String
    /// The token is public (docs/reference/http-api.md#public-tokens).
    let isWeb: Bool
    /// The token's SHA-256; nil where none was needed.
    let digest: [UInt8]?
    let expires: Timestamp?

    static let developer = Principal(name: ChangeAuthor.developer, scope: .admin, app: "*")

    init(
        name: String, scope: Scope, app: String, isWeb: Bool = false, digest: [UInt8]? = nil,
        expires: Timestamp? = nil
    ) {
        self.name = name
        self.scope = scope
        self.app = app
        self.isWeb = isWeb
        self.digest = digest
        self.expires = expires
    }

    func can(_ ability: Ability) -> Bool { scope.abilities.contains(ability) }

    func covers(app: String) -> Bool { self.app == "*" || self.app.hasSameBytes(as: app) }
}
