public import BellwetherBase
public import BellwetherJSON

/// One app as it is published at one time: all that decides what its clients see, compiled.
///
/// The daemon answers polls from it, and an app that has its bundle takes the same decisions from it on the device.
public final class CompiledApp: Sendable {
    public let manifest: Manifest
    public let strings: StringTables
    public let catalog: Catalog
    /// In canonical order.
    public let live: [Recipe]
    /// Nothing of these is offered.
    public let paused: [Recipe]
    /// The features that the manifest declares.
    public let features: FeatureTable

    /// Recipes in any order; `numbering` is `Catalog`'s. `gone`: slugs of recipes that are drafts, have ended or were
    /// deleted. `previous` is the app's compiled app before this one: what stays the same is not made again.
    public init(
        manifest: Manifest, manifestRevision: Int, strings: StringTables, recipes: RecipesInForce, revision: UInt64,
        gone: [String] = [], after previous: CompiledApp? = nil,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.manifest = manifest
        self.strings = strings
        live = Recipe.inCanonicalOrder(recipes.live)
        paused = Recipe.inCanonicalOrder(recipes.paused)
        let contributing = live.filter(\.contributes)
        let experiments = ExperimentSet(live: contributing, paused: paused.filter(\.contributes))
        var contents: [String: PresentedContent] = [:]
        for slug in gone { contents[slug] = PresentedContent(kind: nil, isActive: false, revision: 0) }
        for recipe in paused { contents[recipe.slug] = recipe.presented(isLive: false) }
        for recipe in live { contents[recipe.slug] = recipe.presented(isLive: true) }
        features = FeatureTable(manifest.features, experiments: experiments)
        catalog = Catalog(
            manifest: manifest, manifestRevision: manifestRevision, recipes: contributing, experiments: experiments,
            revision: revision, contents: contents, after: previous?.catalog, numbering: numbering)
    }

    /// The same app, with other limits reached: nothing is compiled again.
    public init(_ other: CompiledApp, reached: ReachedLimits) {
        (manifest, strings, features) = (other.manifest, other.strings, other.features)
        (live, paused) = (other.live, other.paused)
        catalog = Catalog(other.catalog, reached: reached)
    }

    public var experiments: ExperimentSet { catalog.experiments }

    /// A message as a client of these branches sees it.
    public func message(_ key: String, in branches: ClientBranches) -> Message? {
        catalog.message(key, for: branches.variants(of: catalog))
    }
}

/// An app's recipes that have a say.
public struct RecipesInForce: Sendable {
    public let live: [Recipe]
    /// Nothing of these is offered; who is enrolled stays so.
    public let paused: [Recipe]

    public init(live: [Recipe], paused: [Recipe] = []) {
        self.live = live
        self.paused = paused
    }
}

/// The functions of a compiled app that an app on a device needs besides the decision. The daemon does this itself,
/// with its memories.
extension CompiledApp {
    /// Reads the context of a client from the body of a poll: `{locale, attribute: value, …}`. A member that the daemon
    /// would refuse is a fault and is left out.
    public func context(_ attributes: JSONValue, findings: Findings = Findings()) -> TargetingContext {
        TargetingContext.read(JSONReader(attributes, findings: findings), manifest: manifest).context
    }

    /// A message in the context's language.
    public func presentation(of message: Message, in context: TargetingContext) -> Presentation {
        Presentation(
            message, manifest: manifest, localizer: strings.localizer(for: context.requestedLocale),
            requestedLocale: context.requestedLocale)
    }

    /// Returns the action of a message; nil when it has no action. Its URL may have in it what triggers may ask for:
    /// the values of the context, and those that follow from the client's id and the time. `uuid` makes the one that
    /// the URL asks for, if it does.
    public func action(of message: Message, for query: PollQuery, uuid: () -> String) -> ResolvedAction? {
        let known = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: BehaviorHistory(), branches: .none,
            now: query.now)
        return ResolvedAction(message, manifest: manifest, value: known.value(of:), uuid: uuid)
    }
}

