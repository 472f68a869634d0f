public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
internal import Logging
internal import Synchronization

/// Sessions: begun, used, listed and ended (docs/reference/http-api.md#sessions).
extension TokenRegister {
    /// Completed when every worker knows the session. `.notFound`: the token was revoked meanwhile.
    public func signIn(
        _ request: SessionRequest, _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let issued = IssuedToken(request, rules, at: now)
                try edit(by: request.name, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
                    guard request.isConfigured || tokens.contains(where: { $0.digest == request.parent }) else {
                        throw .notFound
                    }
                    return ((), ends(of: tokens, at: now) + [.issue(issued.token)])
                }
                sessionUses.withLock { $0.uses[issued.token.digest] = SessionUses.Use(last: now) }
                log("signed in", request.name, by: request.name)
                deliver { completion(.success(issued)) }
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Those that are over, and the oldest where there is no room for one more.
    private func ends(of tokens: [StoredToken], at now: Timestamp) -> [TokenChange] {
        let sessions = tokens.filter { $0.session != nil }
        let living = sessions.filter { isLiving($0, at: now) }
        let over = sessions.filter { session in !living.contains { $0.digest == session.digest } }
        let surplus = living.prefix(max(living.count + 1 - rules.livingBound, 0))
        return over.map { .lapse($0, at: now) } + surplus.map { .revoke($0, at: now) }
    }

    /// Completed when no worker takes the session any more.
    public func endSession(
        _ id: String, by author: String, _ completion: @escaping @Sendable (TokenRefusal?) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let session = try edit(by: author, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
                    guard let session = tokens.first(where: { $0.session?.id.hasSameBytes(as: id) == true }) else {
                        throw .notFound
                    }
                    return (session, [.revoke(session, at: now)])
                }
                sessionUses.withLock { $0.uses[session.digest] = nil }
                log("session ended", session.name, by: author)
                deliver { completion(nil) }
            } catch {
                completion(error)
            }
        }
    }

    /// The living sessions with their last uses, in the order in which they began.
    public func sessions(at now: Timestamp) -> [StoredToken] {
        let sessions = living.withLock { $0.tokens.filter { $0.session != nil } }
        return sessions.filter { isLiving($0, at: now) }.map { session in
            var session = session
            session.lastUsedAt = sessionUses.withLock { $0.uses[session.digest]?.last } ?? session.lastUsedAt
            return session
        }
    }

    /// Uses a session; false where it was idle for too long, or has ended. Called on any thread; waits for no write.
    public func use(session digest: [UInt8], at now: Timestamp) -> Bool {
        let (isLiving, isDue) = sessionUses.withLock { known in
            guard var use = known.uses[digest], !isIdle(since: use.last, at: now) else { return (false, false) }
            let isDue = use.written.map { now.milliseconds - $0.milliseconds >= Self.usePeriod } ?? true
            use.last = max(use.last, now)
            if isDue { use.written = now }
            known.uses[digest] = use
            return (true, isDue)
        }
        if isDue { write(useOf: digest, at: now) }
        return isLiving
    }

    private func isLiving(_ session: StoredToken, at now: Timestamp) -> Bool {
        let last = sessionUses.withLock { $0.uses[session.digest]?.last } ?? session.createdAt
        return !session.hasExpired(at: now) && !isIdle(since: last, at: now)
    }

    private func isIdle(since last: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds - last.milliseconds >= rules.idleSeconds * 1000
    }
}

/// Uses of sessions at other processes: a use moves no head, so they are read when they matter.
extension TokenRegister {
    /// The use that another process has written may be a period older than its last use of the session.
    func noteStoredUses(of tokens: [StoredToken]) {
        sessionUses.withLock { known in
            let before = known.uses
            known = SessionUses(readAt: clock.now())
            for token in tokens where token.session != nil {
                var use = before[token.digest] ?? SessionUses.Use(last: token.createdAt)
                if let stored = token.lastUsedAt, use.written.map({ $0 < stored }) ?? true {
                    use.last = max(use.last, stored.adding(milliseconds: Self.usePeriod))
                    use.written = stored
                }
                known.uses[token.digest] = use
            }
        }
    }

    /// Whether a session will soon be idle, or is, by what was read last: looked at once a period, until a look was
    /// late enough.
    func wantsUses(at now: Timestamp) -> Bool {
        let idle = rules.idleSeconds * 1000
        return sessionUses.withLock { known in
            let (now, readAt) = (now.milliseconds, known.readAt.milliseconds)
            guard now - readAt >= Self.usePeriod else { return false }
            return known.uses.values.contains { use in
                let last = use.last.milliseconds
                return now - last >= idle - 2 * Self.usePeriod && readAt - last < idle + Self.usePeriod
            }
        }
    }
}
