internal import HTTPWire

/// Lets browsers of the configured origins call (setting `cors.origins`; none by default).
enum CORS {
    /// The answer to OPTIONS: the path's methods, and for a preflight of an allowed origin what it may do (Fetch
    /// standard 3.3). Its origin is added with every answer's.
    static func options(_ request: Request, _ allowed: [HTTPMethod], _ settings: APISettings) -> Response {
        let methods = allowed.map(\.name).joined(separator: ", ")
        var response = Response(204)
        response.add("Allow", methods)
        guard request.header(.accessControlRequestMethod) != nil, origin(request, settings) != nil else {
            return response
        }
        response.add("Access-Control-Allow-Methods", methods)
        response.add(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id")
        response.add("Access-Control-Max-Age", "600")
        return response
    }

    static func allow(_ request: Request, _ settings: APISettings, _ response: inout Response) {
        guard !settings.corsOrigins.isEmpty else { return }
        response.add("Vary", "Origin")
        guard let origin = origin(request, settings) else { return }
        response.add("Access-Control-Allow-Origin", origin)
        response.add("Access-Control-Expose-Headers", "ETag, Retry-After, Bellwether-Next, X-Request-Id")
    }

    private static func origin(_ request: Request, _ settings: APISettings) -> String? {
        guard !settings.corsOrigins.isEmpty, let header = request.header(.origin) else { return nil }
        let origin = String(decoding: header, as: UTF8.self)
        if settings.corsOrigins.contains("*") { return "*" }
        return settings.corsOrigins.contains(origin) ? origin : nil
    }
}
