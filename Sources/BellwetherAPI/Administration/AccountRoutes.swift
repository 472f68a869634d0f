internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// People's accounts (docs/reference/http-api.md#accounts). An administrator makes an account and gives its person a
/// link, which signs in once.
enum AccountRoutes {
    private static let account = "/v1/accounts/{name}"

    static let all = [
        Endpoint(.get, "/v1/accounts", .needs(.admin), handle: list),
        Endpoint(.post, "/v1/accounts", .needs(.admin), handle: create),
        Endpoint(.put, account, .needs(.admin), handle: change),
        Endpoint(.delete, account, .needs(.admin), handle: remove),
        Endpoint(.post, account + "/link", .needs(.admin), handle: makeLink),
    ]

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        let accounts = call.services.tokens.accounts(at: call.arrived).map(\.json)
        return .now(.secret(200, ["accounts": .array(accounts)]))
    }

    /// Ignores an `Idempotency-Key`, because the stored response would contain the link.
    @Sendable private static func create(_ call: Call) throws(APIError) -> Handling {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard reader.object() != nil else { throw .badRequest(findings.faults) }
        reader.refuseUnknown(keys: ["name", "roles"])
        let name = reader.required("name")?.identifier()
        let roles = Roles(reader)
        guard let name, let roles, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        ChangeAuthor.refuseReserved(name, findings)
        guard findings.faults.isEmpty else { throw .invalid(findings.faults) }
        let (request, register) = (request(name, call), call.services.tokens)
        return link(call) { register.add(request, roles: roles, $0) }
    }

    @Sendable private static func makeLink(_ call: Call) throws(APIError) -> Handling {
        let (request, register) = (request(call.parameter("name"), call), call.services.tokens)
        return link(call) { register.makeLink(request, $0) }
    }

    @Sendable private static func change(_ call: Call) throws(APIError) -> Handling {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard reader.object() != nil else { throw .badRequest(findings.faults) }
        reader.refuseUnknown(keys: ["roles"])
        guard let roles = Roles(reader), findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        let (request, register) = (request(call.parameter("name"), call), call.services.tokens)
        return call.park { (ticket: Ticket<Result<StoredToken, TokenRefusal>>) in
            register.change(request, roles: roles) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let account): return .now(.secret(200, .object(account.members)))
            case .failure(let refusal): throw APIError(refusal, of: "account")
            }
        }
    }

    @Sendable private static func remove(_ call: Call) throws(APIError) -> Handling {
        let (request, register) = (request(call.parameter("name"), call), call.services.tokens)
        return call.park { (ticket: Ticket<TokenRefusal?>) in
            register.remove(request) { ticket.complete($0) }
        } resume: { (refusal) throws(APIError) in
            if let refusal { throw APIError(refusal, of: "account") }
            return .now(Response(204))
        }
    }

    private static func request(_ name: Identifier, _ call: Call) -> AccountRequest {
        var request = AccountRequest(name: name, author: call.author)
        (request.takenNames, request.isAdministered) = (
            call.worker.settings.tokens.names, call.worker.settings.tokens.isAdministered
        )
        return request
    }

    /// Responds with a new link. This is the only time at which its text is known.
    private static func link(
        _ call: Call,
        make: @escaping (@escaping @Sendable (Result<IssuedToken, TokenRefusal>) -> Void) -> Void
    ) -> Handling {
        call.park { (ticket: Ticket<Result<IssuedToken, TokenRefusal>>) in
            make { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let issued):
                let path = "/console/sign-in#link=\(issued.text)"
                return .now(
                    .secret(
                        201,
                        [
                            "name": .string(issued.token.name), "roles": issued.token.roles.json,
                            "link": .string((call.worker.settings.publicURL ?? "") + path),
                            "expires": issued.token.expiresAt.json,
                        ]))
            case .failure(let refusal): throw APIError(refusal, of: "account")
            }
        }
    }
}

extension Roles {
    /// Reads the member `roles`: `{"APP" | "*": SCOPE}`.
    fileprivate init?(_ reader: JSONReader) {
        guard let roles = reader.required("roles"), let members = roles.members() else { return nil }
        if members.isEmpty || members.count > Self.bound {
            roles.finding("count", "a person has roles in 1 to \(Self.bound) apps, or in * for all")
            return nil
        }
        var scopes: [Identifier: Scope] = [:]
        for (app, member) in members {
            guard let scope = member.choice(Scope.self) else { continue }
            if !Self.ofPeople.contains(scope) {
                let scopes = Self.ofPeople.map(\.rawValue).joined(separator: ", ")
                member.finding("scope", "a person has one of the scopes \(scopes)")
            }
            scopes[Identifier(app)] = scope
        }
        self.init(scopes)
    }
}

extension StoredToken {
    fileprivate var members: JSONObject {
        [
            "name": .string(name), "display_name": account?.displayName.map { .string($0) } ?? .null,
            "roles": roles.json, "source": account?.isFromProvider == true ? "provider" : "link",
            "created": .string(createdAt.rfc3339),
        ]
    }
}

extension AccountListing {
    fileprivate var json: JSONValue {
        var members = account.members
        members["last_used"] = account.lastUsedAt.json
        members["link_expires"] = linkExpires.json
        members["sessions"] = .integer(Int64(sessions))
        return .object(members)
    }
}
