/// What a token may be used for (api.md 1). `admin` is everything.
public enum Scope: String, Sendable, Hashable, CaseIterable {
    case client, owner, pipeline, admin

    public func covers(_ needed: Scope) -> Bool { self == .admin || self == needed }
}
