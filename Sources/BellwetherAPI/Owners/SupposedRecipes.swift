internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Recipes that an explain request treats as live, instead of the published recipes with the same slugs. They are
/// documents in the request, or revisions of a recipe (docs/reference/http-api.md#explain).
struct SupposedRecipes: Sendable {
    private static let maximum = 5

    private enum Source: Sendable {
        case document(JSONValue)
        case revision(Int)
    }

    private struct Supposition: Sendable {
        let slug: Identifier
        let source: Source
        let pointer: JSONPointer
    }

    private let suppositions: [Supposition]

    init(_ call: BackgroundCall) throws(APIError) {
        let findings = Findings()
        let list = JSONReader(try call.json(), findings: findings).optional("suppose")
        let items = list?.elements() ?? []
        var slugs: Set<Identifier> = []
        suppositions = items.compactMap { item in
            guard item.object() != nil, let slug = item.required("slug")?.identifier() else { return nil }
            if !slugs.insert(slug).inserted {
                item.finding("duplicate", "a recipe is supposed to be one document")
            }
            if let document = item.optional("document") {
                return Supposition(slug: slug, source: .document(document.value), pointer: document.pointer)
            }
            guard let revision = item.required("revision"), let number = revision.integer(in: 1...Int64(Int32.max))
            else { return nil }
            return Supposition(slug: slug, source: .revision(Int(number)), pointer: revision.pointer)
        }
        guard items.count <= Self.maximum else {
            throw .invalid(
                "too_many", "at most \(Self.maximum) recipes are supposed, these are \(items.count)",
                at: JSONPointer(tokens: ["suppose"]))
        }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
    }

    /// Continues with the app in which the recipes are live; at once if there are none.
    func compiled(
        _ call: BackgroundCall, _ app: AppSnapshot,
        _ proceed: @escaping @Sendable (CompiledApp, _ supposed: Set<Identifier>) throws(APIError) -> Step
    ) throws(APIError) -> Step {
        guard !suppositions.isEmpty else { return try proceed(app.compiledApp, []) }
        let slugs = Set(suppositions.map(\.slug))
        return try read(suppositions[...], [], call, app) { (recipes) throws(APIError) in
            try proceed(app.compiled(supposing: recipes), slugs)
        }
    }

    private func read(
        _ left: ArraySlice<Supposition>, _ found: [Recipe], _ call: BackgroundCall, _ app: AppSnapshot,
        _ proceed: @escaping @Sendable ([Recipe]) throws(APIError) -> Step
    ) throws(APIError) -> Step {
        guard let next = left.first else { return try proceed(found) }
        @Sendable func goOn(_ document: JSONValue, _ revision: Int) throws(APIError) -> Step {
            let findings = Findings()
            var intake = RecipeIntake(slug: next.slug, manifest: app.manifest, now: call.arrived)
            (intake.revision, intake.state) = (revision, app.recipes[next.slug]?.stored.state)
            if case .revision = next.source { intake.isStored = true }
            let recipe = intake.read(document, findings: findings)
            guard findings.faults.isEmpty, let recipe else {
                throw .invalid(
                    findings.faults.map {
                        Finding(
                            pointer: JSONPointer(tokens: next.pointer.tokens + $0.pointer.tokens), code: $0.code,
                            message: $0.message)
                    })
            }
            return try read(left.dropFirst(), found + [recipe], call, app, proceed)
        }
        switch next.source {
        case .document(let document): return try goOn(document, app.recipes[next.slug]?.recipe.revision ?? 1)
        case .revision(let number):
            return try PreviewRoutes.withRevision(number, of: next.slug, in: app.name, call) {
                (stored) throws(APIError) in
                guard let document = try? JSONValue(parsing: stored.text, limits: .kept) else {
                    throw .notFound("There is no revision \(number) of \"\(next.slug)\".")
                }
                return try goOn(document, number)
            }
        }
    }
}
