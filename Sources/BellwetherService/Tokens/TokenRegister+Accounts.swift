public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch
internal import Logging
internal import Synchronization

/// A change of an account that an administrator requests.
public struct AccountRequest: Sendable {
    public let name: Identifier
    /// See `ChangeAuthor`.
    public let author: String
    /// The names of tokens in the configuration.
    public var takenNames: [Identifier] = []
    /// Whether the configuration has an administrator's token.
    public var isAdministered = false

    public init(name: Identifier, author: String) { (self.name, self.author) = (name, author) }
}

/// An account with what belongs to it.
public struct AccountListing: Sendable {
    /// Its `lastUsedAt` is the last use of its sessions.
    public let account: StoredToken
    /// The end of the link that waits for the person; nil if there is none.
    public let linkExpires: Timestamp?
    public let sessions: Int
}

/// A person whom an identity provider has named.
public struct ProvidedPerson: Sendable {
    /// `sub@issuer`, by which the audit names the person.
    public let name: Identifier
    public let displayName: String?
    public let roles: Roles

    public init(name: Identifier, displayName: String?, roles: Roles) {
        (self.name, self.displayName, self.roles) = (name, displayName, roles)
    }
}

/// People's accounts, and the links with which they sign in (docs/reference/http-api.md#accounts).
extension TokenRegister {
    /// The maximum number of living accounts.
    public static let accountBound = 1000
    static let linkPrefix = "bwi_"

    /// Makes an account, and the link with which its person signs in.
    public func add(
        _ request: AccountRequest, roles: Roles,
        _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        change(request, "account made", completion) { (tokens, now) throws(TokenRefusal) in
            guard tokens.named(request.name) == nil, !request.takenNames.contains(request.name) else {
                throw .nameTaken
            }
            guard tokens.count(where: { $0.account != nil }) < Self.accountBound else { throw .tooMany }
            let account = StoredToken(account: Account(), name: request.name, roles: roles, at: now)
            let link = IssuedToken(linkOf: account, self.rules, at: now)
            return (link, [.issue(account), .issue(link.token)])
        }
    }

    /// Makes another link for an account. The one before it is no longer valid.
    public func makeLink(
        _ request: AccountRequest, _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        change(request, "link made", completion) { (tokens, now) throws(TokenRefusal) in
            let account = try tokens.account(request.name)
            let link = IssuedToken(linkOf: account, self.rules, at: now)
            return (link, tokens.links(of: account).map { .lapse($0, at: now) } + [.issue(link.token)])
        }
    }

    /// Gives an account other roles. Its sessions have them when this completes.
    public func change(
        _ request: AccountRequest, roles: Roles,
        _ completion: @escaping @Sendable (Result<StoredToken, TokenRefusal>) -> Void
    ) {
        change(request, "account changed", completion) { (tokens, now) throws(TokenRefusal) in
            var account = try tokens.account(request.name)
            guard account.roles != roles else { return (account, []) }
            account.roles = roles
            if !request.isAdministered {
                try tokens.guardAdministrator(at: now) { [account] all in
                    all.removeAll { $0.digest == account.digest }
                    all.append(account)
                }
            }
            return (account, [.change(account)])
        }
    }

    /// Removes an account. Completes when no worker accepts a session or link of it.
    public func remove(_ request: AccountRequest, _ completion: @escaping @Sendable (TokenRefusal?) -> Void) {
        end(by: request.author, "account removed", isAdministered: request.isAdministered, completion) {
            $0.account != nil && $0.name == request.name
        }
    }

    /// Begins the session of the person who has the text of a link, and ends the link.
    ///
    /// - Parameter link: the digest of the text.
    /// - Parameter id: the id of the session in lists.
    public func signIn(
        link: [UInt8], id: Identifier, _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        begin(completion) { (tokens, now) throws(TokenRefusal) in
            guard let link = tokens.first(where: { $0.digest == link && !$0.hasExpired(at: now) }),
                case .link(let parent) = link.kind, let account = tokens.first(where: { $0.digest == parent })
            else { throw .notFound }
            return Beginning(account: account, changes: [.lapse(link, at: now)], id: id, isLasting: true)
        }
    }

    /// Begins the session of a person whom a provider has named, whose account gets the roles that the provider tells.
    public func signIn(
        _ person: ProvidedPerson, id: Identifier, takenNames: [Identifier],
        _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        begin(completion) { (tokens, now) throws(TokenRefusal) in
            let made = Account(displayName: person.displayName, isFromProvider: true)
            guard let namesake = tokens.named(person.name) else {
                guard !takenNames.contains(person.name) else { throw .nameTaken }
                let account = StoredToken(account: made, name: person.name, roles: person.roles, at: now)
                let changes = try self.room(in: tokens, at: now) + [.issue(account)]
                return Beginning(account: account, changes: changes, id: id)
            }
            guard namesake.account?.isFromProvider == true else { throw .nameTaken }
            var account = namesake
            (account.kind, account.roles) = (.account(made), person.roles)
            return Beginning(account: account, changes: account == namesake ? [] : [.change(account)], id: id)
        }
    }

