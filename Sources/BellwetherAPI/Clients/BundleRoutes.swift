internal import BellwetherService
internal import HTTPWire

/// What a device decides from by itself (docs/reference/http-api.md#the-bundle).
enum BundleRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/bundle", .scope(.client), handle: get)]

    /// `since` says what the device has, and so does `If-None-Match`, which is looked at: the answer is always whole.
    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        try QueryReader(call, repeatable: { $0 != "since" }).finish()
        let tag = call.worker.bundleTags.tag(of: app)
        let isKnown = call.request.header(.ifNoneMatch).map { EntityTag.matches(ifNoneMatch: $0, etag: tag) } ?? false
        var response = isKnown ? Response(304) : Response(200, body: .pieces(app.bundle.pieces))
        if !isKnown { response.add("Content-Type", "application/json") }
        response.add("ETag", tag)
        response.add("Cache-Control", "private, no-cache")
        return .now(response)
    }
}
