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
    /// The maximum number of sessions of one account or token. If its person signs in once more, the oldest of them
    /// ends.
    public var livingBoundOfParent = 20
    /// The maximum number of an installation's sessions. If another person signs in, the oldest session ends.
    public var livingBound = 2000
    /// The same times for the sessions of links. Their people need another link to sign in again.
    public var lastingIdleSeconds: Int64 = 14 * 86_400
    public var lastingLifetimeSeconds: Int64 = 90 * 86_400
    /// The time for which the link of an account is valid.
    public var linkSeconds: Int64 = 24 * 3600

    public init() {}

    public func idleSeconds(isLasting: Bool) -> Int64 { isLasting ? lastingIdleSeconds : idleSeconds }

    func lifetimeSeconds(isLasting: Bool) -> Int64 { isLasting ? lastingLifetimeSeconds : lifetimeSeconds }
}

/// The sign-in of a person with a known token.
public struct SessionRequest: Sendable {
    /// The id of the session in lists.
    public let id: Identifier
    public let name: Identifier
    public let roles: Roles
    /// The digest of the token or account.
    public let parent: [UInt8]
    /// The expiry of the token. No session lasts longer.
    public var expires: Timestamp?
    /// Whether the person came by a link.
    public var isLasting = false
    /// Whether the token is in the configuration, which the register does not know.
    public var isConfigured = false

    public init(id: Identifier, name: Identifier, roles: Roles, parent: [UInt8]) {
        self.id = id
        self.name = name
        self.roles = roles
        self.parent = parent
    }
}

/// The last uses of living sessions that this process knows.
struct SessionUses: Sendable {
    struct Use: Sendable {
        var last: Timestamp
        /// The last use that the store has.
        var written: Timestamp?
        let isLasting: Bool
    }

    var uses: [[UInt8]: Use] = [:]
    /// The time at which the uses at other processes were last read.
    var readAt = Timestamp(milliseconds: 0)
}

extension IssuedToken {
    /// A session, with a text that was just drawn.
    init(_ request: SessionRequest, _ rules: SessionRules, at now: Timestamp) {
        let text = TokenText.make()
        let end = now.adding(seconds: rules.lifetimeSeconds(isLasting: request.isLasting))
        var token = StoredToken(
            name: request.name, roles: request.roles, digest: Digest.sha256(Array(text.utf8)), createdAt: now,
            expiresAt: min(end, request.expires ?? end))
        token.session = SessionOrigin(id: request.id, parent: request.parent, isLasting: request.isLasting)
        self.init(token: token, text: text)
    }
}
