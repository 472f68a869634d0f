internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Says what is wrong with a recipe, and stores nothing (api.md 3).
enum ValidateRoute {
    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let value = try call.json()
        let slug = value.object?["slug"]?.string ?? "validated"
        let findings = Findings()
        _ = Recipe.read(value, slug: slug, revision: 1, manifest: app.manifest, findings: findings)
        if try Publishing.isStrict(call) { findings.promoteWarnings() }
        return .now(
            .json(
                200,
                [
                    "valid": .bool(findings.faults.isEmpty), "errors": .array(findings.faults.map(\.json)),
                    "warnings": .array(findings.warnings.map(\.json)),
                ]))
    }
}
