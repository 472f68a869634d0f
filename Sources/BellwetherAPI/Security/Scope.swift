/// What a token may be used for (api.md 1). `admin` is everything.
public enum Scope: String, Sendable, Hashable, CaseIterable {
    case client, owner, pipeline, admin

    func covers(_ needed: Scope) -> Bool { self == .admin || self == needed }
}

/// Who asks: a token by its name, never by its text.
public struct Principal: Sendable, Hashable {
    public let name: String
    public let scope: Scope
    /// `*`: every app.
    public let app: String

    static let developer = Principal(name: "dev", scope: .admin, app: "*")

    func covers(app: String) -> Bool { self.app == "*" || self.app == app }
}
