internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The sessions of people in a browser (docs/reference/http-api.md#sessions). A person who signs in with a token gets a
/// session. Its text is in a cookie that no script can read.
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
        let text = try tokenText(call)
        let token = try token(text, call)
        let request = SessionRequest(token, call)
        let register = call.services.tokens
        return call.park { (ticket: Ticket<Result<IssuedToken, TokenRefusal>>) in
            register.signIn(request) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let issued):
                guard let person = Principal(issued.token, of: token.principal) else { throw .unknownToken }
                var response = Response.secret(201, session(person, call))
                response.add("Set-Cookie", SessionCookie.setting(issued.text))
                return .now(response)
            case .failure(.store(let error)): throw .store(error)
            case .failure: throw .unknownToken
            }
        }
    }

    private static func tokenText(_ call: Call) throws(APIError) -> String {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        var text: String?
        if reader.object() != nil {
            reader.refuseUnknown(keys: ["token"])
            text = reader.required("token")?.string()
        }
        guard let text, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return text
    }

    /// The token with which a person may sign in. Failed sign-ins are counted for their address. A valid token is
    /// always accepted, because others may share the address.
    private static func token(_ text: String, _ call: Call) throws(APIError) -> Token {
        guard text.utf8.count <= Authorization.maximumLength,
            let token = call.worker.token(digest: Token.digest(of: text.utf8)), !token.hasExpired(at: call.arrived)
        else {
            try call.worker.rates.limit(
                web: .signIns, call.request, behind: call.worker.settings.proxies, at: call.began)
            throw .unknownToken
        }
        guard token.principal.scope != .client else {
            throw .forbidden("A token of scope client is for an app or a page: nobody signs in with it.")
        }
        return token
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
        let sessions = visible(to: call).map { $0.json(isCurrent: $0.digest == current) }
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

    /// The sessions that came from the same token; an administrator sees all sessions.
    private static func visible(to call: Call) -> [StoredToken] {
        let principal = call.principal ?? .developer
        let isForAll = principal.can(.admin) && principal.app == "*"
        return call.services.tokens.sessions(at: call.arrived).filter {
            isForAll || $0.session?.parent == principal.digest
        }
    }

    /// The person, the abilities, and the facts about the daemon that a console needs.
    private static func session(_ principal: Principal, _ call: Call) -> JSONValue {
        let settings = call.worker.settings
        let idle = principal.session == nil ? JSONValue.null : .integer(call.services.tokens.rules.idleSeconds)
        return [
            "name": .string(principal.name), "scope": .string(principal.scope.rawValue),
            "app": .string(principal.app),
            "can": .array(Ability.allCases.filter(principal.can).map { .string($0.rawValue) }),
            "expires": principal.expires.json, "idle_seconds": idle,
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
            id: UniqueID.make(at: call.arrived), name: principal.name, scope: principal.scope, app: principal.app,
            parent: token.digest)
        expires = token.expires
        isConfigured = call.worker.settings.tokens.token(digest: token.digest) != nil
    }
}

extension StoredToken {
    fileprivate func json(isCurrent: Bool) -> JSONValue {
        [
            "id": .string(session?.id ?? ""), "token": .string(name), "app": .string(app),
            "scope": .string(scope.rawValue), "created": .string(createdAt.rfc3339), "last_used": lastUsedAt.json,
            "expires": expiresAt.json, "is_current": .bool(isCurrent),
        ]
    }
}

extension APIError {
    fileprivate static let unknownToken = APIError.unauthorized("The token is not known, or has expired.")
    fileprivate static let noSession = APIError.notFound("There is no living session of that id.")
}
