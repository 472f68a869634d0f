internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Decides who may call a route (docs/reference/http-api.md#tokens-and-scopes). Only this type reads tokens.
enum Authorization {
    static func check(_ call: Call) throws(APIError) -> Principal? {
        let settings = call.worker.settings
        let needed: [Ability]
        var isPublic = false
        switch call.endpoint.access {
        case .open, .signIn: return nil
        case .abilities(let abilities): needed = abilities
        case .interface(let interface):
            needed = [.participate]
            isPublic = settings.publicInterfaces.contains(interface)
        }
        if let ticket = StreamTicket.sent(with: call) {
            let principal = try StreamTicket.principal(ticket, call)
            try require(needed, of: principal, call)
            return principal
        }
        guard !settings.isOpen else { return try sentToken(call, needed) ?? .developer }
        if let header = call.request.header(.authorization) {
            guard let text = bearer(header) else {
                throw .unauthorized("The Authorization field is not a bearer token.")
            }
            return try principal(text, needed, call)
        }
        if call.endpoint.errors == .openFeature, let key = call.request.header(.apiKey), key.count <= maximumLength {
            return try principal(key, needed, call)
        }
        if !call.request.clientNames.isEmpty { return try holder(of: call.request.clientNames, needed, call) }
        if isPublic { return nil }
        if let text = SessionCookie.text(of: call.request) { return try person(text, needed, call) }
        throw .unauthorized("This route needs a bearer token.")
    }

    /// The text of the request's token or session, or the first name of its certificate. It was already checked.
    static func token(of request: Request) -> ArraySlice<UInt8>? {
        // This is the text after the scheme, whose name ignores case.
        request.header(.authorization)?.dropFirst(scheme.count) ?? request.header(.apiKey)
            ?? request.clientNames.first.map { Array($0.utf8)[...] } ?? SessionCookie.text(of: request)
    }

    /// The token of a request with `--dev`. No request needs one, but a known token is used.
    private static func sentToken(_ call: Call, _ needed: [Ability]) throws(APIError) -> Principal? {
        guard let text = call.request.header(.authorization).flatMap({ bearer($0) }),
            call.worker.token(digest: Token.digest(of: text)) != nil
        else { return nil }
        return try principal(text, needed, call)
    }

    private static func principal(
        _ text: ArraySlice<UInt8>, _ needed: [Ability], _ call: Call
    ) throws(APIError) -> Principal {
        if let page = PageToken(String(decoding: text, as: UTF8.self), secret: call.services.secret) {
            guard page.expires > call.arrived else { throw .unauthorized("The page was loaded too long ago.") }
            guard page.opens(call) else { throw .forbidden("The token is for another page.") }
            try page.requirePage(for: call)
            return page.principal
        }
        let digest = Token.digest(of: text)
        try requireCurrent(digest, call)
        guard let token = call.worker.token(digest: digest) else {
            throw .unauthorized("The token is not known.")
        }
        return try principal(token, needed, call)
    }

    /// The principal of the token to which `http.tls.clients.tokens` maps a name of the client's certificate.
    private static func holder(of names: [String], _ needed: [Ability], _ call: Call) throws(APIError) -> Principal {
        guard let name = names.lazy.compactMap({ call.worker.settings.clientTokens[$0] }).first else {
            throw .unauthorized("No name of the certificate is mapped to a token.")
        }
        guard let token = call.worker.token(named: name) else {
            try requireCurrent([], call)
            throw .unauthorized("The certificate's token is not known.")
        }
        try requireCurrent(token.digest, call)
        return try principal(token, needed, call)
    }

    /// A token of the store may have been revoked or issued on another node.
    private static func requireCurrent(_ digest: [UInt8], _ call: Call) throws(APIError) {
        if !call.services.persistence.feed.isCurrent, !call.worker.isConfigured(digest: digest) { throw .behind }
    }

    private static func principal(
        _ token: Token, _ needed: [Ability], _ call: Call
    ) throws(APIError) -> Principal {
        if token.hasExpired(at: call.arrived) { throw .unauthorized("The token has expired.") }
        call.worker.uses.note(token.digest, at: call.arrived)
        try require(needed, of: token.principal, call)
        return token.principal
    }

    /// Browsers send a cookie with requests of any page. So only the daemon's own page may use it, and only with JSON.
    private static func person(
        _ text: ArraySlice<UInt8>, _ needed: [Ability], _ call: Call
    ) throws(APIError) -> Principal {
        guard call.request.sender == .ownPage else { throw .foreignPage }
        guard call.services.persistence.feed.isCurrent else { throw .behind }
        guard call.request.body.isEmpty || call.endpoint.body.isInLines || MediaType.isNamedJSON(call.request) else {
            throw .unsupportedMediaType("With a session this route reads bodies of the type application/json only.")
        }
        let digest = Token.digest(of: text)
        guard text.count <= maximumLength,
            let principal = call.worker.person(ofSession: digest, at: call.arrived),
            call.services.tokens.use(session: digest, at: call.arrived)
        else { throw .unauthorized("The session has ended: sign in again.") }
        if let parent = principal.digest { call.worker.uses.note(parent, at: call.arrived) }
        try require(needed, of: principal, call)
        return principal
    }

    /// Checks that the principal may also call this route.
    static func require(_ call: Call) throws(APIError) {
        guard case .abilities(let needed) = call.endpoint.access, let principal = call.principal else {
            throw .forbidden("This route is not asked for others.")
        }
        try require(needed, of: principal, call)
    }

    private static func require(_ needed: [Ability], of principal: Principal, _ call: Call) throws(APIError) {
        if let app = call.optionalParameter("app") {
            guard needed.contains(where: { principal.can($0, in: app) }) else {
                // An ability that the principal has in no app is named first.
                let lacks = !needed.contains(where: principal.can) || principal.covers(app: app)
                throw lacks ? .lacks(needed[0]) : .otherApp
            }
            return
        }
        guard needed.contains(where: principal.can) else { throw .lacks(needed[0]) }
        if needed == [.admin], !principal.can(.admin, in: Roles.allApps) {
            // Without this check, a principal with all scopes of one app could make a token for others.
            throw .forbidden("This route needs a token for all apps.")
        }
    }

    private static let scheme = Array("bearer ".utf8)
    /// The maximum size of a token's text, in bytes.
    static let maximumLength = 1024

    /// The token's text. The comparison of the scheme's name ignores case (RFC 9110 11.1).
    private static func bearer(_ header: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard header.count > scheme.count, header.count <= scheme.count + maximumLength,
            zip(header, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return header.dropFirst(scheme.count)
    }
}

extension RoutedRequest {
    /// Requires an ability that only some of the route's callers have.
    func require(_ ability: Ability) throws(APIError) {
        guard !mayDo(ability) else { return }
        throw .lacks(ability)
    }

    /// Whether the caller has an ability in the app of the route. A request without a principal needs none.
    func mayDo(_ ability: Ability) -> Bool {
        guard !settings.isOpen, let principal else { return true }
        return optionalParameter("app").map { principal.can(ability, in: $0) } ?? principal.can(ability)
    }
}

extension APIError {
    static let otherApp = APIError.forbidden("The token is for another app.")

    static func lacks(_ ability: Ability) -> APIError {
        let scopes = Scope.allCases.filter { $0.has(ability) }.map(\.rawValue)
        return .forbidden(
            "The token lacks the ability \(ability.rawValue). Scopes that have it: \(scopes.joined(separator: ", ")).")
    }
}
