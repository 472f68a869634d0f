public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch
public import Logging
internal import Synchronization

/// The tokens that the daemon issues, and the sessions of people. Every worker knows a change before it is completed
/// (docs/reference/http-api.md#tokens-and-scopes; docs/reference/http-api.md#token-routes). Sessions are in
/// `TokenRegister+Sessions.swift`.
///
/// Only one living token may have a name. A new token may take the name of an expired one, and revokes it.
public final class TokenRegister: Sendable {
    /// The maximum number of living tokens. They are compared one by one at each request.
    public static let livingBound = 1000
    /// The period in milliseconds in which a token's use is reported and written at most once.
    public static let usePeriod: Int64 = 60_000

    public typealias Broadcast = @Sendable ([StoredToken], _ acknowledged: @escaping @Sendable () -> Void) -> Void

    /// The durations and the maximum number of sessions.
    public let rules: SessionRules
    private let store: any Store
    let clock: Clock
    private let logger: Logger
    /// Runs one change after another, outside the event loops.
    let queue = DispatchQueue(label: "bellwether.tokens")
    /// Writes uses separately, so that a change, or another process's revocation, does not wait for them.
    private let useQueue = DispatchQueue(label: "bellwether.tokens.uses")
    /// The uses that are to be written, by digest.
    private let dueUses = Mutex<[[UInt8]: Timestamp]>([:])
    /// The tokens that are not revoked, with the head of their read.
    let living = Mutex(StoredTokens())
    let sessionUses = Mutex(SessionUses())
    private let uses = Mutex<[[UInt8]: Timestamp]>([:])
    private let broadcast = Mutex<Broadcast?>(nil)

    public init(store: any Store, clock: Clock, logger: Logger, sessions rules: SessionRules = .standard) {
        self.rules = rules
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Loads the stored tokens; returns the tokens that are not revoked. It blocks, and runs before the server starts.
    public func start() throws(StoreError) -> [StoredToken] {
        try load()
        return living.withLock { $0.tokens }
    }

    /// Loads the stored tokens; returns all of them.
    @discardableResult
    private func load() throws(StoreError) -> [StoredToken] {
        var stored = try store.loadTokens()
        let all = stored.tokens
        stored.tokens.removeAll { $0.revokedAt != nil }
        living.withLock { $0 = stored }
        noteStoredUses(of: stored.tokens)
        uses.withLock { uses in
            for token in stored.tokens where token.session == nil {
                uses[token.digest] = [uses[token.digest], token.lastUsedAt].compactMap(\.self).max()
            }
        }
        return all
    }

    /// Loads the tokens that other processes have issued and revoked, and passes them to the workers. It blocks.
    /// Returns false if they could not be read.
    func catchUp(with heads: StoreHeads) -> Bool {
        guard isBehind(heads) else { return true }
        return queue.sync {
            guard isBehind(heads) else { return true }
            do throws(StoreError) {
                try load()
                deliver {}
                return true
            } catch {
                logger.error("tokens could not be read", metadata: ["error": "\(error)"])
                return false
            }
        }
    }

    /// Whether tokens were changed elsewhere, or sessions may have been used there.
    private func isBehind(_ heads: StoreHeads) -> Bool {
        living.withLock({ $0.head }) != heads.tokens || wantsUses(at: clock.now())
    }

    /// Sets the function that passes later changes to the workers.
    public func connect(_ broadcast: @escaping Broadcast) { self.broadcast.withLock { $0 = broadcast } }

    /// The first token of an installation that has none, for an administrator; nil if there ever was one. It blocks,
    /// and runs before the server starts.
    public func issueFirst() throws(TokenRefusal) -> IssuedToken? {
        do throws(StoreError) {
            guard try load().allSatisfy({ !$0.takesName }) else { return nil }
            let request = TokenRequest(
                name: "admin", scope: .admin, app: "*", expires: nil, author: ChangeAuthor.daemon)
            let issued = IssuedToken(request, at: clock.now())
            let changes = [TokenChange.issue(issued.token)]
            try change(changes, expecting: living.withLock { $0.head }, by: request.author, at: issued.token.createdAt)
            return issued
        } catch .stale {
            // Another process has issued it.
            return nil
        } catch {
            throw .store(error)
        }
    }

    /// Issues a token. Completes when every worker knows it.
    public func issue(
        _ request: TokenRequest, _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let issued = try make(request)
                log("token made", request.name, by: request.author)
                deliver { completion(.success(issued)) }
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Revokes a token. Completes when no worker accepts it, or a session that came from it. It may be the last
    /// administrator's: whoever runs the daemon declares another one in the configuration.
    public func revoke(
        _ name: Identifier, by author: String, _ completion: @escaping @Sendable (TokenRefusal?) -> Void
    ) {
        end(by: author, "token revoked", isAdministered: true, completion) { $0.kind == .token && $0.name == name }
    }

    /// Ends a token or an account, with all sessions and links that came from it.
    ///
    /// - Parameter isAdministered: Whether an administrator remains in any case.
    func end(
        by author: String, _ event: Logger.Message, isAdministered: Bool,
        _ completion: @escaping @Sendable (TokenRefusal?) -> Void,
        where isMeant: @escaping @Sendable (StoredToken) -> Bool
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let token = try edit(by: author, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
                    guard let token = tokens.first(where: isMeant) else { throw .notFound }
                    let ended = [token] + tokens.filter { $0.parent == token.digest }
                    if !isAdministered {
                        try tokens.guardAdministrator(at: now) { all in all.removeAll { ended.contains($0) } }
                    }
                    return (token, ended.map { .revoke($0, at: now) })
                }
                uses.withLock { $0[token.digest] = nil }
                log(event, token.name, by: author)
                deliver { completion(nil) }
            } catch {
                completion(error)
            }
        }
    }

