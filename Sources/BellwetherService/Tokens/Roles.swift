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

    public let scopes: [Identifier: Scope]

    public init(_ scopes: [Identifier: Scope]) { self.scopes = scopes }

    public init(_ scope: Scope, app: Identifier) { scopes = [app: scope] }

    /// Whether the ability holds in at least one app.
    public func can(_ ability: Ability) -> Bool { scopes.values.contains { $0.abilities.contains(ability) } }

    public func can(_ ability: Ability, in app: Identifier) -> Bool {
        [app, Self.allApps].contains { scopes[$0]?.abilities.contains(ability) ?? false }
    }

    public func covers(app: Identifier) -> Bool { scopes[app] != nil || scopes[Self.allApps] != nil }

    /// The app, if there is one scope; `*` if that is for all apps. Nil for several scopes.
    public var app: Identifier? { scopes.count == 1 ? scopes.first?.key : nil }

    /// The scope, if there is only one.
    public var scope: Scope? { scopes.count == 1 ? scopes.first?.value : nil }

    public var json: JSONValue { json { .string($0.rawValue) } }

    /// An object with a member for each app, in the order of their names.
    public func json(_ value: (Scope) -> JSONValue) -> JSONValue {
        .object(JSONObject(scopes.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: value($0.value)) }))
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
