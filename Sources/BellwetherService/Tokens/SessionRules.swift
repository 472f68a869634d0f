public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The durations and the maximum number of people's sessions (docs/reference/http-api.md#sessions).
public struct SessionRules: Sendable {
    public static let standard = SessionRules()

    /// The time without use after which a session ends.
    public var idleSeconds: Int64 = 30 * 60
    /// The time after the sign-in at which a session ends, however much it is used.
    public var lifetimeSeconds: Int64 = 12 * 3600
    /// The maximum number of sessions of one token. If its person signs in once more, the oldest of them ends.
    public var livingBoundOfToken = 20
    /// The maximum number of an installation's sessions. If another person signs in, the oldest session ends.
    public var livingBound = 200

    public init() {}
}

/// The sign-in of a person with a known token.
public struct SessionRequest: Sendable {
    /// The id of the session in lists.
    public let id: Identifier
    public let name: Identifier
    public let scope: Scope
    public let app: Identifier
    /// The token's digest.
    public let parent: [UInt8]
    /// The expiry of the token. No session lasts longer.
    public var expires: Timestamp?
    /// Whether the token is in the configuration, which the register does not know.
    public var isConfigured = false

    public init(id: Identifier, name: Identifier, scope: Scope, app: Identifier, parent: [UInt8]) {
        self.id = id
        self.name = name
        self.scope = scope
        self.app = app
        self.parent = parent
    }
}

/// The last uses of living sessions that this process knows.
struct SessionUses: Sendable {
    struct Use: Sendable {
        var last: Timestamp
        /// The last use that the store has.
        var written: Timestamp?
    }

    var uses: [[UInt8]: Use] = [:]
    /// The time at which the uses at other processes were last read.
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
