internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The findings from reading an app's documents and checking them together, in the order manifest, strings, recipes.
/// Nothing is stored.
struct AppCheck {
    struct Outcome {
        let name: DocumentName
        let file: FileCatalog.File
        /// The syntax error, if the text is not JSON. Then there are no other findings.
        var syntax: JSONError?
        var faults: [Finding] = []
        var warnings: [Finding] = []
    }

    /// The consequence for a recipe whose app has no readable manifest.
    enum ManifestNeed {
        /// The recipe cannot be served, which is a fault.
        case required
        /// The files are only a part of the app. Findings that do not depend on a manifest are reported.
        case optional
    }

    private(set) var outcomes: [Outcome] = []

    /// `states` are the states of a daemon's recipes, by slug.
    init(
        _ app: FileCatalog.App, manifest need: ManifestNeed = .required, over states: [Identifier: RecipeState] = [:],
        at now: Timestamp = Clock.system.now()
    ) {
        let context = CheckContext(app)
        let manifest = app.manifest.flatMap { file in
            check(.manifest, file) { value, findings in
                ManifestIntake.read(value, in: context, findings: findings)
            }
        }
        for (locale, file) in app.strings.sorted(by: { $0.key < $1.key }) {
            _ = check(.strings(locale: locale), file) { StringTables.read($0, locale: locale.text, findings: $1) }
        }
        for (slug, file) in app.recipes.sorted(by: { $0.key < $1.key }) {
            _ = check(.recipe(slug: slug), file) { value, findings -> Recipe? in
                guard let manifest else {
                    if let anyManifest = Self.manifest(where: need, findings) {
                        Self.check(value, RecipeIntake(slug: slug, manifest: anyManifest, now: now), findings)
                    }
                    return nil
                }
                var intake = RecipeIntake(slug: slug, manifest: manifest, now: now)
                (intake.context, intake.state) = (context, states[slug])
                let recipe = intake.read(value, findings: findings)
                if let segment = recipe?.segment, let fault = context.segments.fault(of: segment, as: slug) {
                    findings.fault(fault)
                }
                return recipe
            }
        }
    }

    /// The manifest for checking a recipe whose app has no readable manifest; nil if one is required.
    private static func manifest(where need: ManifestNeed, _ findings: Findings) -> Manifest? {
        let message = "there is no readable manifest.json of its app: name one, or --apps"
        guard need == .optional, let anyManifest else {
            findings.fault("no_manifest", at: .root, message)
            return nil
        }
        findings.warn("no_manifest", at: .root, "\(message), for a check of names, types and texts")
        return anyManifest
    }

    /// Omits findings that only the app's own manifest can decide.
    private static func check(_ document: JSONValue, _ intake: RecipeIntake, _ findings: Findings) {
        let found = Findings()
        _ = intake.read(document, findings: found)
        for fault in found.faults { findings.fault(fault) }
        for warning in found.warnings where !codesOfManifest.contains(warning.code) { findings.warn(warning) }
    }

    private static let anyManifest = Manifest.read(
        ["app_name": "any", "default_locale": "en", "surfaces": []], findings: Findings())

    /// The reader's warnings that depend on the declarations or the dialect of a manifest.
    private static let codesOfManifest: Set = [
        "alias", "empty_text", "other_app", "undeclared_identifier", "unknown_action", "unknown_attribute",
        "unknown_style", "unknown_surface", "unknown_trigger",
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
