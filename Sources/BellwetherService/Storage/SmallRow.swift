internal import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// A row whose value is one small JSON object, or the bytes of a list's bucket. Stores keep all kinds of them in the
/// same way, by kind, app and key.
public struct SmallRow: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case tally, counts, cell, periods, definitions, forecast, lease, alias, consumer, note, token
        case list
        case runList = "runs"
        case listBucket = "list_ids"
        case listKey = "list_key"
    }

    public let kind: Kind
    /// The app; nil if the row belongs to none.
    public let app: Identifier?
    public let key: Identifier
    /// The client of an alias. The aliases of a client are looked up by it.
    public let clientID: Identifier?

    private init(_ kind: Kind, _ app: Identifier?, _ key: Identifier, clientID: Identifier? = nil) {
        (self.kind, self.app, self.key, self.clientID) = (kind, app, key, clientID)
    }

    /// Nil for a row of another form.
    public init?(_ name: RowName) {
        switch name {
        case .tally(let app, let key): self.init(.tally, app, key)
        case .counts(let app, let key): self.init(.counts, app, key)
        case .cell(let app, let key): self.init(.cell, app, key)
        case .periods(let app, let slug): self.init(.periods, app, slug)
        case .definitions(let app): self.init(.definitions, app, "")
        case .forecast(let app, let slug): self.init(.forecast, app, slug)
        case .runList(let app, let respondent): self.init(.runList, app, respondent)
        case .alias(let user, let clientID):
            self.init(.alias, user.app, "\(Self.aliases(of: user))\(clientID)", clientID: clientID)
        case .lease(let name): self.init(.lease, nil, name)
        case .consumer(let app, let name): self.init(.consumer, app, name)
        case .note(let app, let slug): self.init(.note, app, slug)
        case .list(let app, let name): self.init(.list, app, name)
        case .listBucket(let app, let list, let index): self.init(.listBucket, app, "\(list)\u{1F}\(index)")
        case .listKey: self.init(.listKey, nil, "")
        case .token(let digest): self.init(.token, nil, Identifier(Digest.hex(digest)))
        default: return nil
        }
    }

    /// The prefix of the keys of a user's aliases. A user's id has no control character.
    public static func aliases(of user: UserReference) -> String { "\(user.id)\u{1F}" }

    /// The name of a row; nil for a key that no row of the kind has.
    public static func name(_ kind: Kind, app: Identifier, key: Identifier) -> RowName? {
        switch kind {
        case .tally: return .tally(app: app, key: key)
        case .counts: return .counts(app: app, key: key)
        case .cell: return .cell(app: app, key: key)
        case .periods: return .periods(app: app, slug: key)
        case .definitions: return .definitions(app: app)
        case .forecast: return .forecast(app: app, slug: key)
        case .runList: return .runList(app: app, respondent: key)
        case .lease: return .lease(key)
        case .consumer: return .consumer(app: app, name: key)
        case .note: return .note(app: app, slug: key)
        case .list: return .list(app: app, name: key)
        case .listKey: return .listKey
        case .listBucket:
            let parts = key.text.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let index = Int(parts[1]) else { return nil }
            return .listBucket(app: app, list: Identifier(parts[0]), index)
        case .token: return Digest.bytes(hex: key.text).map { .token(digest: $0) }
        case .alias:
            let parts = key.text.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return .alias(UserReference(app: app, id: Identifier(parts[0])), clientID: Identifier(parts[1]))
        }
    }

    /// The kinds whose rows belong to no app.
    public static let kindsWithoutApp: [Kind] = [.lease, .token, .listKey]

    /// The value of a row, from the bytes that a store keeps; nil for bytes of another form.
    public static func value(_ kind: Kind, _ body: [UInt8]) -> RowValue? {
        if kind == .listBucket { return ListBucket(encoded: body).map { .listBucket($0) } }
        return value(kind, (try? JSONValue(parsing: body, limits: .kept))?.object ?? [:])
    }

    private static func value(_ kind: Kind, _ json: JSONObject) -> RowValue? {
        switch kind {
        case .list: StoredList(json).map { .list($0) }
        case .listKey: ListKey(json).map { .listKey($0) }
        case .listBucket: nil
        case .tally: Tally(json).map { .tally($0) }
        case .counts: .counts(ResultCounts(json))
        case .cell: GoalCell(json).map { .cell($0) }
        case .periods: RecipePeriods(json).map { .periods($0) }
        case .definitions: EventDefinitions(json).map { .definitions($0) }
        case .forecast: HeldForecast(json).map { .forecast($0) }
        case .lease: Lease(json).map { .lease($0) }
        case .alias: .alias
        case .runList: RunList(json).map { .runList($0) }
        case .consumer: ConsumerPosition(json).map { .consumer($0) }
        case .note: .note(RecipeNote(json))
        case .token: KeptToken(json).map { .token($0) }
        }
    }
}

extension RowValue {
    /// The bytes that a store keeps of a small row; nil for other values.
    public var smallBody: [UInt8]? {
        if case .listBucket(let bucket) = self { return bucket.encoded }
        return json.map { JSONValue.object($0).encoded }
    }

