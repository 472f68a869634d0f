public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch
internal import Logging
internal import Synchronization

/// Begins, uses, lists and ends sessions (docs/reference/http-api.md#sessions).
extension TokenRegister {
    /// Begins a session. Completes when every worker knows it; with `.notFound` if the token was revoked meanwhile.
    public func signIn(
        _ request: SessionRequest, _ completion: @escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let issued = IssuedToken(request, rules, at: now)
                try edit(by: request.name.text, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
                    guard request.isConfigured || tokens.contains(where: { $0.digest == request.parent }) else {
                        throw .notFound
                    }
                    return ((), ends(of: tokens, for: request.parent, at: now) + [.issue(issued.token)])
                }
                sessionUses.withLock { $0.uses[issued.token.digest] = SessionUses.Use(last: now, isLasting: false) }
                log("signed in", request.name, by: request.name.text)
                deliver { completion(.success(issued)) }
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// The ends of the sessions that are over, and of the oldest ones if there is no room for one more: of the same
    /// parent, then of all.
    ///
    /// - Parameter parent: the digest of the token or account of the new session.
    func ends(of tokens: [StoredToken], for parent: [UInt8], at now: Timestamp) -> [TokenChange] {
        let sessions = tokens.filter { $0.session != nil }
        let living = sessions.filter { isLiving($0, at: now) }
        let over = sessions.filter { session in !living.contains { $0.digest == session.digest } }
        let own = living.filter { $0.session?.parent == parent }
        let surplusOfParent = own.prefix(max(own.count + 1 - rules.livingBoundOfParent, 0))
        let rest = living.filter { session in !surplusOfParent.contains { $0.digest == session.digest } }
        let surplus = surplusOfParent + rest.prefix(max(rest.count + 1 - rules.livingBound, 0))
        return over.map { .lapse($0, at: now) } + surplus.map { .revoke($0, at: now) }
    }

    /// Ends a session. Completes when no worker accepts it.
    public func endSession(
        _ id: Identifier, by author: String, _ completion: @escaping @Sendable (TokenRefusal?) -> Void
    ) {
        queue.async { [self] in
            do throws(TokenRefusal) {
                let now = clock.now()
                let session = try edit(by: author, at: now) { (tokens: [StoredToken]) throws(TokenRefusal) in
                    guard let session = tokens.first(where: { $0.session?.id == id }) else {
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

    /// Uses a session. Returns false if it was idle for too long, or has ended. It may be called on any thread, and
    /// does not wait for a write.
    public func use(session digest: [UInt8], at now: Timestamp) -> Bool {
        let (isLiving, isDue) = sessionUses.withLock { known in
            guard var use = known.uses[digest], !isIdle(use.isLasting, since: use.last, at: now) else {
                return (false, false)
            }
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
        let isLasting = session.session?.isLasting ?? false
        return !session.hasExpired(at: now) && !isIdle(isLasting, since: last, at: now)
    }

    private func isIdle(_ isLasting: Bool, since last: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds - last.milliseconds >= rules.idleSeconds(isLasting: isLasting) * 1000
    }
}

/// Uses of sessions at other processes. A use does not move the head, so uses are read when they matter.
extension TokenRegister {
    /// Notes the uses that other processes have written. Such a use may be a period older than the last use of the
    /// session.
    func noteStoredUses(of tokens: [StoredToken]) {
        sessionUses.withLock { known in
            let before = known.uses
            known = SessionUses(readAt: clock.now())
            for token in tokens where token.session != nil {
                var use =
                    before[token.digest]
                    ?? SessionUses.Use(
                        last: token.createdAt, isLasting: token.session?.isLasting ?? false)
                if let stored = token.lastUsedAt, use.written.map({ $0 < stored }) ?? true {
                    use.last = max(use.last, stored.adding(milliseconds: Self.usePeriod))
                    use.written = stored
                }
                known.uses[token.digest] = use
            }
        }
    }

    /// Whether uses have to be read, because a session is idle or soon will be, by the last read. They are read once a
    /// period, until a read was late enough.
    func wantsUses(at now: Timestamp) -> Bool {
        return sessionUses.withLock { known in
            let (now, readAt) = (now.milliseconds, known.readAt.milliseconds)
            guard now - readAt >= Self.usePeriod else { return false }
            return known.uses.values.contains { use in
                let (last, idle) = (use.last.milliseconds, rules.idleSeconds(isLasting: use.isLasting) * 1000)
                return now - last >= idle - 2 * Self.usePeriod && readAt - last < idle + Self.usePeriod
            }
        }
    }
}
