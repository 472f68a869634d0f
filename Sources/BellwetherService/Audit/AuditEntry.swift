public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// One change in the audit: its author, time and subject, and the digests of the document before and after it
/// (docs/reference/http-api.md#audit).
public struct AuditEntry: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable {
        case create, change, delete
        /// A state, or the revision of a recipe in force, changes without a new document.
        case state
        case revoke
        /// The state and the answers of a client or user were erased.
        case erase
        /// A copy of data was exported.
        case export
        /// Records from another system were imported.
        case `import`
        /// A delivery that was given up is attempted again.
        case retry
        /// The whole database was restored from a backup.
        case restore
    }

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case manifest, strings, recipe, token, client, user, consumer, database
        /// A response, and an owner's comment on it.
        case response, comment
        /// A person's account, a link with which the person signs in once, and a person's session in a browser.
        case account, link, session
        case webhook
        /// The owners' note on a recipe.
        case note
        /// A list of clients or users.
        case list
    }

    public let at: Timestamp
    /// See `ChangeAuthor`.
    public let author: String
    public let action: Action
    public let kind: Kind
    /// The app. It may be `*` for a token, and is `*` for a database.
    public let app: Identifier
    /// The slug of a recipe, also for a response to it; the name of a token or consumer; the locale of strings; the id
    /// of a webhook. Nil for others.
    public let name: Identifier?
    /// Further facts: `revision`; for recipes, and for drafts that go live, `state` and `in_force`, and their previous
    /// values; for tokens `scope` and
    /// `expires`; for clients and users `client` or `user` (see `ClientDigest`); for a response the SHA-256 of its id.
    public var facts: JSONObject = [:]
    /// The SHA-256 of the document's text before and after the change; nil if there was or is none.
    public var before: [UInt8]?
    public var after: [UInt8]?

    public init(at: Timestamp, author: String, action: Action, kind: Kind, app: Identifier, name: Identifier?) {
        self.at = at
        self.author = author
        self.action = action
        self.kind = kind
        self.app = app
        self.name = name
    }

    func json(sequence: Int64, previous: [UInt8]) -> JSONValue {
        var members: JSONObject = [
            "sequence": .integer(sequence), "at": .string(at.rfc3339), "by": .string(author),
            "action": .string(action.rawValue), "kind": .string(kind.rawValue), "app": .string(app),
        ]
        if let name { members["name"] = .string(name) }
        for (key, value) in facts { members[key] = value }
        if facts["before"] == nil { members["before"] = before.map { .string(Digest.hex($0)) } ?? .null }
        if facts["after"] == nil { members["after"] = after.map { .string(Digest.hex($0)) } ?? .null }
        members["previous"] = .string(Digest.hex(previous))
        return .object(members)
    }
}

/// The entries of changes that are not part of a publish.
extension AuditEntry {
    public init(_ action: Action, consumer name: Identifier, of app: Identifier, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: action, kind: .consumer, app: app, name: name)
    }

    public init(erasureOf person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin) {
        self.init(.erase, person, knownAs: digest, origin)
    }

    /// An export of a person's data.
    public init(exportOf person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin) {
        self.init(.export, person, knownAs: digest, origin)
    }

    private init(_ action: Action, _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin) {
        let kind: Kind =
            switch person {
            case .client: .client
            case .user: .user
            }
        self.init(at: origin.at, author: origin.author, action: action, kind: kind, app: person.app, name: nil)
        facts[kind.rawValue] = .string(Digest.hex(digest))
    }

    /// An export of the responses to a recipe.
    public init(exportOf slug: Identifier, in app: Identifier, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .export, kind: .response, app: app, name: slug)
    }

    /// An export of the responses to all recipes of an app.
    public init(exportOfResponsesIn app: Identifier, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .export, kind: .response, app: app, name: nil)
    }

    /// An import of responses to a recipe that were given elsewhere.
    public init(
        importOf count: Int, from source: Identifier, to slug: Identifier, in app: Identifier, _ origin: ChangeOrigin
    ) {
        self.init(at: origin.at, author: origin.author, action: .import, kind: .response, app: app, name: slug)
        facts["source"] = .string(source)
        facts["count"] = .integer(Int64(count))
    }

    /// An owner's action on a response, without its answers. The entry contains a digest of the response's id, because
    /// the id itself gives access to the response.
    init(_ action: Action, _ kind: Kind, of run: Run, in app: Identifier, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: action, kind: kind, app: app, name: run.slug)
        facts["response"] = .string(Digest.hex(Digest.sha256(Array(run.id.utf8))))
    }

    /// A retry of a webhook. The entry contains neither its body nor its subject.
    init(retryOf webhook: OutboxRow, _ origin: ChangeOrigin) {
        self.init(
            at: origin.at, author: origin.author, action: .retry, kind: .webhook, app: webhook.app, name: webhook.id)
    }

    /// A restore. New telemetry records begin after `cursor`.
    public init(restoreOf records: Int64, cursor: Int64, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .restore, kind: .database, app: "*", name: nil)
        facts["records"] = .integer(records)
        facts["cursor"] = .integer(cursor)
    }
}

/// The author and the time of a change, which the audit records with the change.
public struct ChangeOrigin: Sendable, Hashable {
    /// See `ChangeAuthor`.
    public let author: String
    public let at: Timestamp

    public init(author: String, at: Timestamp) {
        self.author = author
        self.at = at
    }
}

/// The names of authors in the audit. A token has its own name; each other author has a name that no token may have.
public enum ChangeAuthor {
    /// The author of changes in the folders that are read at start and on SIGHUP.
    public static let file = "file"
    /// Every author under `--dev`.
    public static let developer = "dev"
    /// The daemon itself, for changes that no person makes.
    public static let daemon = "daemon"
    /// A guard of a recipe's goals, which has paused the recipe.
    public static let goalGuard = "guard"

    /// Whether the audit reserves the name. No token may have a reserved name.
    public static func isReserved(_ name: String) -> Bool { [file, developer, daemon, goalGuard].contains(name) }
}

/// The digest of a client's or user's id that the audit keeps: HMAC-SHA256 under the installation's secret.
///
/// With an id, an operator can find out whether and when it was erased or exported (`bellwether audit digest`), and
/// which erasures a restored backup undid. The audit alone does not allow anyone to read an id, or to test a guess.
public enum ClientDigest {
    /// Separates this use of the secret from its other uses.
    private static let purpose = Array("bellwether erased client\0".utf8)

    /// The length of the app comes first, so that the texts of two clients are never the same.
    public static func make(_ person: Person, secret: [UInt8]) -> [UInt8] { make(person.tableKey, secret: secret) }

    public static func make(_ client: ClientReference, secret: [UInt8]) -> [UInt8] {
        let app = Array(client.app.utf8)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: app.count >> (24 - 8 * $0)) }
        let text = purpose + length + app + client.id.utf8
        return Array(HMAC.authenticationCode(for: text, key: secret))
    }
}
