import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Any document as a manifest or as a recipe: it is read, compiled, selected from and shown. The check tests the
/// invariants of every catalog.
///
/// The first byte chooses: bit 0 manifest or recipe, bit 1 the dialect, bit 2 whether the recipe is combined with
/// itself.
public enum RecipeCheck: FuzzCheck {
    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        guard let choice = bytes.first, let value = try? JSONValue(parsing: bytes.dropFirst()) else { return .refused }
        let findings = Findings()
        let compiledApp = try choice & 1 == 0 ? manifest(value, findings) : recipe(value, choice, findings)
        for finding in findings.faults + findings.warnings { _ = finding.pointer.description }
        guard let compiledApp else { return .refused }
        try CompiledAppCheck(compiledApp: compiledApp).run()
        return .taken
    }

    private static func manifest(_ value: JSONValue, _ findings: Findings) throws(Violation) -> CompiledApp? {
        let manifest = Manifest.read(value, findings: findings)
        try require((manifest == nil) == !findings.faults.isEmpty, "a manifest without or despite faults")
        return manifest.map { compiledApp($0, []) }
    }

    private static func recipe(
        _ value: JSONValue, _ choice: UInt8, _ findings: Findings
    ) throws(Violation) -> CompiledApp? {
        guard let manifest = choice & 2 == 0 ? SampleManifest.ios : SampleManifest.android else {
            throw Violation("the sample manifest cannot be read")
        }
        let recipe = Recipe.read(value, slug: "slug", revision: 1, manifest: manifest, findings: findings)
        try require((recipe == nil) == !findings.faults.isEmpty, "a recipe without or despite faults")
        guard let recipe else { return nil }
        let other = Recipe.read(value, slug: "later", revision: 2, manifest: manifest, findings: Findings())
        return compiledApp(manifest, choice & 4 == 0 ? [recipe] : [recipe] + [other].compactMap(\.self))
    }

    private static func compiledApp(_ manifest: Manifest, _ recipes: [Recipe]) -> CompiledApp {
        let strings = StringTables(defaultLocale: manifest.defaultLocale, locales: ["de": ["T": ["k": "%@ %1$@ %"]]])
        return CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: strings, recipes: RecipesInForce(live: recipes),
            revision: 1)
    }
}

private enum SampleManifest {
    static let ios = read("ios")
    static let android = read("android")

    private static func read(_ dialect: JSONValue) -> Manifest? {
        Manifest.read(
            [
                "app_name": "fuzz", "default_locale": "en-US", "dialect": dialect, "deep_link_scheme": "fuzz",
                "attributes": ["age": "number", "city": "string"],
                "surfaces": ["microsurvey", "new-tab-card", "homescreen"],
                "privacy": ["base": "https://example.org/", "path": "privacy", "fallback": "https://example.org"],
                "messaging": [
                    "triggers": ["ADULT": "age >= 18", "SEEN": "'x'|eventSum('Years', 4, 0) >= 2"],
                    "styles": ["MICROSURVEY": ["max-display-count": 1]], "actions": ["OPEN": "://open?a={city}"],
                    "messages": ["evergreen": ["text": "t", "surface": "new-tab-card", "trigger": ["ADULT"]]],
                ],
            ], findings: Findings())
    }
}
