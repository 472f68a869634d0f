public import BellwetherJSON

/// The scopes of a token or a person: one for each app, or one for all apps. The key `*` means all apps. A person
/// with a scope for an app and one for all apps has the abilities of both
/// (docs/reference/http-api.md#tokens-and-scopes).
public struct Roles: Sendable, Hashable {
    /// The maximum number of apps that are named.
    public static let bound = 100
    public static let allApps: Identifier = "*"
    /// The scopes that a person may have: a person is no client, and no pipeline.
    public static let ofPeople = Scope.allCases.filter { $0 != .client && $0 != .pipeline }

    private struct Role: Sendable, Hashable {
        let app: Identifier
        let scope: Scope

        func covers(_ app: Identifier) -> Bool { self.app == Roles.allApps || self.app == app }
    }

    /// In the order of the apps. A token has one, so a list is searched faster than a dictionary.
    private let roles: [Role]

    public init(_ scopes: [Identifier: Scope]) {
        roles = scopes.sorted { $0.key < $1.key }.map { Role(app: $0.key, scope: $0.value) }
    }

    public init(_ scope: Scope, app: Identifier) { roles = [Role(app: app, scope: scope)] }

    /// The scope for each app.
    public var scopes: [Identifier: Scope] {
        Dictionary(uniqueKeysWithValues: roles.map { ($0.app, $0.scope) })
    }

    /// Whether the ability holds in at least one app.
    public func can(_ ability: Ability) -> Bool { roles.contains { $0.scope.has(ability) } }

    public func can(_ ability: Ability, in app: Identifier) -> Bool {
        roles.contains { $0.scope.has(ability) && $0.covers(app) }
    }

    public func covers(app: Identifier) -> Bool { roles.contains { $0.covers(app) } }

    /// The app, if there is one scope; `*` if that is for all apps. Nil for several scopes.
    public var app: Identifier? { roles.count == 1 ? roles[0].app : nil }

    /// The scope, if there is only one.
    public var scope: Scope? { roles.count == 1 ? roles[0].scope : nil }

    public var json: JSONValue { json { .string($0.rawValue) } }

    /// An object with a member for each app, in the order of their names.
    public func json(_ value: (Scope) -> JSONValue) -> JSONValue {
        .object(JSONObject(roles.map { (key: $0.app.text, value: value($0.scope)) }))
    }

    /// Nil if a scope is not known.
    init?(_ json: JSONObject) {
        var scopes: [Identifier: Scope] = [:]
        for (app, scope) in json {
            guard let scope = scope.string.flatMap(Scope.init(rawValue:)) else { return nil }
            scopes[Identifier(app)] = scope
        }
        self.init(scopes)
    }
}