/// An app's compiled app as a device gets it: the body of `GET /v1/apps/{app}/bundle`, read
/// (docs/reference/http-api.md#the-bundle).
///
/// A decision from it is the one of the daemon that wrote it, as long as the state of the client is the same.
public struct CompiledAppBundle: Sendable {
    public let compiledApp: CompiledApp
    /// When the daemon published it.
    public let generatedAt: Timestamp

    /// Grows with every publish in the app.
    public var revision: UInt64 { compiledApp.catalog.revision }
}

extension JSONLimits {
    /// All documents of an app together, two levels deeper than each stands by itself. A daemon that was set to accept
    /// deeper ones needs readers with a greater limit.
    public static let bundle = JSONLimits(depth: 66, bytes: 256 << 20, values: 16_000_000)
}

extension CompiledAppBundle {
    /// Reads a bundle from its JSON text; nil with faults when it is none.
    ///
    /// Additions of a newer daemon are no fault: unknown keys are passed over, and a recipe or a locale that does not
    /// read is left out with a warning, for the others are as good as before.
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
        let others = paused.compactMap { location in
            location.required("recipe").flatMap { recipes.read($0, numbered: location) }
        }
        let messages = MessageRevisions(reading: reader.optional("message_revisions"))
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: manifestRevision,
            strings: StringTables(defaultLocale: manifest.defaultLocale, locales: readStrings(strings)),
            recipes: RecipesInForce(live: live, paused: others), revision: UInt64(revision),
            numbering: messages.revisions(of:))
        return CompiledAppBundle(compiledApp: compiledApp, generatedAt: generatedAt)
    }

    private static func readManifest(_ location: JSONReader) -> Manifest? {
        let own = Findings()
        let manifest = Manifest.read(location.value, findings: own)
        for fault in own.faults {
            location.findings.fault(fault.code, at: location.pointer.appending(fault.pointer), fault.message)
        }
        return manifest
    }

    /// Each live recipe with its slug and revision, which a document need not say itself.
    private static func readNumbers(_ reader: JSONReader) -> [(recipe: JSONReader, number: JSONReader)]? {
        let recipes = reader.required("recipes")?.elements()
        guard let location = reader.required("recipe_revisions"), let numbers = location.elements(), let recipes else {
            return nil
        }
        guard numbers.count == recipes.count else {
            location.finding("length", "there are \(recipes.count) recipes, and the revisions of \(numbers.count)")
            return nil
        }
        return zip(recipes, numbers).map { (recipe: $0, number: $1) }
    }

    private static func readStrings(
        _ members: [(key: String, value: JSONReader)]
    ) -> [String: [String: [String: String]]] {
        var locales: [String: [String: [String: String]]] = [:]
        var ids: Set<ByteKey> = []
        for (locale, location) in members {
            let own = Findings()
            let tables = StringTables.read(location.value, locale: locale, findings: own)
            location.warnOfFaults(own, "this locale is left out")
            guard let tables else { continue }
            for (table, texts) in tables { for key in texts.keys { ids.insert(ByteKey(text: "\(table)/\(key)")) } }
            // One location for each text in each locale is what an index of them takes.
            guard ids.count * (locales.count + 1) <= maximumTexts else {
                location.findings.warn(
                    "length", at: location.pointer, "there are too many texts; this locale is left out")
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
    /// Takes over the findings of the value by itself.
    fileprivate func warnOfFaults(_ own: Findings, _ consequence: String) {
        for fault in own.faults {
            findings.warn(fault.code, at: pointer.appending(fault.pointer), "\(fault.message); \(consequence)")
        }
    }
}

extension JSONPointer {
    fileprivate func appending(_ other: JSONPointer) -> JSONPointer { JSONPointer(tokens: tokens + other.tokens) }
}
