internal import HTTPWire

/// Lets browsers of the configured origins call (setting `cors.origins`; none by default).
enum CORS {
    /// The answer to a preflight; nil when CORS is off or the origin is not allowed.
    static func preflight(_ request: Request, _ allowed: [HTTPMethod], _ settings: APISettings) -> Response? {
        guard request.header(.accessControlRequestMethod) != nil, let origin = origin(request, settings) else {
            return nil
        }
        var response = Response(204)
        response.add("Access-Control-Allow-Origin", origin)
        response.add("Access-Control-Allow-Methods", allowed.map(\.name).joined(separator: ", "))
        response.add(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id")
        response.add("Access-Control-Max-Age", "600")
        response.add("Vary", "Origin")
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
