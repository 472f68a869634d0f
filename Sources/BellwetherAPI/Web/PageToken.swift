internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The token of a hosted page: a public token for the client routes of one recipe. It is valid for a day, and only
/// while the page is served (docs/web.md#the-hosted-page). It is derived, not stored.
struct PageToken {
    let app: Identifier
    let slug: Identifier
    let expires: Timestamp

    static let lifetimeSeconds: Int64 = 86_400
    private static let purpose = "page"

    init(app: Identifier, slug: Identifier, expires: Timestamp) {
        (self.app, self.slug, self.expires) = (app, slug, expires)
    }

    /// Nil if the text is not such a token, or comes from another installation.
    init?(_ text: String, secret: [UInt8]) {
        guard let claims = SignedClaims.read(text, Self.purpose, secret: secret), claims.count == 3,
            let app = SignedClaims.name(claims[0]), let slug = SignedClaims.name(claims[1]),
            let expires = Timestamp(claim: claims[2])
        else { return nil }
        self.init(app: app, slug: slug, expires: expires)
    }

    func text(secret: [UInt8]) -> String {
        let claims = [SignedClaims.claim(app), SignedClaims.claim(slug), expires.claim]
        return SignedClaims.text(Self.purpose, claims, secret: secret)
    }
}

extension PageToken {
    /// The routes without a slug that a page needs.
    private static let furtherRoutes: Set<String> = [
        "/v1/apps/{app}/identify", "/v1/apps/{app}/questionnaires/dismiss",
        "/v1/apps/{app}/runs/{run_id}", "/v1/apps/{app}/runs/{run_id}/advance", "/v1/apps/{app}/runs/{run_id}/chat",
        "/v1/apps/{app}/runs/{run_id}/dismiss", "/v1/apps/{app}/locations",
    ]

    /// Whether the call is to a client route of the token's recipe. A run's id is itself a secret.
    func opens(_ call: Call) -> Bool {
        guard call.endpoint.access.isForClients, call.parameter("app") == app else { return false }
        if let slug = call.optionalParameter("slug") { return slug == self.slug }
        return Self.furtherRoutes.contains(call.endpoint.pattern)
    }

    /// Refuses a call if the page is no longer served. While the recipe is not live, its own routes and the routes of
    /// its runs respond with that state, and all other routes are closed.
    func requirePage(for call: Call) throws(APIError) {
        let settings = call.worker.settings
        guard settings.isOpen || settings.publicInterfaces.contains(.hosted),
            let recipe = call.worker.snapshot.apps[app]?.hostedRecipe(slug)
        else { throw .unauthorized("The page is no longer there.") }
        let isOwn = call.optionalParameter("slug") != nil || call.parameters["run_id"] != nil
        guard recipe.isLive || isOwn else { throw .forbidden("The page is closed at the moment.") }
    }

    var principal: Principal {
        Principal(name: Identifier(Self.purpose), roles: Roles(.client, app: app), isWeb: true, expires: expires)
    }
}
