/// The index of all routes. `docs/openapi.yaml` describes exactly these; a test compares them.
public enum Routes {
    public static let all: [Endpoint] =
        (MessageRoutes.all + EventRoutes.all + ResponseRoutes.all + CatalogRoutes.all + ExplainRoutes.all
        + TelemetryRoutes.all + OperationsRoutes.all)
        .enumerated().map { $0.element.at($0.offset) }
}
