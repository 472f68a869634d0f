internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Forecasts a recipe, before it is live, for the clients that polled recently (docs/reference/http-api.md#forecasts).
/// Nothing is stored.
enum ForecastRoute {
    static let all = [
        Endpoint(.post, "/v1/apps/{app}/recipes/forecast", .needs(.read), inBackground: post)
    ]

    /// The slug for the trial of a recipe that has none.
    private static let anySlug: Identifier = "forecast"

    @Sendable static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let query = try PublishQuery(call, [.slug])
        let value = try call.json()
        let findings = Findings()
        let slug = query.slug ?? value.object?["slug"]?.identifier ?? anySlug
        let recipe = Recipe.read(value, slug: slug, revision: 1, manifest: app.manifest, findings: findings)
        recipe?.checkDates(at: call.arrived, findings: findings)
        guard findings.faults.isEmpty, let recipe else { throw .invalid(findings.faults) }
        let forecast = ForecastRecipe.Request(
            app: app, recipe: recipe, now: call.arrived, minimumCell: call.settings.minimumCell)
        switch call.services.forecasts.forecast(forecast) {
        case .success(let answer):
            var members: JSONObject = ["recipe": .string(slug)]
            for (name, value) in answer.json { members[name] = value }
            members["warnings"] = .array(findings.warnings.map(\.json))
            return .respond(.json(200, .object(members)))
        case .failure(.tooManyVariants(let keys)):
            throw .invalid(
                "too_many_forms", "recipes would patch \(keys.joined(separator: ", ")) in too many independent ways"
            )
        }
    }
}
