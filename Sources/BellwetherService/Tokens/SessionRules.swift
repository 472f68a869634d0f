public import BellwetherBase
internal import BellwetherCore

/// How long the sessions of people last, and how many there may be (docs/reference/http-api.md#sessions).
public struct SessionRules: Sendable {
    public static let standard = SessionRules()

    /// A session ends when it was not used for so long.
    public var idleSeconds: Int64 = 30 * 60
    /// It ends so long after the person has signed in, however much it is used.
    public var lifetimeSeconds: Int64 = 12 * 3600
    /// The bound of an installation's sessions; where another person signs in, the oldest ends.
    public var livingBound = 200

    public init() {}
}

/// A person who signs in with a token that is known.
public struct SessionRequest: Sendable {
    /// The id of the session in lists.
    public let id: String
    public let name: String
    public let scope: Scope
    public let app: String
    /// The token's digest.
    public let parent: [UInt8]
    /// The token's expiry: no session lasts longer.
    public var expires: Timestamp?
    /// The token stands in the configuration, which the register does not know.
    public var isConfigured = false

    public init(id: String, name: String, scope: Scope, app: String, parent: [UInt8]) {
        self.id = id
        self.name = name
        self.scope = scope
        self.app = app
        self.parent = parent
    }
}

/// When this process knows that each living session was used last.
struct SessionUses: Sendable {
    struct Use: Sendable {
        var last: Timestamp
        /// The last use that the store has.
        var written: Timestamp?
    }

    var uses: [[UInt8]: Use] = [:]
    /// When those of other processes were read last.
    var readAt = Timestamp(milliseconds: 0)
}

extension IssuedToken {
    /// A session, with a text that was just drawn.
    init(_ request: SessionRequest, _ rules: SessionRules, at now: Timestamp) {
        let text = TokenText.make()
        let end = now.adding(seconds: rules.lifetimeSeconds)
        var token = StoredToken(
            name: request.name, scope: request.scope, app: request.app, digest: Digest.sha256(Array(text.utf8)),
            createdAt: now, expiresAt: min(end, request.expires ?? end))
        token.session = SessionOrigin(id: request.id, parent: request.parent)
        self.init(token: token, text: text)
    }
}