    private var json: JSONObject? {
        switch self {
        case .list(let list): list.json
        case .listKey(let key): key.json
        case .tally(let tally): tally.json
        case .counts(let counts): counts.json
        case .cell(let cell): cell.json
        case .periods(let periods): periods.json
        case .definitions(let definitions): definitions.json
        case .forecast(let forecast): forecast.json
        case .lease(let lease): lease.json
        case .alias: [:]
        case .runList(let list): list.json
        case .consumer(let position): position.json
        case .note(let note): note.json
        case .token(let token): token.json
        default: nil
        }
    }
}

/// The stored position of a consumer.
public struct ConsumerPosition: Sendable, Hashable {
    /// The number of the last record that it has acknowledged; see `TelemetryCursor`.
    public let number: Int64
    public let updatedAt: Timestamp

    public init(number: Int64, updatedAt: Timestamp) { (self.number, self.updatedAt) = (number, updatedAt) }

    public var json: JSONObject { ["cursor": .integer(number), "updated_at": .integer(updatedAt.milliseconds)] }

    public init?(_ json: JSONObject) {
        guard let number = json["cursor"]?.integer, let time = json["updated_at"]?.integer else { return nil }
        self.init(number: number, updatedAt: Timestamp(milliseconds: time))
    }
}

/// A stored token, with its number.
public struct KeptToken: Sendable, Hashable {
    /// The maximum number of revoked tokens that are kept. The oldest are deleted first; the audit still contains them.
    public static let revokedBound = 1000
    /// The number of ended sessions that are kept. The newest is kept, because the head is computed from the highest
    /// number.
    static let endedSessionBound = 1

    public var token: StoredToken
    /// The number by which tokens are listed. It grows with each token that is issued.
    public let number: Int64

    public init(_ token: StoredToken, number: Int64) { (self.token, self.number) = (token, number) }

    public var json: JSONObject {
        var json: JSONObject = [
            "number": .integer(number), "digest": .string(Digest.hex(token.digest)), "name": .string(token.name),
            "web": .bool(token.isWeb), "created_at": .integer(token.createdAt.milliseconds),
        ]
        if let scope = token.roles.scope, let app = token.roles.app {
            (json["scope"], json["app"]) = (.string(scope.rawValue), .string(app))
        } else {
            json["roles"] = token.roles.json
        }
        for (key, time) in [
            ("expires_at", token.expiresAt), ("last_used_at", token.lastUsedAt), ("revoked_at", token.revokedAt),
        ] {
            if let time { json[key] = .integer(time.milliseconds) }
        }
        switch token.kind {
        case .token: break
        case .account(let account):
            var members: JSONObject = ["from_provider": .bool(account.isFromProvider)]
            members["display_name"] = account.displayName.map { .string($0) }
            json["account"] = .object(members)
        case .link(let parent): json["link"] = ["parent": .string(Digest.hex(parent))]
        case .session(let session):
            var members: JSONObject = ["id": .string(session.id), "parent": .string(Digest.hex(session.parent))]
            if session.isLasting { members["lasting"] = true }
            json["session"] = .object(members)
        }
        return json
    }

    public init?(_ json: JSONObject) {
        guard let number = json["number"]?.integer, let digest = json["digest"]?.string.flatMap(Digest.bytes(hex:)),
            let name = json["name"]?.identifier, let roles = Self.roles(json),
            let created = json["created_at"]?.integer, let kind = Self.kind(json)
        else { return nil }
        let time = { (key: Identifier) in json[key]?.integer.map { Timestamp(milliseconds: $0) } }
        var token = StoredToken(
            name: name, roles: roles, isWeb: json["web"] == true, digest: digest,
            createdAt: Timestamp(milliseconds: created), expiresAt: time("expires_at"))
        (token.lastUsedAt, token.revokedAt, token.kind) = (time("last_used_at"), time("revoked_at"), kind)
        self.init(token, number: number)
    }

    private static func roles(_ json: JSONObject) -> Roles? {
        if let roles = json["roles"]?.object { return Roles(roles) }
        guard let scope = json["scope"]?.string.flatMap(Scope.init(rawValue:)), let app = json["app"]?.identifier
        else { return nil }
        return Roles(scope, app: app)
    }

    private static func kind(_ json: JSONObject) -> StoredToken.Kind? {
        let parent = { (object: JSONObject) in object["parent"]?.string.flatMap(Digest.bytes(hex:)) }
        if let account = json["account"]?.object {
            return .account(
                Account(
                    displayName: account["display_name"]?.string, isFromProvider: account["from_provider"] == true))
        }
        if let link = json["link"]?.object { return parent(link).map { .link(parent: $0) } }
        guard let session = json["session"]?.object else { return .token }
        guard let id = session["id"]?.identifier, let parent = parent(session) else { return nil }
        return .session(SessionOrigin(id: id, parent: parent, isLasting: session["lasting"] == true))
    }
}
