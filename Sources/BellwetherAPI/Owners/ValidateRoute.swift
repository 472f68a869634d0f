internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Says what a PUT of the recipe would be answered, and stores nothing (api.md 3).
enum ValidateRoute {
    /// What a recipe that names no slug is checked under.
    private static let anySlug = "validated"

    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let query = try PublishQuery(call, [.strict])
        let value = try call.json()
        let findings = Findings()
        let slug = value.object?["slug"]?.string ?? anySlug
        ReservedSlugs.check(slug, of: value, findings: findings)
        let recipe = Recipe.read(value, slug: slug, revision: 1, manifest: app.manifest, findings: findings)
        if let recipe {
            DocumentCheck.check(recipe, under: app.manifest, in: app.checkContext, findings: findings)
        }
        if query.isStrict { findings.promoteWarnings() }
        guard findings.faults.isEmpty else { throw .invalid(findings.faults) }
        return .now(.json(200, ["warnings": .array(findings.warnings.map(\.json))]))
    }
}
