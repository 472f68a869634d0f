/// The index of all routes. `docs/openapi.yaml` describes exactly these routes; a test compares them.
public enum Routes {
    public static let all: [Endpoint] = families.flatMap(\.self).enumerated().map { position, endpoint in
        var endpoint = endpoint
        endpoint.position = position
        return endpoint
    }

    private static let families = [
        MessageRoutes.all,
        StreamRoutes.all,
        EventRoutes.all,
        ResponseRoutes.all,
        ParticipationRoutes.all,
        SurveyRoutes.all,
        RunRoutes.all,
        ImportRoutes.all,
        FlowRoutes.all,
        SimulateRoute.all,
        FileRoutes.all,
        LocationRoutes.all,
        OwlmetryRoutes.all,
        BundleRoutes.all,
        FlagRoutes.all,
        CatalogRoutes.all,
        LifecycleRoutes.all,
        NoteRoute.all,
        ListRoutes.all,
        ExplainRoutes.all,
        ResultsRoutes.all,
        ForecastRoute.all, SizeRoute.all,
        VocabularyRoute.all, SchemaRoute.all,
        TextsRoute.all,
        ChangesRoute.all,
        ActivityRoute.all,
        WebhookRoutes.all,
        TokenRoutes.all,
        AccountRoutes.all,
        LoginRoutes.all,
        SessionRoutes.all,
        AuditRoutes.all,
        TelemetryRoutes.all,
        DataRoutes.all,
        ConsumerRoutes.all,
        ErasureRoutes.all,
        CirrusRoutes.all,
        GleanRoutes.all,
        RemoteSettingsRoutes.all,
        OperationsRoutes.all,
        FrontPage.all,
        DocumentRoutes.all,
        WebAssetRoutes.all,
        HostedPageRoutes.all,
        PreviewRoutes.all,
        ConsoleRoutes.all,
        MCPRoute.all,
    ]
}
