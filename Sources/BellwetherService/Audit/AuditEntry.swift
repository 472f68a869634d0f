public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// One change as the audit records it: who, when, what, and the digests of the document before and after
/// (docs/reference/http-api.md#audit).
public struct AuditEntry: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable {
        case create, change, delete
        /// No new document, but a recipe's state changes, or which of its revisions is in force.
        case state
        case revoke
        /// A client's or user's state and answers went.
        case erase
        /// A copy was given out.
        case export
        /// Records that were made elsewhere were imported.
        case `import`
        /// An address was made where a revision can be looked at.
        case preview
        /// A delivery that was given up is tried again.
        case retry
        /// The whole database went back to a backup's.
        case restore
    }

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case manifest, strings, recipe, token, client, user, consumer, database
        /// A response, and an owner's comment on it.
        case response, comment
        /// A person's session in a browser.
        case session
        case webhook
        /// The owners' note on a recipe.
        case note
    }

    public let at: Timestamp
    /// See `ChangeAuthor`.
    public let author: String
    public let action: Action
    public let kind: Kind
    /// A token's may be `*`, a database's is.
    public let app: String
    /// A recipe's slug, also that of a response; a token's or consumer's name, the locale of strings; others have none.
    public let name: String?
    /// Further facts: `revision`; of recipes `state` and `in_force`, and what they were; of tokens `scope` and
    /// `expires`; of clients and users `client` or `user`, see `ClientDigest`; of a response the SHA-256 of its id.
    public var facts: JSONObject = [:]
    /// SHA-256 of the documents' texts as they were sent; nil: there was none, there is none.
    public var before: [UInt8]?
    public var after: [UInt8]?

    public init(at: Timestamp, author: String, action: Action, kind: Kind, app: String, name: String?) {
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
        members["before"] = before.map { .string(Digest.hex($0)) } ?? .null
        members["after"] = after.map { .string(Digest.hex($0)) } ?? .null
        members["previous"] = .string(Digest.hex(previous))
        return .object(members)
    }
}

/// The records of changes that are no publish.
extension AuditEntry {
    public init(_ action: Action, consumer name: String, of app: String, _ origin: ChangeOrigin) {
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

    /// The responses to a recipe.
    public init(exportOf slug: String, in app: String, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .export, kind: .response, app: app, name: slug)
    }

    /// Responses to a recipe that were given elsewhere.
    public init(importOf count: Int, from source: String, to slug: String, in app: String, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .import, kind: .response, app: app, name: slug)
        facts["source"] = .string(source)
        facts["count"] = .integer(Int64(count))
    }

    public init(previewOf slug: String, revision: Int, in app: String, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .preview, kind: .recipe, app: app, name: slug)
        facts["revision"] = .integer(Int64(revision))
    }

    /// An owner's action on a response; nothing of its answers. The id opens the response, so it is left out.
    init(_ action: Action, _ kind: Kind, of run: Run, in app: String, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: action, kind: kind, app: app, name: run.slug)
        facts["response"] = .string(Digest.hex(Digest.sha256(Array(run.id.utf8))))
    }

    /// A retry of a webhook; without its body and its subject.
    init(retryOf webhook: OutboxRow, _ origin: ChangeOrigin) {
        self.init(
            at: origin.at, author: origin.author, action: .retry, kind: .webhook, app: webhook.app, name: webhook.id)
    }

    /// `cursor`: behind it new telemetry records begin.
    public init(restoreOf records: Int64, cursor: Int64, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .restore, kind: .database, app: "*", name: nil)
        facts["records"] = .integer(records)
        facts["cursor"] = .integer(cursor)
    }
}

/// The author and the time of a change: what the audit records beside the change itself.
public struct ChangeOrigin: Sendable, Hashable {
    /// See `ChangeAuthor`.
    public let author: String
    public let at: Timestamp

    public init(author: String, at: Timestamp) {
        self.author = author
        self.at = at
    }
}

/// The author of a change, as the audit names it: a token by its name, all others by a name that no token has.
public enum ChangeAuthor {
    /// The folders that are read at start and on SIGHUP.
    public static let file = "file"
    /// Anyone, under `--dev`.
    public static let developer = "dev"
    /// The daemon itself, on behalf of no person.
    public static let daemon = "daemon"

    /// Whether the audit uses the name for an author of its own. No token may have it.
    public static func isReserved(_ name: String) -> Bool { [file, developer, daemon].contains(name) }
}

/// The digest of a client's or user's id that the audit keeps: HMAC-SHA256 under the installation's secret.
///
/// With an id one can find out whether and when it was erased or exported (`bellwether audit digest`), and which
/// erasures a restored backup undid; from the audit alone an id can neither be read nor tried.
public enum ClientDigest {
    /// Keeps this use of the secret apart from others.
    private static let purpose = Array("bellwether erased client\0".utf8)

    /// The app's length comes first, so that no two clients make one text.
    public static func make(_ person: Person, secret: [UInt8]) -> [UInt8] { make(person.tableKey, secret: secret) }

    public static func make(_ client: ClientReference, secret: [UInt8]) -> [UInt8] {
        let app = Array(client.app.utf8)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: app.count >> (24 - 8 * $0)) }
        let text = purpose + length + app + client.id.utf8
        return Array(HMAC.authenticationCode(for: text, key: secret))
    }
}
