public import BellwetherService

/// Who asks: a token by its name, never by its text.
public struct Principal: Sendable, Hashable {
    public let name: String
    public let scope: Scope
    /// `*`: every app.
    public let app: String

    static let developer = Principal(name: ChangeAuthor.developer, scope: .admin, app: "*")

    func covers(app: String) -> Bool { self.app == "*" || self.app == app }
}