    public func list(_ completion: @escaping @Sendable (Result<TokenListing, StoreError>) -> Void) {
        queue.async { [self] in
            do throws(StoreError) {
                var tokens = try store.loadTokens().tokens.filter { $0.kind == .token }
                let uses = uses.withLock { $0 }
                for index in tokens.indices {
                    tokens[index].lastUsedAt = uses[tokens[index].digest] ?? tokens[index].lastUsedAt
                }
                completion(.success(TokenListing(issued: tokens, uses: uses)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Notes that a token was used. A use that was written less than a minute ago stays as it is; the function does not
    /// wait for the write.
    public func noteUse(_ digest: [UInt8], at time: Timestamp) {
        let isDue = uses.withLock { uses in
            if let last = uses[digest], abs(time.milliseconds - last.milliseconds) < Self.usePeriod { return false }
            uses[digest] = time
            return true
        }
        guard isDue, living.withLock({ $0.tokens.contains { $0.digest == digest } }) else { return }
        write(useOf: digest, at: time)
    }

    /// Writes a use, together with the uses that come before the write begins.
    func write(useOf digest: [UInt8], at time: Timestamp) {
        let isFirst = dueUses.withLock { due in
            due[digest] = time
            return due.count == 1
        }
        guard isFirst else { return }
        useQueue.async { [self] in
            let uses = dueUses.withLock { due in
                defer { due = [:] }
                return due.map { TokenChange.use(digest: $0.key, at: $0.value) }
            }
            do throws(StoreError) {
                try store.changeTokens(uses, expecting: nil, by: ChangeAuthor.daemon, at: time)
            } catch {
                logger.warning("last uses of tokens were not written", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension TokenRegister {
    private func make(_ request: TokenRequest) throws(TokenRefusal) -> IssuedToken {
        let now = clock.now()
        return try edit(by: request.author, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
            let namesake = tokens.named(request.name)
            let isFree = namesake.map { $0.kind == .token && $0.hasExpired(at: now) } ?? true
            guard isFree, !request.takenNames.contains(request.name) else {
                throw .nameTaken
            }
            let count = tokens.count { $0.kind == .token }
            guard count < Self.livingBound || namesake != nil else { throw .tooMany }
            let issued = IssuedToken(request, at: now)
            let revocation = namesake.map { TokenChange.revoke($0, at: now) }
            return (issued, [revocation, .issue(issued.token)].compactMap(\.self))
        }
    }

    /// The maximum number of attempts of a change, if other processes change tokens first.
    private static let maximumEdits = 5

    /// Makes the changes that the body derives from the present tokens. If other processes change tokens, too, the
    /// tokens are loaded first, and again if another process came first. The workers then know the loaded tokens,
    /// whatever the outcome of the changes.
    ///
    /// - Parameter author: the author for the audit, who may follow from the value.
    func edit<Value>(
        at now: Timestamp, by author: (Value) -> String,
        _ body: ([StoredToken]) throws(TokenRefusal) -> (Value, [TokenChange])
    ) throws(TokenRefusal) -> Value {
        // Another process may have issued the token that is to end.
        if store.shared != nil { try refresh() }
        for _ in 0..<Self.maximumEdits {
            let known = living.withLock { $0 }
            let (value, changes) = try body(known.tokens)
            do throws(StoreError) {
                try change(changes, expecting: known.head, by: author(value), at: now)
                return value
            } catch .stale {
                try refresh()
            } catch {
                throw .store(error)
            }
        }
        throw .store(.stale)
    }

    func edit<Value>(
        by author: String, at now: Timestamp,
        _ body: ([StoredToken]) throws(TokenRefusal) -> (Value, [TokenChange])
    ) throws(TokenRefusal) -> Value {
        try edit(at: now, by: { _ in author }, body)
    }

    private func refresh() throws(TokenRefusal) {
        do { try load() } catch { throw .store(error) }
        deliver {}
    }

    /// Makes changes durable, and applies them to the living tokens.
    private func change(
        _ changes: [TokenChange], expecting head: TokenHead, by author: String, at now: Timestamp
    ) throws(StoreError) {
        let next = try store.changeTokens(changes, expecting: head, by: author, at: now)
        living.withLock { living in
            living.head = next
            for change in changes {
                switch change {
                case .issue(let token): living.tokens.append(token)
                case .change(let token):
                    if let index = living.tokens.firstIndex(where: { $0.digest == token.digest }) {
                        living.tokens[index] = token
                    }
                case .revoke(let token, _), .lapse(let token, _): living.tokens.removeAll { $0.digest == token.digest }
                case .use: break
                }
            }
        }
    }

    func deliver(_ acknowledged: @escaping @Sendable () -> Void) {
        guard let broadcast = broadcast.withLock({ $0 }) else { return acknowledged() }
        broadcast(living.withLock { $0.tokens }, acknowledged)
    }

    func log(_ event: Logger.Message, _ name: Identifier, by author: String) {
        logger.info(event, metadata: ["token": "\(name)", "by": "\(author)"])
    }
}

extension [StoredToken] {
    /// The token or account of the name.
    func named(_ name: Identifier) -> StoredToken? {
        first { $0.takesName && $0.name == name }
    }

    /// Refuses a change after which the installation would have no administrator.
    func guardAdministrator(at now: Timestamp, after change: (inout Self) -> Void) throws(TokenRefusal) {
        var next = self
        change(&next)
        guard hasAdministrator(at: now), !next.hasAdministrator(at: now) else { return }
        throw .lastAdministrator
    }

    /// A provider may take the role of an administrator away at any time, so its accounts do not count.
    private func hasAdministrator(at now: Timestamp) -> Bool {
        contains { token in
            token.takesName && token.roles.can(.admin, in: Roles.allApps) && !token.hasExpired(at: now)
                && token.account?.isFromProvider != true
        }
    }
}

extension IssuedToken {
    /// A token of its own, with a text that was just drawn.
    fileprivate init(_ request: TokenRequest, at now: Timestamp) {
        let text = TokenText.make(prefix: request.prefix)
        let token = StoredToken(
            name: request.name, roles: Roles(request.scope, app: request.app), isWeb: request.isWeb,
            digest: Digest.sha256(Array(text.utf8)), createdAt: now, expiresAt: request.expires)
        self.init(token: token, text: text)
    }
}
