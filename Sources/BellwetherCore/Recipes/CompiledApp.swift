public import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// One app as it is published at one time. It contains, in compiled form, everything that determines what its clients
/// see.
///
/// The daemon answers polls from it. An app that has the bundle makes the same decisions from it on the device.
public final class CompiledApp: Sendable {
    public let manifest: Manifest
    public let strings: StringTables
    public let catalog: Catalog
    /// The live recipes, in canonical order.
    public let live: [Recipe]
    /// The paused recipes. They offer nothing.
    public let paused: [Recipe]
    /// The features that the manifest declares.
    public let features: FeatureTable
    /// Whether the answers of clients are known. On a device they are not.
    let knowsAnswers: Bool
    /// Whether the enrollments of a client may depend on its answers, which are its user's if it was identified.
    public let targetingReadsAnswers: Bool
    /// The app's lists; nil if it has none, as on a device.
    public let lists: AudienceLists?

    /// `definitions` are the revisions of the manifest with which derived events came into force, by name; without one
    /// it is `manifestRevision`. Recipes can be in any order. `numbering` is the same as in `Catalog`. `gone` contains
    /// the slugs of recipes that are drafts, have ended or were deleted. `previous` is the previous compiled app of the
    /// same app; unchanged parts are not compiled again. Without `knowsAnswers` the facts of clients are undefined.
    public init(
        manifest: Manifest, manifestRevision: Int, definitions: [Identifier: Int] = [:], strings: StringTables,
        recipes: RecipesInForce, revision: UInt64, gone: [Identifier] = [], after previous: CompiledApp? = nil,
        knowsAnswers: Bool = true,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.manifest = manifest
        self.strings = strings
        (self.knowsAnswers, lists) = (knowsAnswers, nil)
        let scope = AudienceScope(manifest, live: recipes.live, after: previous?.catalog.scope)
        live = Recipe.inCanonicalOrder(recipes.live).map { $0.reading(scope) }
        paused = Recipe.inCanonicalOrder(recipes.paused).map { $0.reading(scope) }
        let contributing = live.filter(\.contributes)
        let experiments = ExperimentSet(live: contributing, paused: paused.filter(\.contributes))
        var contents: [Identifier: PresentedContent] = [:]
        for slug in gone { contents[slug] = PresentedContent(kind: nil, isActive: false, revision: 0) }
        for recipe in paused { contents[recipe.slug] = recipe.presented(isLive: false) }
        for recipe in live { contents[recipe.slug] = recipe.presented(isLive: true) }
        features = FeatureTable(manifest.features, experiments: experiments)
        targetingReadsAnswers = experiments.members.contains { member in
            member.experiment.targeting.map { !$0.names(after: .answer).isEmpty } ?? false
        }
        catalog = Catalog(
            manifest: manifest, manifestRevision: manifestRevision, definitions: definitions, recipes: contributing,
            experiments: experiments, scope: scope, revision: revision, contents: contents, after: previous?.catalog,
            numbering: numbering)
    }

    /// Creates the same app with other reached limits. Nothing is compiled again.
    public init(_ other: CompiledApp, reached: ReachedLimits) {
        (manifest, strings, features) = (other.manifest, other.strings, other.features)
        (live, paused, lists) = (other.live, other.paused, other.lists)
        (knowsAnswers, targetingReadsAnswers) = (other.knowsAnswers, other.targetingReadsAnswers)
        catalog = Catalog(other.catalog, reached: reached)
    }

    /// Creates the same app with other lists. Nothing is compiled again.
    public init(_ other: CompiledApp, lists: AudienceLists?) {
        (manifest, strings, features) = (other.manifest, other.strings, other.features)
        (live, paused, catalog) = (other.live, other.paused, other.catalog)
        (knowsAnswers, targetingReadsAnswers) = (other.knowsAnswers, other.targetingReadsAnswers)
        self.lists = lists
    }

    public var experiments: ExperimentSet { catalog.experiments }

    /// The newest times of the events whose order in time live triggers and targeting read, by name in byte order.
    public func eventTimes(
        in behavior: BehaviorHistory, at now: Timestamp
    ) -> [(event: Identifier, time: Timestamp)] {
        let names = Set(expressions.flatMap(\.timedEvents).map { Identifier($0) })
        return names.sorted().compactMap { name in
            behavior.newestTime(of: name, at: now, of: catalog.derivedEvents).map { (name, $0) }
        }
    }

    /// Whether a client is in a segment; nil if the segment is not live, or if its expression fails for the client.
    public func isIn(segment name: String, _ query: PollQuery, state: ClientState) -> Bool? {
        let environment = environment(
            of: query, state, enrollments: state.enrollments, clock: DecisionClock(at: query.now))
        return try? catalog.scope.segment(name)?.isTrue(in: environment)
    }

    /// The segments that live triggers, targeting and segments name, live or not, in byte order.
    public var namedSegments: [String] { names { $0.segments + $0.names(after: .segment) } }

    /// The lists that these name, in byte order.
    public var namedLists: [String] { names { $0.names(after: .list) } }

    /// Whether each of these lists that exists contains the client.
    public func memberships(of query: PollQuery, state: ClientState) -> [(name: String, isMember: Bool)] {
        namedLists.compactMap { name in
            lists?.contains(name, clientID: query.clientID, userID: state.userID).map { (name, $0) }
        }
    }

    /// The names in live triggers, targeting and segments, each once, in byte order.
    private func names(_ names: (CompiledExpression) -> [String]) -> [String] {
        Set((expressions + segmentExpressions).flatMap(names)).sorted { Identifier($0) < Identifier($1) }
    }

