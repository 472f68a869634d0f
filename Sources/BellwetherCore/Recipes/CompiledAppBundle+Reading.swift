internal import BellwetherBase
public import BellwetherJSON

extension CompiledAppBundle {
    /// Reads a bundle from its JSON text; nil with faults when it is none.
    ///
    /// What a newer daemon may have put into it is no fault: unknown keys are passed over, and a recipe or a locale
    /// that does not read is left out with a warning, for the others are as good as before.
    public static func read(
        _ text: [UInt8], limits: JSONLimits = .bundle, findings: Findings = Findings()
    ) -> CompiledAppBundle? {
        do {
            return read(try JSONValue(parsing: text, limits: limits), findings: findings)
        } catch {
            findings.fault("json_\(error.kind.rawValue)", at: .root, error.message)
            return nil
        }
    }

    public static func read(_ value: JSONValue, findings: Findings) -> CompiledAppBundle? {
        let reader = JSONReader(value, findings: findings)
        guard reader.object() != nil else { return nil }
        let revision = reader.required("revision")?.integer(in: 0...Int64.max)
        let generatedAt = reader.required("generated_at")?.time()
        let manifestRevision = reader.required("manifest_revision")?.revision()
        let manifest = reader.required("manifest").flatMap { readManifest($0) }
        let numbers = readNumbers(reader)
        let paused = reader.tolerant.optional("paused")?.elements() ?? []
        let strings = reader.required("strings")?.members()
        guard let revision, let generatedAt, let manifestRevision, let manifest, let numbers, let strings else {
            return nil
        }
        var recipes = RecipeReading(manifest: manifest)
        let live = numbers.compactMap { recipes.read($0, numbered: $1) }
        let others = paused.compactMap { place in
            place.required("recipe").flatMap { recipes.read($0, numbered: place) }
        }
        let messages = MessageRevisions(reading: reader.optional("message_revisions"))
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: manifestRevision,
            strings: StringTables(defaultLocale: manifest.defaultLocale, locales: readStrings(strings)),
            recipes: RecipesInForce(live: live, paused: others), revision: UInt64(revision),
            numbering: messages.revisions(of:))
        return CompiledAppBundle(compiledApp: compiledApp, generatedAt: generatedAt)
    }

    private static func readManifest(_ place: JSONReader) -> Manifest? {
        let own = Findings()
        let manifest = Manifest.read(place.value, findings: own)
        for fault in own.faults {
            place.findings.fault(fault.code, at: place.pointer.appending(fault.pointer), fault.message)
        }
        return manifest
    }

    /// Each live recipe with its slug and revision, which a document need not say itself.
    private static func readNumbers(_ reader: JSONReader) -> [(recipe: JSONReader, number: JSONReader)]? {
        let recipes = reader.required("recipes")?.elements()
        guard let place = reader.required("recipe_revisions"), let numbers = place.elements(), let recipes else {
            return nil
        }
        guard numbers.count == recipes.count else {
            place.finding("length", "there are \(recipes.count) recipes, and the revisions of \(numbers.count)")
            return nil
        }
        return zip(recipes, numbers).map { (recipe: $0, number: $1) }
    }

    private static func readStrings(
        _ members: [(key: String, value: JSONReader)]
    ) -> [String: [String: [String: String]]] {
        var locales: [String: [String: [String: String]]] = [:]
        var ids: Set<ByteKey> = []
        for (locale, place) in members {
            let own = Findings()
            let tables = StringTables.read(place.value, locale: locale, findings: own)
            place.warnOfFaults(own, "this locale is left out")
            guard let tables else { continue }
            for (table, texts) in tables { for key in texts.keys { ids.insert(ByteKey(text: "\(table)/\(key)")) } }
            // One place for each text in each locale is what an index of them takes.
            guard ids.count * (locales.count + 1) <= maximumTexts else {
                place.findings.warn("length", at: place.pointer, "there are too many texts; this locale is left out")
                break
            }
            locales[locale] = tables
        }
        return locales
    }

    private static let maximumTexts = 16_000_000
}

/// Reads the recipes of a bundle, each by itself.
private struct RecipeReading {
    let manifest: Manifest
    private var slugs: Set<ByteKey> = []

    init(manifest: Manifest) { self.manifest = manifest }

    /// `number` is an object with slug and revision. Nil with a warning where the recipe can not be taken.
    mutating func read(_ recipe: JSONReader, numbered number: JSONReader) -> Recipe? {
        let number = number.tolerant
        let slug = number.required("slug")?.string(length: 1...1000)
        let revision = number.required("revision")?.revision()
        guard let slug, let revision else { return nil }
        guard slugs.insert(ByteKey(text: slug)).inserted else {
            number.finding("duplicate", "another recipe has the slug \"\(slug)\"; this one is left out")
            return nil
        }
        let own = Findings()
        let result = Recipe.read(recipe.value, slug: slug, revision: revision, manifest: manifest, findings: own)
        recipe.warnOfFaults(own, "recipe \(slug) is left out")
        return result
    }
}

extension JSONReader {
    /// Takes over what was found in the value by itself.
    fileprivate func warnOfFaults(_ own: Findings, _ consequence: String) {
        for fault in own.faults {
            findings.warn(fault.code, at: pointer.appending(fault.pointer), "\(fault.message); \(consequence)")
        }
    }
}

extension JSONPointer {
    fileprivate func appending(_ other: JSONPointer) -> JSONPointer { JSONPointer(tokens: tokens + other.tokens) }
}