    /// The accounts in the order of their names.
    public func accounts(at now: Timestamp) -> [AccountListing] {
        let tokens = living.withLock { $0.tokens }
        let sessions = sessions(at: now)
        return tokens.filter { $0.account != nil }.sorted { $0.name < $1.name }.map { account in
            let own = sessions.filter { $0.parent == account.digest }
            var account = account
            account.lastUsedAt = (own.map(\.lastUsedAt) + [account.lastUsedAt]).compactMap(\.self).max()
            return AccountListing(
                account: account,
                linkExpires: tokens.links(of: account).first { !$0.hasExpired(at: now) }?.expiresAt,
                sessions: own.count)
        }
    }

    /// The change that makes room for one more account of a provider: the account goes whose person was away longest.
    private func room(in tokens: [StoredToken], at now: Timestamp) throws(TokenRefusal) -> [TokenChange] {
        let accounts = tokens.filter { $0.account != nil }
        guard accounts.count >= Self.accountBound else { return [] }
        let present = Set(tokens.compactMap { $0.session?.parent })
        let away = accounts.filter { $0.account?.isFromProvider == true && !present.contains($0.digest) }
        let last = { (account: StoredToken) in account.lastUsedAt ?? account.createdAt }
        guard let oldest = away.min(by: { last($0) < last($1) }) else { throw .tooMany }
        return [.lapse(oldest, at: now)]
    }

    /// Makes the changes that the body derives from the present tokens, and completes when all workers know them.
    private func change<Value: Sendable>(
        _ request: AccountRequest, _ event: Logger.Message,
        _ completion: @escaping @Sendable (Result<Value, TokenRefusal>) -> Void,
        _ body: @escaping @Sendable ([StoredToken], Timestamp) throws(TokenRefusal) -> (Value, [TokenChange])
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let value = try edit(by: request.author, at: now) { (tokens) throws(TokenRefusal) in
                    try body(tokens, now)
                }
                log(event, request.name, by: request.author)
                deliver { completion(.success(value)) }
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// The beginning of a person's session.
private struct Beginning {
    let account: StoredToken
    /// The changes that come first.
    let changes: [TokenChange]
    /// The id of the session.
    let id: Identifier
    var isLasting = false
}

extension TokenRegister {
    private func begin(
        _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void,
        _ body: @escaping @Sendable ([StoredToken], Timestamp) throws(TokenRefusal) -> Beginning
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let issued = try edit(at: now, by: \.token.name.text) { (tokens) throws(TokenRefusal) in
                    let beginning = try body(tokens, now)
                    let account = beginning.account
                    var session = SessionRequest(
                        id: beginning.id, name: account.name, roles: account.roles, parent: account.digest)
                    session.isLasting = beginning.isLasting
                    let issued = IssuedToken(session, rules, at: now)
                    return (
                        issued,
                        beginning.changes + ends(of: tokens, for: account.digest, at: now) + [.issue(issued.token)]
                    )
                }
                sessionUses.withLock {
                    $0.uses[issued.token.digest] = SessionUses.Use(
                        last: now, isLasting: issued.token.session?.isLasting ?? false)
                }
                log("signed in", issued.token.name, by: issued.token.name.text)
                deliver { completion(.success(issued)) }
            } catch {
                completion(.failure(error))
            }
        }
    }
}

extension [StoredToken] {
    /// The account of the name, which an administrator may change.
    fileprivate func account(_ name: Identifier) throws(TokenRefusal) -> StoredToken {
        guard let token = named(name), let account = token.account else { throw .notFound }
        guard !account.isFromProvider else { throw .ofProvider }
        return token
    }

    fileprivate func links(of account: StoredToken) -> [StoredToken] {
        filter { $0.kind == .link(parent: account.digest) }
    }
}

extension StoredToken {
    /// A new account. Its digest is that of a text that was never given out.
    fileprivate init(account: Account, name: Identifier, roles: Roles, at now: Timestamp) {
        self.init(name: name, roles: roles, digest: Digest.sha256(Array(TokenText.make().utf8)), createdAt: now)
        kind = .account(account)
    }
}

extension IssuedToken {
    /// A link, with a text that was just drawn.
    fileprivate init(linkOf account: StoredToken, _ rules: SessionRules, at now: Timestamp) {
        let text = TokenText.make(prefix: TokenRegister.linkPrefix)
        var link = StoredToken(
            name: account.name, roles: account.roles, digest: Digest.sha256(Array(text.utf8)), createdAt: now,
            expiresAt: now.adding(seconds: rules.linkSeconds))
        link.kind = .link(parent: account.digest)
        self.init(token: link, text: text)
    }
}
