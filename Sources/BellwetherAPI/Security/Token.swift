public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// A bearer token in the daemon: its SHA-256, never its text.
public struct Token: Sendable {
    public let principal: Principal
    /// The 32 bytes of the SHA-256.
    public let digest: [UInt8]
    public let expires: Timestamp?

    /// Reads `NAME:SCOPE:APP:SHA256HEX[:EXPIRES]`. The scope `web` makes a client's public token. The error describes
    /// the fault, and repeats no part of the text, which may be a misplaced secret.
    public init(_ text: String) throws(TokenSyntaxError) {
        // EXPIRES is an RFC 3339 time, which contains colons.
        let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4 else { throw TokenSyntaxError("it is not NAME:SCOPE:APP:SHA256HEX[:EXPIRES]") }
        guard !parts[0].isEmpty else { throw TokenSyntaxError("its name is empty") }
        guard !ChangeAuthor.isReserved(parts[0]) else {
            throw TokenSyntaxError("its name is reserved: file, dev and daemon are others in the audit")
        }
        let isWeb = parts[1] == "web"
        guard let scope = isWeb ? .client : Scope(rawValue: parts[1]) else {
            throw TokenSyntaxError(
                "its scope is none of \(Scope.allCases.map(\.rawValue).joined(separator: ", ")), web")
        }
        guard !parts[2].isEmpty else { throw TokenSyntaxError("its app is empty; write * for all apps") }
        guard let digest = Self.bytes(hex: parts[3]), digest.count == Digest.byteCount else {
            throw TokenSyntaxError("its digest is not the 64 hex digits of a SHA-256")
        }
        var expires: Timestamp?
        if parts.count == 5 {
            guard let time = Timestamp(rfc3339: parts[4]) else {
                throw TokenSyntaxError("its expiry is no RFC 3339 time such as 2027-01-01T00:00:00Z")
            }
            expires = time
        }
        principal = Principal(
            name: Identifier(parts[0]), roles: Roles(scope, app: Identifier(parts[2])), isWeb: isWeb, digest: digest,
            expires: expires)
        self.digest = digest
        self.expires = expires
    }

    /// A token that the daemon issued.
    init(_ token: StoredToken) {
        principal = Principal(
            name: token.name, roles: token.roles, isWeb: token.isWeb, digest: token.digest, expires: token.expiresAt)
        digest = token.digest
        expires = token.expiresAt
    }

    func hasExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// The digest of a token's text, which the configuration stores.
    public static func digest(of text: some Sequence<UInt8>) -> [UInt8] { Digest.sha256(Array(text)) }

    private static func bytes(hex: String) -> [UInt8]? {
        let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

public struct TokenSyntaxError: Error, Sendable, Hashable {
    public let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The accepted tokens, until they expire, and the sessions.
public struct TokenTable: Sendable {
    let tokens: [Token]
    /// The accounts by their digests. No request contains a text with such a digest.
    private var accounts: [[UInt8]: Token] = [:]
    private var sessions: [StoredToken] = []
    /// The digests of the links that wait. A link that another node has made is here as soon as its account is.
    private var links: Set<[UInt8]> = []

    public init(_ tokens: [Token]) { self.tokens = tokens }

    /// Reads the tokens of the configuration, and reports all their faults. A name or a digest may belong to only one
    /// token. The audit names the author of a change by the token's name, and a token is found by its digest.
    public static func read(_ texts: [String]) -> (table: TokenTable, faults: [String]) {
        var tokens: [Token] = []
        var faults: [String] = []
        // A dictionary of strings finds a name in each of its spellings, which people cannot distinguish.
        var names: [String: Int] = [:]
        var digests: [[UInt8]: Int] = [:]
        for (number, text) in zip(1..., texts) {
            do {
                let token = try Token(text)
                if let other = names[token.principal.name.text] {
                    faults.append("number \(number) has the name of number \(other)")
                }
                if let other = digests[token.digest] {
                    faults.append("number \(number) has the digest of number \(other)")
                }
                names[token.principal.name.text] = names[token.principal.name.text] ?? number
                digests[token.digest] = digests[token.digest] ?? number
                tokens.append(token)
            } catch {
                // The fault repeats no part of the text, which may be a token instead of a digest.
                faults.append("number \(number) is not readable: \(error.reason)")
            }
        }
        return (TokenTable(tokens), faults)
    }

    /// The tokens that the daemon issued and that are not revoked.
    public init(issued tokens: [StoredToken]) {
        self.tokens = tokens.filter { $0.kind == .token }.map { Token($0) }
        for token in tokens where token.account != nil { accounts[token.digest] = Token(token) }
        sessions = tokens.filter { $0.session != nil }
        for token in tokens { if case .link = token.kind { links.insert(token.digest) } }
    }

    public var isEmpty: Bool { tokens.isEmpty }

    var names: [Identifier] { tokens.map(\.principal.name) }

    /// Whether there is a token for an administrator of all apps.
    var isAdministered: Bool { tokens.contains { $0.principal.can(.admin, in: Roles.allApps) } }

    /// Compares the digest with every token in constant time: the duration reveals nothing about a digest.
    func token(digest: [UInt8]) -> Token? {
        var found: Token?
        for token in tokens where Self.isEqual(token.digest, digest) { found = token }
        return found
    }

    /// Whether the digest is that of a link, which may have expired.
    func hasLink(digest: [UInt8]) -> Bool { links.contains(digest) }

    /// The account from which a session came.
    func account(digest: [UInt8]) -> Token? { accounts[digest] }

    func token(named name: String) -> Token? {
        tokens.first { $0.principal.name == name }
    }

    /// Compares the digest with every session in constant time.
    func session(digest: [UInt8]) -> StoredToken? {
        var found: StoredToken?
        for session in sessions where Self.isEqual(session.digest, digest) { found = session }
        return found
    }

    /// Whether both tables accept the same tokens. Sessions are ignored.
    func hasTokens(of other: TokenTable) -> Bool { tokens.map(\.digest) == other.tokens.map(\.digest) }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}
