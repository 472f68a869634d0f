internal import BellwetherService
internal import HTTPWire

/// The route of the bundle from which a device decides by itself (docs/reference/http-api.md#the-bundle).
enum BundleRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/bundle", .needs(.participate), handle: get)]

    /// `since` says what the device has, and so does `If-None-Match`, which is looked at: the response is always whole.
    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        try QueryReader(call, repeatable: { $0 != "since" }).finish()
        return .now(
            call.conditional(call.worker.bundleTags.tag(of: app)) {
                var response = Response(200, body: .pieces(app.bundle.pieces))
                response.add("Content-Type", "application/json")
                return response
            })
    }
}
