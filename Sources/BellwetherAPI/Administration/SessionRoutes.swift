internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The sessions of people in a browser (docs/reference/http-api.md#sessions). A person who signs in with a token, or
/// with the link of an account, gets a session. Its text is in a cookie that no script can read.
enum SessionRoutes {
    /// The access of all people who may sign in.
    private static let anybody = Access.needs(.read, or: .log)

    static let all = [
        Endpoint(.post, "/v1/session", .signIn, handle: signIn),
        Endpoint(.get, "/v1/session", anybody, handle: show),
        Endpoint(.delete, "/v1/session", anybody, handle: signOut),
        Endpoint(.get, "/v1/sessions", anybody, handle: list),
        Endpoint(.delete, "/v1/sessions/{id}", anybody, handle: end),
    ]

    @Sendable private static func signIn(_ call: Call) throws(APIError) -> Handling {
        guard call.request.sender != .otherPage else { throw .foreignPage }
        guard MediaType.isNamedJSON(call.request) else {
            throw .unsupportedMediaType("This route reads one JSON document, of the type application/json.")
        }
        let register = call.services.tokens
        switch try key(call) {
        case .token(let text):
            let request = SessionRequest(try token(text, call), call)
            return begin(call, .unknownToken) { register.signIn(request, $0) }
        case .link(let text):
            let (digest, id) = (Token.digest(of: text.utf8), UniqueID.make(at: call.arrived))
            guard text.utf8.count <= Authorization.maximumLength, call.worker.hasLink(digest: digest) else {
                // Another node may have made it.
                guard call.services.persistence.feed.isCurrent else { throw .behind }
                try limitFailures(call)
                throw .usedLink
            }
            return begin(call, .usedLink) { register.signIn(link: digest, id: id, $0) }
        }
    }

    private enum Key {
        case token(String)
        case link(String)
    }

    /// `{"token"}` or `{"link"}`.
    private static func key(_ call: Call) throws(APIError) -> Key {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard reader.object() != nil else { throw .badRequest(findings.faults) }
        reader.refuseUnknown(keys: ["token", "link"])
        let link = reader.optional("link")?.string()
        let token = link == nil ? reader.required("token")?.string() : reader.optional("token")?.string()
        if link != nil, token != nil { reader.finding("conflict", "a person signs in with a token or with a link") }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        guard let text = link ?? token else { throw .badRequest(findings.faults) }
        return link == nil ? .token(text) : .link(text)
    }

    /// Completes a sign-in: the response has the cookie.
    ///
    /// - Parameter unknown: The refusal of an unknown token or link, which is counted for the address.
    static func begin(
        _ call: Call, _ unknown: APIError,
        signIn: @escaping (@escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void) -> Void
    ) -> Handling {
        call.park { (ticket: Ticket<Result<IssuedToken, TokenRefusal>>) in
            signIn { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let issued):
                var response = Response.secret(201, session(Principal(signedIn: issued.token), call))
                response.add("Set-Cookie", SessionCookie.setting(issued))
                return .now(response)
            case .failure(.store(let error)): throw .store(error)
            case .failure:
                try limitFailures(call)
                throw unknown
            }
        }
    }

    /// The token with which a person may sign in. Failed sign-ins are counted for their address. A valid token is
    /// always accepted, because others may share the address.
    private static func token(_ text: String, _ call: Call) throws(APIError) -> Token {
        guard text.utf8.count <= Authorization.maximumLength,
            let token = call.worker.token(digest: Token.digest(of: text.utf8)), !token.hasExpired(at: call.arrived)
        else {
            try limitFailures(call)
            throw .unknownToken
        }
        guard token.principal.roles.scope != .client else {
            throw .forbidden("A token of scope client is for an app or a page: nobody signs in with it.")
        }
        return token
    }

    private static func limitFailures(_ call: Call) throws(APIError) {
        try call.worker.rates.limit(web: .signIns, call.request, behind: call.worker.settings.proxies, at: call.began)
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        .now(.secret(200, session(call.principal ?? .developer, call)))
    }

    /// Ends the session. A request with a token has no session to end.
    @Sendable private static func signOut(_ call: Call) throws(APIError) -> Handling {
        var response = Response(204)
        response.add("Set-Cookie", SessionCookie.ending)
        guard let id = call.principal?.session?.session?.id else { return .now(response) }
        return end(id, call, response)
    }

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        let current = call.principal?.session?.digest
        let sessions = visible(to: call).map { session in
            let roles = call.worker.person(ofSession: session.digest, at: call.arrived)?.roles ?? session.roles
            return session.json(roles, isCurrent: session.digest == current)
        }
        return .now(.secret(200, ["sessions": .array(sessions)]))
    }

    @Sendable private static func end(_ call: Call) throws(APIError) -> Handling {
        let id = call.parameter("id")
        guard visible(to: call).contains(where: { $0.session?.id == id }) else {
            throw .noSession
        }
        return end(id, call, Response(204))
    }

    private static func end(_ id: Identifier, _ call: Call, _ response: Response) -> Handling {
        let author = call.author
        let register = call.services.tokens
        return call.park { (ticket: Ticket<TokenRefusal?>) in
            register.endSession(id, by: author) { ticket.complete($0) }
        } resume: { (refusal) throws(APIError) in
            switch refusal {
            case nil: return .now(response)
            case .store(let error): throw .store(error)
            default: throw .noSession
            }
        }
    }

    /// The sessions that came from the same token or account; an administrator sees all sessions.
    private static func visible(to call: Call) -> [StoredToken] {
        let principal = call.principal ?? .developer
        let isForAll = principal.can(.admin, in: Roles.allApps)
        return call.services.tokens.sessions(at: call.arrived).filter {
            isForAll || $0.session?.parent == principal.digest
        }
    }

    /// Where a person of the identity provider signs out there.
    private static func signOutAddress(of principal: Principal, _ call: Call) -> String? {
        guard let provider = call.services.identityProvider,
            principal.session != nil, principal.name.text.hasSuffix("@" + provider.settings.issuer)
        else { return nil }
        return provider.signOutAddress
    }

    private static func abilities(_ isHeld: (Ability) -> Bool) -> JSONValue {
        .array(Ability.allCases.filter(isHeld).map { .string($0.rawValue) })
    }

    /// The person, the abilities, and the facts about the daemon that a console needs.
    private static func session(_ principal: Principal, _ call: Call) -> JSONValue {
        let settings = call.worker.settings
        let idle = principal.session?.session.map {
            call.services.tokens.rules.idleSeconds(isLasting: $0.isLasting)
        }
        return [
            "name": .string(principal.name), "scope": principal.roles.scope.map { .string($0.rawValue) } ?? .null,
            "app": principal.roles.app.map { .string($0) } ?? .null, "roles": principal.roles.json,
            "can": abilities { principal.can($0) },
            "sign_out_url": signOutAddress(of: principal, call).map { .string($0) } ?? .null,
            "can_in": principal.roles.json { abilities($0.has) },
            "expires": principal.expires.json, "idle_seconds": idle.map { .integer($0) } ?? .null,
            "settings": [
                "require_approval": .bool(settings.requiresApproval),
                "minimum_cell": .integer(Int64(settings.minimumCell)), "dev": .bool(settings.isOpen),
                "hosted_public": .bool(settings.isOpen || settings.publicInterfaces.contains(.hosted)),
                "public_url": settings.publicURL.map { .string($0) } ?? .null,
            ],
            "version": .string(call.services.version),
        ]
    }
}

extension SessionRequest {
    fileprivate init(_ token: Token, _ call: Call) {
        let principal = token.principal
        self.init(
            id: UniqueID.make(at: call.arrived), name: principal.name, roles: principal.roles, parent: token.digest)
        expires = token.expires
        isConfigured = call.worker.settings.tokens.token(digest: token.digest) != nil
    }
}

extension StoredToken {
    fileprivate func json(_ roles: Roles, isCurrent: Bool) -> JSONValue {
        [
            "id": .string(session?.id ?? ""), "token": .string(name), "app": roles.app.map { .string($0) } ?? .null,
            "scope": roles.scope.map { .string($0.rawValue) } ?? .null, "roles": roles.json,
            "created": .string(createdAt.rfc3339), "last_used": lastUsedAt.json,
            "expires": expiresAt.json, "is_current": .bool(isCurrent),
        ]
    }
}

extension APIError {
    fileprivate static let unknownToken = APIError.unauthorized("The token is not known, or has expired.")
    fileprivate static let usedLink = APIError.unauthorized(
        "The link was used, has expired, or was replaced: ask for another one.")
    fileprivate static let noSession = APIError.notFound("There is no living session of that id.")
}
