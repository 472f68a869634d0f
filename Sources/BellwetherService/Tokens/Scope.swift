/// What a token may be used for (docs/reference/http-api.md#tokens-and-scopes). `admin` is everything.
public enum Scope: String, Sendable, Hashable, CaseIterable {
    case client, owner, pipeline, admin

    public func covers(_ needed: Scope) -> Bool { self == .admin || self == needed }
}
