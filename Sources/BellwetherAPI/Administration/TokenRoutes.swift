internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The tokens for the other routes (docs/reference/http-api.md#token-routes). These routes make a token, show its text
/// once, and list and revoke tokens.
enum TokenRoutes {
    static let all = [
        Endpoint(.get, "/v1/tokens", .needs(.admin), handle: list),
        Endpoint(.post, "/v1/tokens", .needs(.admin), handle: create),
        Endpoint(.delete, "/v1/tokens/{name}", .needs(.admin), handle: revoke),
    ]

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        let register = call.services.tokens
        return call.park { (ticket: Ticket<Result<TokenListing, StoreError>>) in
            register.list { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let listing = try outcome.orThrow()
            let configured = call.worker.settings.tokens.tokens.map { $0.json(lastUsed: listing.uses[$0.digest]) }
            return .now(.secret(200, ["tokens": .array(configured + listing.issued.map(\.json))]))
        }
    }

    /// Ignores an `Idempotency-Key`, because the stored response would contain the token's text.
    @Sendable private static func create(_ call: Call) throws(APIError) -> Handling {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard var request = TokenRequest(reader, at: call.now, author: call.author),
            findings.faults.isEmpty
        else {
            throw .badRequest(findings.faults)
        }
        request.takenNames = call.worker.settings.tokens.names
        try refuseUnusable(request, at: call.now)
        let register = call.services.tokens
        return call.park { (ticket: Ticket<Result<IssuedToken, TokenRefusal>>) in
            register.issue(request) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let issued):
                var members = issued.token.json.object ?? [:]
                members["token"] = .string(issued.text)
                return .now(.secret(201, .object(members)))
            case .failure(let refusal): throw APIError(refusal)
            }
        }
    }

    /// Refuses a well-formed request with a reserved name, or with an expiry in the past.
    private static func refuseUnusable(_ request: TokenRequest, at now: Timestamp) throws(APIError) {
        let findings = Findings()
        ChangeAuthor.refuseReserved(request.name, findings)
        if let expires = request.expires, expires <= now {
            findings.fault("past", at: .parameter("expires"), "the token would have expired already")
        }
        guard findings.faults.isEmpty else { throw .invalid(findings.faults) }
    }

    @Sendable private static func revoke(_ call: Call) throws(APIError) -> Handling {
        let name = call.parameter("name")
        let author = call.author
        let register = call.services.tokens
        let configured = call.worker.settings.tokens
        return call.park { (ticket: Ticket<TokenRefusal?>) in
            register.revoke(name, by: author) { ticket.complete($0) }
        } resume: { (refusal) throws(APIError) in
            guard let refusal else { return .now(Response(204)) }
            if refusal == .notFound, configured.names.contains(name) {
                throw .conflict(code: "read_only", "It stands in the configuration, and is revoked there.")
            }
            throw APIError(refusal)
        }
    }
}

extension TokenRequest {
    /// Reads `{name?, scope, app, web?, prefix?, expires?}`. A token without a name gets one.
    fileprivate init?(_ reader: JSONReader, at now: Timestamp, author: String) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["name", "scope", "app", "web", "prefix", "expires"])
        let name = reader.optional("name").map { $0.identifier() } ?? "token-\(UniqueID.make(at: now))"
        let scope = reader.required("scope")?.choice(Scope.self)
        let app = reader.required("app")?.identifier()
        let expires = reader.optional("expires")?.time()
        let web = reader.optional("web")
        let isWeb = web?.bool() ?? false
        if isWeb, let scope, scope != .client { web?.finding("scope", "only a token of scope client is public") }
        let prefix = reader.optional("prefix").flatMap(Self.prefix)
        guard let name, let scope, let app else { return nil }
        self.init(name: name, scope: scope, app: app, expires: expires, author: author)
        self.isWeb = isWeb
        self.prefix = prefix ?? TokenText.defaultPrefix
    }

    private static func prefix(_ reader: JSONReader) -> String? {
        guard let text = reader.string() else { return nil }
        if TokenText.isPrefix(text) { return text }
        reader.finding("prefix", "a prefix has 1 to 32 characters of a-z, 0-9 and _")
        return nil
    }
}

extension StoredToken {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "scope": roles.scope.map { .string($0.rawValue) } ?? .null,
            "app": roles.app.map { .string($0) } ?? .null, "source": "api",
            "web": .bool(isWeb), "created": .string(createdAt.rfc3339), "expires": expiresAt.json,
            "last_used": lastUsedAt.json,
            "revoked": revokedAt.json,
        ]
    }
}

extension Token {
    /// A token of the configuration, which has no creation time.
    fileprivate func json(lastUsed: Timestamp?) -> JSONValue {
        [
            "name": .string(principal.name), "scope": principal.roles.scope.map { .string($0.rawValue) } ?? .null,
            "app": principal.roles.app.map { .string($0) } ?? .null, "source": "config", "web": .bool(principal.isWeb),
            "created": .null,
            "expires": expires.json,
            "last_used": lastUsed.json, "revoked": .null,
        ]
    }
}

extension Timestamp? {
    var json: JSONValue { map { .string($0.rfc3339) } ?? .null }
}

extension Response {
    /// A response that no intermediate cache may keep.
    static func secret(_ status: Int, _ value: JSONValue) -> Response {
        var response = Response.json(status, value)
        response.add("Cache-Control", "no-store")
        return response
    }
}

extension ChangeAuthor {
    static func refuseReserved(_ name: Identifier, _ findings: Findings) {
        guard isReserved(name.text) else { return }
        findings.fault("reserved", at: .parameter("name"), "the audit calls others file, dev and daemon")
    }
}

extension APIError {
    /// - Parameter what: `token` or `account`.
    init(_ refusal: TokenRefusal, of what: String = "token") {
        self =
            switch refusal {
            case .nameTaken:
                .conflict(code: "name_taken", "A living token or account has that name: use another one, or remove it.")
            case .tooMany:
                .conflict(
                    code: "too_many_\(what)s",
                    "There are \(TokenRegister.livingBound) living \(what)s, the maximum; remove some first.")
            case .notFound: .notFound("There is no living \(what) of that name.")
            case .lastAdministrator:
                .conflict(
                    code: "last_administrator",
                    "Nobody else may administer this installation: make another administrator first.")
            case .ofProvider:
                .conflict(
                    code: "of_provider", "The identity provider decides the roles and the sign-in of this account.")
            case .store(let error): .store(error)
            }
    }
}
