internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

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

    /// What a recipe is without a readable manifest of its app.
    enum ManifestNeed {
        /// Nothing: it cannot be served.
        case required
        /// A part: what no manifest would change is told.
        case optional
    }

    private(set) var outcomes: [Outcome] = []

    init(_ app: FileCatalog.App, manifest need: ManifestNeed = .required) {
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
            _ = check(.recipe(slug: slug), file) { value, findings -> Recipe? in
                ReservedSlugs.check(slug, of: value, findings: findings)
                guard let manifest else {
                    Self.checkAlone(slug, value, need, findings)
                    return nil
                }
                let recipe = Recipe.read(value, slug: slug, revision: 1, manifest: manifest, findings: findings)
                if let recipe { DocumentCheck.check(recipe, under: manifest, in: context, findings: findings) }
                return recipe
            }
        }
    }

    private static func checkAlone(_ slug: String, _ value: JSONValue, _ need: ManifestNeed, _ findings: Findings) {
        let message = "there is no readable manifest.json of its app: name one, or --apps"
        guard need == .optional, let anyManifest else { return findings.fault("no_manifest", at: .root, message) }
        findings.warn("no_manifest", at: .root, "\(message), for a check of names, types and texts")
        let found = Findings()
        _ = Recipe.read(value, slug: slug, revision: 1, manifest: anyManifest, findings: found)
        for fault in found.faults { findings.fault(fault.code, at: fault.pointer, fault.message) }
        for warning in found.warnings where !codesOfManifest.contains(warning.code) {
            findings.warn(warning.code, at: warning.pointer, warning.message)
        }
    }

    private static let anyManifest = Manifest.read(
        ["app_name": "any", "default_locale": "en", "surfaces": []], findings: Findings())

    /// Warnings of reading that depend on what a manifest declares, its dialect included.
    private static let codesOfManifest: Set = [
        "alias", "empty_text", "undeclared_identifier", "unknown_action", "unknown_style", "unknown_surface",
        "unknown_trigger",
    ]

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
