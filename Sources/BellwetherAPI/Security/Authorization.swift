internal import BellwetherService
internal import HTTPWire

/// Decides who may call a route (docs/reference/http-api.md#tokens-and-scopes): one table of routes and abilities,
/// one place that reads tokens.
enum Authorization {
    static func check(_ call: Call) throws(APIError) -> Principal? {
        let settings = call.worker.settings
        let needed: [Ability]
        var isPublic = false
        switch call.endpoint.access {
        case .open: return nil
        case .abilities(let abilities): needed = abilities
        case .interface(let interface):
            needed = [.participate]
            isPublic = settings.publicInterfaces.contains(interface)
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
        if isPublic { return nil }
        throw .unauthorized("This route needs a bearer token.")
    }

    /// The text of the token that a request brings, which was checked before.
    static func token(of request: Request) -> ArraySlice<UInt8>? {
        // What follows the scheme, which has no case.
        request.header(.authorization)?.dropFirst(scheme.count) ?? request.header(.apiKey)
    }

    /// With `--dev` a token that is sent and known holds; nobody needs one.
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
        guard let token = call.worker.token(digest: Token.digest(of: text)) else {
            throw .unauthorized("The token is not known.")
        }
        if let expires = token.expires, expires <= call.arrived { throw .unauthorized("The token has expired.") }
        call.worker.uses.note(token.digest, at: call.arrived)
        guard needed.contains(where: token.principal.can) else { throw .lacks(needed[0]) }
        if let app = call.parameters["app"] {
            guard token.principal.covers(app: app) else { throw .forbidden("The token is for another app.") }
        } else if needed == [.admin], token.principal.app != "*" {
            // Who has all scopes of one app could else make a token for others.
            throw .forbidden("This route needs a token for all apps.")
        }
        return token.principal
    }

    private static let scheme = Array("bearer ".utf8)
    /// Of a token's text, in bytes.
    private static let maximumLength = 1024

    /// The token's text. The scheme's name is compared without case (RFC 9110 11.1).
    private static func bearer(_ header: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard header.count > scheme.count, header.count <= scheme.count + maximumLength,
            zip(header, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return header.dropFirst(scheme.count)
    }
}

extension Call {
    /// For what a route allows only some of its callers.
    func require(_ ability: Ability) throws(APIError) {
        guard !worker.settings.isOpen, let principal, !principal.can(ability) else { return }
        throw .lacks(ability)
    }
}

extension APIError {
    fileprivate static func lacks(_ ability: Ability) -> APIError {
        let scopes = Scope.allCases.filter { $0.abilities.contains(ability) }.map(\.rawValue)
        return .forbidden(
            "The token lacks the ability \(ability.rawValue). Scopes that have it: \(scopes.joined(separator: ", ")).")
    }
}
