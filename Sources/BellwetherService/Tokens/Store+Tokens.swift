public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The tokens that the daemon issues, over a store's rows.
extension Store {
    /// Every token that the daemon issued, in that order. Tokens that were revoked long ago may be missing.
    public func loadTokens() throws(StoreError) -> StoredTokens {
        let kept = try keptTokens().values.map(\.token).sorted { $0.number < $1.number }
        return StoredTokens(head: TokenHead(kept), tokens: kept.map(\.token))
    }

    /// Makes changes of tokens durable, with their audit records, if the head is still the expected one; nil accepts
    /// any head. Returns the new head. Throws `.stale` if another change came first. Throws `.rejected` if a living
    /// token has the name, or if any token has the digest. If it throws, nothing was written.
    @discardableResult
    public func changeTokens(
        _ changes: [TokenChange], expecting head: TokenHead?, by author: String, at now: Timestamp
    ) throws(StoreError) -> TokenHead {
        let origin = ChangeOrigin(author: author, at: now)
        return try commitAudited { () throws(StoreError) in
            var tokens = TokenChanges(try keptTokens())
            if let head, tokens.head != head { throw .stale }
            for change in changes { try tokens.apply(change) }
            let entries = changes.compactMap { AuditEntry($0, origin) }
            let rows = tokens.rows
            return (tokens.head, rows.isEmpty ? nil : WriteGroup(rows), entries)
        }
    }

    private func keptTokens() throws(StoreError) -> [[UInt8]: TokenChanges.Kept] {
        var tokens: [[UInt8]: TokenChanges.Kept] = [:]
        for row in try find(.tokens, limit: .max) {
            guard case .token(let token) = try row.value.get() else { continue }
            tokens[token.token.digest] = (token, row.version)
        }
        return tokens
    }
}

/// The tokens while changes are applied.
private struct TokenChanges {
    typealias Kept = (token: KeptToken, version: UInt64)

    private let before: [[UInt8]: Kept]
    private var tokens: [[UInt8]: KeptToken]

    var head: TokenHead { TokenHead(tokens.values) }

    init(_ before: [[UInt8]: Kept]) { (self.before, tokens) = (before, before.mapValues(\.token)) }

    mutating func apply(_ change: TokenChange) throws(StoreError) {
        switch change {
        case .issue(let token):
            guard tokens[token.digest] == nil else { throw .rejected("a token has the digest") }
            guard !token.takesName || !hasLiving(token.name) else {
                throw .rejected("a living token has the name")
            }
            tokens[token.digest] = KeptToken(token, number: nextNumber)
            forgetRevoked()
        // The new number moves the head.
        case .change(let token):
            guard tokens[token.digest]?.isLiving == true else { throw .rejected("there is no such account") }
            tokens[token.digest] = KeptToken(token, number: nextNumber)
        // The first revocation stands, if there is another.
        case .revoke(let token, let time), .lapse(let token, let time):
            if tokens[token.digest]?.isLiving == true { tokens[token.digest]?.token.revokedAt = time }
        case .use(let digest, let time): tokens[digest]?.token.lastUsedAt = time
        }
    }

    private var nextNumber: Int64 { (tokens.values.map(\.number).max() ?? 0) + 1 }

    private func hasLiving(_ name: Identifier) -> Bool {
        tokens.values.contains { $0.isLiving && $0.token.takesName && $0.token.name == name }
    }

    private mutating func forgetRevoked() {
        forget(beyond: KeptToken.revokedBound) { $0.takesName }
        forget(beyond: KeptToken.endedSessionBound) { !$0.takesName }
    }

    private mutating func forget(beyond bound: Int, _ isMeant: (StoredToken) -> Bool) {
        let revoked = tokens.values.filter { !$0.isLiving && isMeant($0.token) }
        guard revoked.count > bound else { return }
        for token in revoked.sorted(by: { $0.number > $1.number })[bound...] {
            tokens[token.token.digest] = nil
        }
    }

    /// The rows of tokens that have changed or are deleted.
    var rows: [RowWrite] {
        let changed = tokens.values.filter { before[$0.token.digest]?.token != $0 }.map { token in
            let version = before[token.token.digest]?.version ?? 0
            return RowWrite(name: .token(digest: token.token.digest), expected: version, value: .token(token))
        }
        let gone = before.filter { tokens[$0.key] == nil }.map { digest, kept in
            RowWrite(name: .token(digest: digest), expected: kept.version, value: .nothing)
        }
        return changed + gone
    }
}

extension TokenHead {
    /// The number of changes that led to these tokens. Each token was issued once. Each token that does not live was
    /// revoked, also one that is no longer kept.
    public init(_ tokens: some Collection<KeptToken>) {
        let made = tokens.map(\.number).max() ?? 0
        let living = tokens.count { $0.isLiving }
        self.init(revision: UInt64(clamping: 2 * made - Int64(living)))
    }
}

extension KeptToken {
    fileprivate var isLiving: Bool { token.revokedAt == nil }
}

extension AuditEntry {
    /// Nil for a last use, and for the expiry of a session or the use of a link, because no person decided them.
    fileprivate init?(_ change: TokenChange, _ origin: ChangeOrigin) {
        switch change {
        case .issue(let token): self.init(.create, token, origin)
        case .change(let token): self.init(.change, token, origin)
        case .revoke(let token, _): self.init(.revoke, token, origin)
        case .lapse, .use: return nil
        }
    }
}
