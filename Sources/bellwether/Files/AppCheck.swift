internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Which of an app's documents one is.
enum DocumentName: Hashable {
    case manifest
    case strings(locale: String)
    case recipe(slug: String)
}

/// What reading an app's documents, and checking them beside each other, has found; in the order manifest, strings,
/// recipes. Nothing is stored.
struct AppCheck {
    struct Outcome {
        let name: DocumentName
        let file: FileCatalog.File
        /// Why the text is no JSON: then there is no more to find.
        var syntax: JSONError?
        var faults: [Finding] = []
        var warnings: [Finding] = []
    }

    private(set) var outcomes: [Outcome] = []

    init(_ app: FileCatalog.App) {
        let context = CheckContext(app)
        let manifest = app.manifest.flatMap { file in
            check(.manifest, file) { value, findings in
                let manifest = Manifest.read(value, findings: findings)
                if let manifest { DocumentCheck.check(manifest, in: context, findings: findings) }
                return manifest
            }
        }
        for (locale, file) in app.strings.sorted(by: { $0.key.precedes($1.key) }) {
            _ = check(.strings(locale: locale), file) { StringTables.read($0, locale: locale, findings: $1) }
        }
        for (slug, file) in app.recipes.sorted(by: { $0.key.precedes($1.key) }) {
            _ = check(.recipe(slug: slug), file) { value, findings in
                Self.recipe(slug, value, under: manifest, in: context, findings)
            }
        }
    }

    private static func recipe(
        _ slug: String, _ value: JSONValue, under manifest: Manifest?, in context: CheckContext, _ findings: Findings
    ) -> Recipe? {
        ReservedSlugs.check(slug, of: value, findings: findings)
        guard let manifest else {
            let message = "there is no readable manifest.json of its app: name one, or --apps"
            findings.fault("no_manifest", at: .root, message)
            return nil
        }
        let recipe = Recipe.read(value, slug: slug, revision: 1, manifest: manifest, findings: findings)
        if let recipe { DocumentCheck.check(recipe, under: manifest, in: context, findings: findings) }
        return recipe
    }

    private mutating func check<Content>(
        _ name: DocumentName, _ file: FileCatalog.File, _ read: (JSONValue, Findings) -> Content?
    ) -> Content? {
        var outcome = Outcome(name: name, file: file)
        defer { outcomes.append(outcome) }
        do {
            let value = try JSONValue(parsing: file.text)
            let findings = Findings()
            let content = read(value, findings)
            (outcome.faults, outcome.warnings) = (findings.faults, findings.warnings)
            return content
        } catch {
            outcome.syntax = error
            return nil
        }
    }
}
