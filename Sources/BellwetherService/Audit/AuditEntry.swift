public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// One change as the audit tells it: who, when, what, and the digests of the document before and after
/// (docs/reference/http-api.md#audit).
public struct AuditEntry: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable {
        case create, change, delete
        /// No new document, but a recipe's state changes, or which of its revisions is in force.
        case state
        case revoke
        /// A client's state and answers went.
        case erase
        /// The whole database went back to a backup's.
        case restore
    }

    public enum Kind: String, Sendable, Hashable {
        case manifest, strings, recipe, token, client, consumer, database
    }

    public let at: Timestamp
    /// See `ChangeAuthor`.
    public let author: String
    public let action: Action
    public let kind: Kind
    /// A token's may be `*`, a database's is.
    public let app: String
    /// A recipe's slug, a token's or consumer's name, the locale of strings; others have none.
    public let name: String?
    /// What else there is to say: `revision`; of recipes `state` and `in_force`, and what they were; of tokens `scope`
    /// and `expires`; of clients `client`, see `ClientDigest`.
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
