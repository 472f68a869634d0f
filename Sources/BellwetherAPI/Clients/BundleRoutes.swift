internal import BellwetherService
internal import HTTPWire

/// The route of the bundle, from which a device makes its own decisions (docs/reference/http-api.md#the-bundle).
enum BundleRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/bundle", .needs(.participate), handle: get)]

    /// `since` and `If-None-Match` both name the version that the device has. Only `If-None-Match` has an effect: the
    /// response is always the whole bundle.
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
