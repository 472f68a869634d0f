public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
public import Logging
internal import Synchronization

/// The tokens that the daemon makes: issued, revoked, and known to every worker before that is answered
/// (docs/reference/http-api.md#tokens-and-scopes; docs/reference/http-api.md#token-routes).
///
/// A name is one living token's. One that has expired gives its name up to the next of that name, which revokes it.
public final class TokenRegister: Sendable {
    /// Tokens are compared one by one at each request.
    public static let livingBound = 1000
    /// A token's use is told and written at most once in so many milliseconds.
    public static let usePeriod: Int64 = 60_000

    public typealias Broadcast = @Sendable ([StoredToken], _ acknowledged: @escaping @Sendable () -> Void) -> Void

    private let store: any Store
    private let clock: Clock
    private let logger: Logger
    /// One change after another, off the event loops.
    private let queue = DispatchQueue(label: "bellwether.tokens")
    /// Those that are not revoked, in the order in which they were made.
    private let living = Mutex<[StoredToken]>([])
    private let uses = Mutex<[[UInt8]: Timestamp]>([:])
    private let broadcast = Mutex<Broadcast?>(nil)

    public init(store: any Store, clock: Clock, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Loads what is stored; answers the tokens that are not revoked. Blocks; before the server starts.
    public func start() throws(StoreError) -> [StoredToken] {
        let tokens = try store.loadTokens().filter { $0.revokedAt == nil }
        living.withLock { $0 = tokens }
        uses.withLock { uses in
            for token in tokens { uses[token.digest] = token.lastUsedAt }
        }
        return tokens
    }

    /// From now on changes go to the workers.
    public func connect(_ broadcast: @escaping Broadcast) { self.broadcast.withLock { $0 = broadcast } }

    /// The first token of an installation that has none, for an administrator; nil where there ever was one. Blocks;
    /// before the server starts.
    public func issueFirst() throws(TokenRefusal) -> IssuedToken? {
        do throws(StoreError) {
            guard try store.loadTokens().isEmpty else { return nil }
        } catch {
            throw .store(error)
        }
        return try make(
            TokenRequest(name: "admin", scope: .admin, app: "*", expires: nil, author: ChangeAuthor.daemon))
    }

    /// Completed when every worker knows the token.
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

    /// Completed when no worker takes the token any more.
    public func revoke(
        _ name: String, by author: String, _ completion: @escaping @Sendable (TokenRefusal?) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                guard let token = token(named: name) else { throw .notFound }
                let now = clock.now()
                try change([.revoke(token, at: now)], by: author, at: now)
                living.withLock { $0.removeAll { $0.digest == token.digest } }
                uses.withLock { $0[token.digest] = nil }
                log("token revoked", name, by: author)
                deliver { completion(nil) }
            } catch {
                completion(error)
            }
        }
    }

    public func list(_ completion: @escaping @Sendable (Result<TokenListing, StoreError>) -> Void) {
        queue.async { [self] in
            do throws(StoreError) {
                var tokens = try store.loadTokens()
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

    /// Notes that a token was used. What was written less than a minute ago stays as it is; no write is waited for.
    public func noteUse(_ digest: [UInt8], at time: Timestamp) {
        let isDue = uses.withLock { uses in
            if let last = uses[digest], abs(time.milliseconds - last.milliseconds) < Self.usePeriod { return false }
            uses[digest] = time
            return true
        }
        guard isDue, living.withLock({ $0.contains { $0.digest == digest } }) else { return }
        queue.async { [self] in
            do throws(TokenRefusal) {
                try change([.use(digest: digest, at: time)], by: ChangeAuthor.daemon, at: time)
            } catch {
                logger.warning("a token's last use was not written", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension TokenRegister {
    private func make(_ request: TokenRequest) throws(TokenRefusal) -> IssuedToken {
        let now = clock.now()
        let namesake = token(named: request.name)
        let isFree = namesake?.hasExpired(at: now) ?? true
        guard isFree, !request.takenNames.contains(where: { $0.hasSameBytes(as: request.name) }) else {
            throw .nameTaken
        }
        guard living.withLock({ $0.count }) < Self.livingBound || namesake != nil else { throw .tooMany }
        let text = TokenText.make(prefix: request.prefix)
        let token = StoredToken(
            name: request.name, scope: request.scope, app: request.app, isWeb: request.isWeb,
            digest: Digest.sha256(Array(text.utf8)), createdAt: now, expiresAt: request.expires)
        let revocation = namesake.map { TokenChange.revoke($0, at: now) }
        try change([revocation, .issue(token)].compactMap(\.self), by: request.author, at: now)
        living.withLock { living in
            living.removeAll { $0.digest == namesake?.digest }
            living.append(token)
        }
        return IssuedToken(token: token, text: text)
    }

    private func token(named name: String) -> StoredToken? {
        living.withLock { $0.first { $0.name.hasSameBytes(as: name) } }
    }

    private func change(_ changes: [TokenChange], by author: String, at now: Timestamp) throws(TokenRefusal) {
        do throws(StoreError) {
            try store.changeTokens(changes, by: author, at: now)
        } catch {
            throw .store(error)
        }
    }

    private func deliver(_ acknowledged: @escaping @Sendable () -> Void) {
        guard let broadcast = broadcast.withLock({ $0 }) else { return acknowledged() }
        broadcast(living.withLock { $0 }, acknowledged)
    }

    private func log(_ event: Logger.Message, _ name: String, by author: String) {
        logger.info(event, metadata: ["token": "\(name)", "by": "\(author)"])
    }
}