    /// The facts of a client that live triggers, targeting and segments name, in byte order of their names.
    public func namedFacts(in state: ClientState) -> [RespondentFacts.Fact] {
        let names = Set(self.names { $0.names(after: .answer) })
        return state.facts.facts.filter { names.contains($0.name.text) }.sorted { $0.name < $1.name }
    }

    /// The expressions of live segments.
    private var segmentExpressions: [CompiledExpression] {
        live.filter { $0.segment != nil }.compactMap { catalog.scope.segment($0.slug.text) }
    }

    /// The expressions of live triggers and targeting.
    private var expressions: [CompiledExpression] {
        catalog.triggers.compactMap { try? $0.expression.get() } + live.compactMap { $0.experiment?.targeting }
    }

    /// A message in the variant that a client in these branches sees.
    public func message(_ key: Identifier, in branches: ClientBranches) -> Message? {
        catalog.message(key, for: branches.variants(of: catalog))
    }
}

/// The recipes of an app that affect its clients.
public struct RecipesInForce: Sendable {
    public let live: [Recipe]
    /// The paused recipes. They offer nothing, but enrolled clients stay enrolled.
    public let paused: [Recipe]

    public init(live: [Recipe], paused: [Recipe] = []) {
        self.live = live
        self.paused = paused
    }
}

/// The functions of a compiled app that an app on a device needs in addition to the decision. The daemon has its own
/// implementations, which use its caches.
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

    /// Returns the action of a message; nil if it has no action. Its URL may contain the values that triggers can read:
    /// values of the context, and values that follow from the client's id and the time. `uuid` creates the uuid if the
    /// URL needs one.
    public func action(of message: Message, for query: PollQuery, uuid: () -> String) -> ResolvedAction? {
        let known = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: BehaviorHistory(), branches: .none,
            now: query.now)
        return ResolvedAction(message, manifest: manifest, value: known.value(of:), uuid: uuid)
    }
}

/// An app's compiled app for a device: the parsed body of `GET /v1/apps/{app}/bundle`
/// (docs/reference/http-api.md#the-bundle).
///
/// It makes the same decisions as the daemon that wrote it, if the state of the client is the same.
public struct CompiledAppBundle: Sendable {
    public let compiledApp: CompiledApp
    /// The time at which the daemon published it.
    public let generatedAt: Timestamp

    /// The revision, which grows with every publish in the app.
    public var revision: UInt64 { compiledApp.catalog.revision }
}

extension JSONLimits {
    /// The limits for a bundle. It contains all documents of an app, and each is two levels deeper than it is alone. If
    /// a daemon's configuration accepts deeper documents, readers need a greater limit.
    public static let bundle = JSONLimits(depth: 66, bytes: 256 << 20, values: 16_000_000)
}

extension CompiledAppBundle {
    /// Reads a bundle from its JSON text; nil with faults when it is none.
    ///
    /// Additions of a newer daemon are no fault. Unknown keys are ignored. A recipe or a locale that cannot be read is
    /// left out with a warning, and the others stay valid.
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
        let definitions = reader.tolerant.optional("event_definitions")?.members() ?? []
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: manifestRevision,
            definitions: definitions.reduce(into: [:]) { $0[Identifier($1.key)] = $1.value.revision() },
            strings: StringTables(defaultLocale: manifest.defaultLocale, locales: readStrings(strings)),
            recipes: RecipesInForce(live: live, paused: others), revision: UInt64(revision), knowsAnswers: false,
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

    /// Each live recipe with its slug and revision, which a document need not contain.
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
        var ids: Set<Identifier> = []
        for (locale, location) in members {
            let own = Findings()
            let tables = StringTables.read(location.value, locale: locale, findings: own)
            location.warnOfFaults(own, "this locale is left out")
            guard let tables else { continue }
            for (table, texts) in tables { for key in texts.keys { ids.insert(Identifier("\(table)/\(key)")) } }
            // An index of texts needs one location for each text in each locale.
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

/// Reads the recipes of a bundle, each separately.
private struct RecipeReading {
    let manifest: Manifest
    private var slugs: Set<Identifier> = []

    init(manifest: Manifest) { self.manifest = manifest }

    /// Reads a recipe. `number` is an object with slug and revision. Returns nil with a warning if the recipe cannot be
    /// used.
    mutating func read(_ recipe: JSONReader, numbered number: JSONReader) -> Recipe? {
        let number = number.tolerant
        let slug = number.required("slug")?.string(length: 1...1000)
        let revision = number.required("revision")?.revision()
        guard let slug, let revision else { return nil }
        guard slugs.insert(Identifier(slug)).inserted else {
            number.finding("duplicate", "another recipe has the slug \"\(slug)\"; this one is left out")
            return nil
        }
        let own = Findings()
        let result = Recipe.read(
            recipe.value, slug: Identifier(slug), revision: revision, manifest: manifest, findings: own)
        recipe.warnOfFaults(own, "recipe \(slug) is left out")
        return result
    }
}

extension JSONReader {
    /// Adds the findings about the value itself.
    fileprivate func warnOfFaults(_ own: Findings, _ consequence: String) {
        for fault in own.faults {
            findings.warn(fault.code, at: pointer.appending(fault.pointer), "\(fault.message); \(consequence)")
        }
    }
}

extension JSONPointer {
    fileprivate func appending(_ other: JSONPointer) -> JSONPointer { JSONPointer(tokens: tokens + other.tokens) }
}
