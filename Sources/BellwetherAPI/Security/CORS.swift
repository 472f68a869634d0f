internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Allows browsers of other origins to call: the origins of the setting `cors.origins`, and on clients' routes the
/// origins of the app's `web.origins` (docs/reference/http-api.md#browsers).
enum CORS {
    /// The response to OPTIONS: the path's methods, and the allowed fields for a preflight of an allowed origin (Fetch
    /// standard 3.3). `allow` adds the origin.
    static func options(_ request: Request, _ allowed: [HTTPMethod], _ origins: AllowedOrigins) -> Response {
        let methods = allowed.map(\.name).joined(separator: ", ")
        var response = Response(204)
        response.add("Allow", methods)
        guard request.header(.accessControlRequestMethod) != nil, origins.text(of: request) != nil else {
            return response
        }
        response.add("Access-Control-Allow-Methods", methods)
        response.add(
            "Access-Control-Allow-Headers",
            """
            Authorization, Bellwether-Stream, Content-Encoding, Content-Type, If-Match, If-None-Match, \
            Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-API-Key, X-Request-Id, \
            traceparent, tracestate
            """)
        response.add("Access-Control-Max-Age", "600")
        return response
    }

    static func allow(_ request: Request, _ origins: AllowedOrigins, _ response: inout Response) {
        guard !origins.isEmpty, !response.isForAnyOrigin else { return }
        response.add("Vary", "Origin")
        guard let origin = origins.text(of: request) else { return }
        response.add("Access-Control-Allow-Origin", origin)
        response.add("Access-Control-Expose-Headers", "ETag, Retry-After, Bellwether-Next, Next-Page, X-Request-Id")
    }
}

/// The origins from which a browser may send a request.
struct AllowedOrigins {
    /// The origins in the daemon's settings.
    var configured: [BrowserOrigin] = []
    /// The origins of the app whose client route is requested.
    var app: [BrowserOrigin] = []

    var isEmpty: Bool { configured.isEmpty && app.isEmpty }

    /// The request's origin; nil if it is not allowed.
    func text(of request: Request) -> String? {
        guard !isEmpty, let header = request.header(.origin) else { return nil }
        let isSent = { (origin: BrowserOrigin) in origin.text.utf8.elementsEqual(header) }
        return (configured.first(where: isSent) ?? app.first(where: isSent))?.text
    }
}

extension APIWorker {
    /// The allowed origins of a request. They depend on the path alone, because a preflight has no token.
    func allowedOrigins(for request: Request) -> AllowedOrigins {
        var origins = AllowedOrigins(configured: settings.corsOrigins)
        guard snapshot.hasWebOrigins, let app = ClientPath.app(of: request, router) else { return origins }
        origins.app = snapshot.apps[app]?.manifest.web.origins ?? []
        return origins
    }
}

/// Finds the app of a request to a client route.
private enum ClientPath {
    private static let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete]

    static func app(of request: Request, _ router: Router<Endpoint>) -> Identifier? {
        let asked = request.header(.accessControlRequestMethod)
        let method = asked.flatMap { name in methods.first { $0.name.utf8.elementsEqual(name) } } ?? request.method
        guard case .found(let endpoint, let parameters) = router.match(method, request.path),
            endpoint.access.isForClients
        else { return nil }
        return parameters["app"].map { Identifier($0) }
    }
}
