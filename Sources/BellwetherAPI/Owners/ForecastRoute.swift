internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Forecasts a recipe, before it is live, for the clients that polled recently (docs/reference/http-api.md#forecasts).
/// Nothing is stored.
enum ForecastRoute {
    static let all = [
        Endpoint(.post, "/v1/apps/{app}/recipes/forecast", .needs(.read), inBackground: post),
        Endpoint(.get, "/v1/apps/{app}/recipes/{slug}/forecast", .needs(.read), handle: get),
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
            let (warnings, persistence) = (findings.warnings, call.services.persistence)
            return .waiting {
                persistence.readForecasts(in: app.name, $0)
            } then: { (held) throws(APIError) in
                var members: JSONObject = ["recipe": .string(slug)]
                for (name, value) in answer.json(minimum: call.settings.minimumCell) { members[name] = value }
                members["correction"] =
                    ForecastCorrection(try held.orThrow().values, minimum: call.settings.minimumCell).json
                members["warnings"] = .array(warnings.map(\.json))
                return .respond(.json(200, .object(members)))
            }
        case .failure(.tooManyVariants(let keys)):
            throw .invalid(
                "too_many_forms", "recipes would patch \(keys.joined(separator: ", ")) in too many independent ways"
            )
        }
    }

    /// The forecast from the time at which a recipe went live, and what came.
    private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let slug = call.parameter("slug")
        guard let recipe = app.recipes[slug] else { throw .notFound("There is no recipe \"\(slug)\".") }
        let minimum = call.worker.settings.minimumCell
        return call.park { (ticket: Ticket<Result<[Identifier: HeldForecast], StoreError>>) in
            call.services.persistence.readForecasts(in: app.name) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let held = try outcome.orThrow()
            var forecast = held[slug]?.comparisons(minimum: minimum)
            forecast?["is_open"] = .bool(held[slug]?.isOpen(for: recipe, at: call.arrived) == true)
            let correction = ForecastCorrection(held.values, minimum: minimum).json
            return .now(
                .json(
                    200,
                    [
                        "recipe": .string(slug), "forecast": forecast.map { .object($0) } ?? .null,
                        "correction": correction,
                    ]))
        }
    }
}
