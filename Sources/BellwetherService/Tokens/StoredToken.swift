public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A stored token that the daemon issued, a person's account, or a link or session of a person. It contains the SHA-256
/// of its text, never the text.
public struct StoredToken: Sendable, Hashable {
    /// The name of the token, or of the person.
    public let name: Identifier
    /// The roles of the token or the account. Sessions and links may do what their parent may do.
    public var roles: Roles
    /// Whether everyone may read the token, because it is in web pages (docs/reference/http-api.md#public-tokens).
    public let isWeb: Bool
    /// The digest by which it is found; no two tokens share it.
    public let digest: [UInt8]
    public let createdAt: Timestamp
    public let expiresAt: Timestamp?
    /// The time of the last use, exact to a minute.
    public var lastUsedAt: Timestamp?
    public var revokedAt: Timestamp?
    public var kind = Kind.token

    public enum Kind: Sendable, Hashable {
        /// A token that programs send, and with which people may sign in.
        case token
        /// A person who signs in by links or by a provider. No request contains its digest's text.
        case account(Account)
        /// A link with which the person of an account signs in once.
        case link(parent: [UInt8])
        /// A person's session in a browser.
        case session(SessionOrigin)
    }

    public init(
        name: Identifier, roles: Roles, isWeb: Bool = false, digest: [UInt8], createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.name = name
        self.roles = roles
        self.isWeb = isWeb
        self.digest = digest
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    public init(
        name: Identifier, scope: Scope, app: Identifier, isWeb: Bool = false, digest: [UInt8], createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.init(
            name: name, roles: Roles(scope, app: app), isWeb: isWeb, digest: digest, createdAt: createdAt,
            expiresAt: expiresAt)
    }

    public func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// The origin, if this is a session.
    public var session: SessionOrigin? {
        get { if case .session(let origin) = kind { origin } else { nil } }
        set { kind = newValue.map { .session($0) } ?? .token }
    }

    public var account: Account? { if case .account(let account) = kind { account } else { nil } }

    /// The digest of the token or account from which a session or link came.
    public var parent: [UInt8]? {
        switch kind {
        case .token, .account: nil
        case .link(let parent): parent
        case .session(let origin): origin.parent
        }
    }

    /// Whether its name is taken while it lives: the audit names authors by it.
    var takesName: Bool { parent == nil }
}

/// The facts about a person beside the name and the roles (docs/reference/http-api.md#accounts).
public struct Account: Sendable, Hashable {
    /// The name in lists and greetings; nil if it is the account's name.
    public var displayName: String?
    /// Whether the account is a provider's: its roles come from the provider's claims at each sign-in.
    public var isFromProvider = false

    public init(displayName: String? = nil, isFromProvider: Bool = false) {
        (self.displayName, self.isFromProvider) = (displayName, isFromProvider)
    }
}

/// The origin of a person's session in a browser (docs/reference/http-api.md#sessions).
public struct SessionOrigin: Sendable, Hashable {
    /// The id in lists; it is not secret.
    public let id: Identifier
    /// The digest of the token or of the account that the person signed in with.
    public let parent: [UInt8]
    /// Whether it lasts for weeks, because the person came by a link (docs/reference/http-api.md#sessions).
    public let isLasting: Bool

    public init(id: Identifier, parent: [UInt8], isLasting: Bool = false) {
        (self.id, self.parent, self.isLasting) = (id, parent, isLasting)
    }
}

/// The tokens and sessions of a store.
public struct StoredTokens: Sendable, Hashable {
    public var head: TokenHead
    /// The tokens in the order of their issue.
    public var tokens: [StoredToken]

    public init(head: TokenHead = .none, tokens: [StoredToken] = []) {
        self.head = head
        self.tokens = tokens
    }
}

/// The number of the last change of tokens. A change names the head that it was made for, and fails if the head has
/// changed.
public struct TokenHead: Sendable, Hashable {
    /// The head of a store without tokens.
    public static let none = TokenHead(revision: 0)

    /// Grows with every token that is issued or revoked.
    public let revision: UInt64

    public init(revision: UInt64) { self.revision = revision }
}

/// The text of a token that the daemon issues: 32 random bytes, after a prefix by which people and scanners recognise
/// it.
public enum TokenText {
    public static let defaultPrefix = "bw_"
    /// The number of characters after the prefix.
    public static let randomCount = 43

    public static func make(prefix: String = defaultPrefix) -> String {
        var generator = SystemRandomNumberGenerator()
        return make((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }, prefix: prefix)
    }

    /// Whether tokens may begin with it: 1 to 32 characters of a-z, 0-9 and _.
    public static func isPrefix(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The bytes in base64url without padding (RFC 4648 5).
    static func make(_ bytes: [UInt8], prefix: String = defaultPrefix) -> String {
        var text = Array(prefix.utf8)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
