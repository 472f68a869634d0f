/// The index of all routes. `docs/openapi.yaml` describes exactly these; a test compares them.
public enum Routes {
    public static let all: [Endpoint] =
        (MessageRoutes.all + EventRoutes.all + ResponseRoutes.all + BundleRoutes.all + CatalogRoutes.all
        + ExplainRoutes.all + TelemetryRoutes.all + CirrusRoutes.all + OperationsRoutes.all)
        .enumerated().map { position, endpoint in
            var endpoint = endpoint
            endpoint.position = position
            return endpoint
        }
}
