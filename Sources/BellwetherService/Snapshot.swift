internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import JEXL
internal import Surveys

/// Everything that is published, as one immutable value: a request sees one snapshot from beginning to end.
public final class Snapshot: Sendable {
    /// A number that grows with every snapshot that this process builds.
    public let version: UInt64
    public let apps: [Identifier: AppSnapshot]
    /// The files that could not be loaded. If there are any, readiness is `degraded`.
    public let loadFailures: [String]
    /// The collections of Remote Settings, by name.
    public let collections: [Identifier: RecordCollection]
    /// Whether any app allows calls from web pages.
    public let hasWebOrigins: Bool
    /// Drafts of manifests and strings, by app.
    private let drafts: [Identifier: [DocumentName: StoredDocument]]

    public init(
        version: UInt64, apps: [Identifier: AppSnapshot], loadFailures: [String],
        collections: [Identifier: RecordCollection] = [:], drafts: [Identifier: [DocumentName: StoredDocument]] = [:]
    ) {
        self.version = version
        self.apps = apps
        self.loadFailures = loadFailures
        self.collections = collections
        hasWebOrigins = apps.values.contains { !$0.manifest.web.origins.isEmpty }
        self.drafts = drafts
    }

    /// The drafts of an app's manifest and strings.
    public func drafts(of app: Identifier) -> [DocumentName: StoredDocument] { drafts[app] ?? [:] }

    public static let empty = Snapshot(version: 0, apps: [:], loadFailures: [])
}

/// One app: its published documents, and the compiled form that requests use.
public final class AppSnapshot: Sendable {
    public let name: Identifier
    public let manifestDocument: StoredDocument
    public let stringDocuments: [Identifier: StoredDocument]
    /// Newest revision of each recipe, by slug, in any state.
    public let recipes: [Identifier: LoadedRecipe]
    public let compiledApp: CompiledApp
    /// The evaluation of the live recipes for Cirrus.
    public let features: FeatureEvaluation
    /// The segments that conditions of recipes read.
    private let segmentsOfConditions: Set<String>
    /// Whether audiences of flows read facts of respondents.
    public let audiencesReadFacts: Bool
    /// The names of the facts that its recipes declare, whatever their state is.
    let declaredFacts: Set<String>
    /// The goals that events count for.
    public let goals: GoalTable
    public let known: KnownMessages
    /// The bundle from which devices decide by themselves.
    public let bundle: BundleText
    /// Quotas and limits of its messages, compiled.
    let responseLimits: CompiledLimits
    /// The names of the limits that are reached. They differ if other limits are reached.
    let reachedNames: [Identifier]
    /// The periods of recipes that have or had goals.
    let periods: [Identifier: LoadedPeriods]
    /// The definitions of derived events.
    public let definitions: EventDefinitions
    /// The publication that is in force, for streams.
    public let publication: PublicationMark
    /// The lists, by name.
    let lists: [Identifier: LoadedList]
    /// A hash of the lists' stamps: it differs if a list has other ids.
    let listStamps: Int
    /// Names of secrets that sign webhooks of its recipes.
    let signingSecrets: Set<String>

    /// Copies an app, with other limits reached.
    init(_ other: AppSnapshot, reached: ReachedLimits, names: [Identifier]) {
        (name, manifestDocument, stringDocuments) = (other.name, other.manifestDocument, other.stringDocuments)
        (recipes, features, known) = (other.recipes, other.features, other.known)
        (bundle, responseLimits, signingSecrets) = (other.bundle, other.responseLimits, other.signingSecrets)
        (goals, periods, definitions) = (other.goals, other.periods, other.definitions)
        segmentsOfConditions = other.segmentsOfConditions
        (audiencesReadFacts, declaredFacts) = (other.audiencesReadFacts, other.declaredFacts)
        compiledApp = CompiledApp(other.compiledApp, reached: reached)
        (reachedNames, lists, listStamps) = (names, other.lists, other.listStamps)
        publication = PublicationMark(other.publication, reached: names)
    }

    /// Copies an app, with other lists.
    private init(_ other: AppSnapshot, _ lists: [Identifier: LoadedList], _ key: ListKey?) {
        (name, manifestDocument, stringDocuments) = (other.name, other.manifestDocument, other.stringDocuments)
        (recipes, features, known) = (other.recipes, other.features, other.known)
        (bundle, responseLimits, signingSecrets) = (other.bundle, other.responseLimits, other.signingSecrets)
        (goals, periods, definitions) = (other.goals, other.periods, other.definitions)
        (segmentsOfConditions, reachedNames) = (other.segmentsOfConditions, other.reachedNames)
        (audiencesReadFacts, declaredFacts) = (other.audiencesReadFacts, other.declaredFacts)
        compiledApp = CompiledApp(other.compiledApp, lists: .reading(lists, key))
        publication = PublicationMark(
            other.publication,
            lists: compiledApp.namedLists.compactMap { name in
                lists[Identifier(name)].map { "list \(name) \($0.stored.stamp)" }
            })
        self.lists = lists
        listStamps = lists.mapValues(\.stored.stamp).hashValue
    }

    /// The same app with these lists.
    func with(_ lists: [Identifier: LoadedList], _ key: ListKey?) -> AppSnapshot {
        lists.isEmpty && self.lists.isEmpty ? self : AppSnapshot(self, lists, key)
    }

    /// The lists as their owners see them, by name in byte order.
    public var listFacts: [ListFacts] {
        guard !lists.isEmpty else { return [] }
        let users = AudienceUsers(recipes.values, manifest)
        return lists.sorted { $0.key < $1.key }.map {
            ListFacts(name: $0.key, stored: $0.value.stored, users: users["list.\($0.key)"])
        }
    }

    /// Whether a list contains each of these ids; nil if there is no such list.
    public func contains(_ ids: [Identifier], in list: Identifier) -> [Bool]? {
        guard let subject = lists[list]?.stored.subject, let table = compiledApp.lists else { return nil }
        return ids.map { id in
            table.contains(
                list.text, clientID: subject == .clients ? id : nil, userID: subject == .users ? id : nil) ?? false
        }
    }

    init(_ parts: EditableApp, compiledApp: CompiledApp, bundle: BundleText) {
        name = parts.name
        manifestDocument = parts.manifestDocument
        stringDocuments = parts.strings.mapValues(\.document)
        recipes = parts.servedRecipes(in: compiledApp.catalog.scope)
        let names = recipes.values.lazy.filter(\.isInForce).map(\.facts.segments)
        segmentsOfConditions = names.reduce(into: []) { $0.formUnion($1) }
        let contents = recipes.values.lazy.filter { $0.recipe.content != nil }
        audiencesReadFacts = contents.contains { $0.isInForce && $0.flow?.definition.audienceReadsFacts ?? false }
        declaredFacts = contents.reduce(into: []) { $0.formUnion(DeclaredFacts.names(in: $1.recipe.document)) }
        self.compiledApp = compiledApp
        self.bundle = bundle
        responseLimits = CompiledLimits(compiledApp.catalog)
        (reachedNames, lists, listStamps) = ([], [:], 0)
        signingSecrets = Set(parts.recipes.values.filter { $0.stored.state != .ended }.compactMap(\.signingSecret))
        features = FeatureEvaluation(
            app: parts.name, manifest: parts.manifest,
            live: compiledApp.live.filter { $0.content == nil && $0.segment == nil })
        known = parts.known
        goals = parts.goals(live: compiledApp.live)
        publication = PublicationMark(
            parts, live: compiledApp.live.map(\.slug), paused: compiledApp.paused.map(\.slug), reached: [])
        periods = parts.periods
        definitions = parts.definitions
    }

    /// Whether a client is in each segment that conditions of recipes read. An error is false.
    ///
    /// - Parameter attributes: the attributes that were sent.
    public func segments(
        of clientID: Identifier?, _ attributes: JSONObject, _ state: ClientState, at now: Timestamp
    ) -> JSONObject {
        guard !segmentsOfConditions.isEmpty else { return [:] }
        let query = PollQuery(
            clientID: clientID, surfaces: [], context: compiledApp.context(.object(attributes)), now: now)
        let values = segmentsOfConditions.map { name in
            (key: name, value: JSONValue.bool(compiledApp.isIn(segment: name, query, state: state) ?? false))
        }
        return JSONObject(values)
    }

    /// The values that predicates of a survey read beside the answers: the attributes that were sent, the lists, and
    /// the respondent's facts.
    public func attributes(
        of content: SurveyContent, _ attributes: JSONObject, _ clientID: Identifier?, _ state: ClientState
    ) -> JSONObject {
        // A request cannot say what a list contains, or what was answered.
        var attributes = JSONObject(attributes.filter { AudienceScope.parts(of: $0.key) == nil })
        for name in content.predicates.lists {
            let isMember = compiledApp.lists?.contains(name, clientID: clientID, userID: state.userID)
            attributes["list.\(name)"] = isMember.map(JSONValue.bool)
        }
        for name in content.predicates.facts { attributes["answer.\(name)"] = state.facts[name] }
        return attributes
    }

    /// Whether conditions of recipes read segments.
    public var readsSegments: Bool { !segmentsOfConditions.isEmpty }

    /// The recipes that serve nothing, in byte order of their slugs.
    public func unservedRecipes(at now: Timestamp) -> [UnservedRecipe] {
        recipes.values.compactMap { $0.unserved(at: now) }.sorted { $0.slug < $1.slug }
    }

    public var manifest: Manifest { compiledApp.manifest }
    public var strings: StringTables { compiledApp.strings }
    public var experiments: ExperimentSet { compiledApp.experiments }
    public var catalog: Catalog { compiledApp.catalog }
}

/// A stored recipe, and its revision in force after reading; for a draft, the newest revision.
public struct LoadedRecipe: Sendable {
    public let recipe: Recipe
    public let stored: StoredRecipe
    /// The content for respondents; nil for a recipe of messages.
    public private(set) var published: (any PublishedContent)?
    public let facts: RecipeFacts
    /// The guard that keeps the recipe paused; nil for other recipes.
    public internal(set) var pausedBy: FiredGuard?

    /// - Parameter retiredIDs: the ids of questions in earlier revisions of the recipe.
    init(recipe: Recipe, stored: StoredRecipe, retiredIDs: Set<Identifier> = []) {
        self.recipe = recipe
        self.stored = stored
        published = recipe.content.flatMap { kind in
            kind.published.init(
                recipe.document, kind, slug: recipe.slug, revision: recipe.revision, retiredIDs: retiredIDs)
        }
        facts = RecipeFacts(recipe)
    }

    /// The same recipe, whose predicates read these segments; nil if they read none.
    func reading(_ scope: AudienceScope) -> LoadedRecipe? {
        guard let survey, survey.predicates.nameOtherSegments else { return nil }
        var recipe = self
        recipe.published = survey.reading(scope)
        return recipe
    }

    /// A deleted recipe, read from its newest revision. Nil if there is no revision, or if it cannot be read.
    ///
    /// - Parameter revisions: the revisions, oldest first.
    public init?(deleted slug: Identifier, _ revisions: [StoredDocument], under manifest: Manifest) {
        guard let newest = revisions.last, let document = try? JSONValue(parsing: newest.text, limits: .kept),
            let recipe = Recipe.read(
                document, slug: slug, revision: newest.revision, manifest: manifest, findings: Findings())
        else { return nil }
        self.init(
            recipe: recipe, stored: StoredRecipe(slug: slug, state: .ended, document: newest),
            retiredIDs: SurveyContent.questionIDs(of: revisions))
    }

    /// The content of a recipe that is live or paused; nil for other recipes.
    var contentInForce: (any PublishedContent)? { [.live, .paused].contains(stored.state) ? published : nil }

    /// The content of a questionnaire or a survey; nil for other recipes.
    public var survey: SurveyContent? { published as? SurveyContent }
    /// The content of a flow; nil for other recipes.
    public var flow: FlowContent? { published as? FlowContent }

    /// The ids of all questions that the recipe ever had.
    var questionIDs: Set<Identifier> { published?.questionIDs ?? [] }

    public var isLive: Bool { stored.state == .live }
    /// The reason why nothing of the recipe is served; nil if it is served.
    public func unserved(at now: Timestamp) -> UnservedRecipe? {
        switch stored.state {
        case .draft: return UnservedRecipe(slug: stored.slug, reason: .draft, date: stored.document.publishedAt)
        case .paused:
            return UnservedRecipe(
                slug: stored.slug, reason: pausedBy == nil ? .paused : .pausedByGuard, date: stored.stateSince,
                pausedBy: pausedBy.map { PausingGuard(goal: $0.bound.goal, branch: $0.firing.branch) })
        case .ended:
            // The daemon may not have been running at the end.
            let end = recipe.hasEnded(at: now) ? recipe.end : nil
            let date = [stored.stateSince, end].compactMap(\.self).min()
            return UnservedRecipe(slug: stored.slug, reason: .ended, date: date)
        case .live: return recipe.unserved(at: now)
        }
    }

    /// Whether the dates of the recipe have an effect.
    var isInForce: Bool { stored.state == .live || stored.state == .paused }
}

/// The tables of a locale after reading, and their stored document.
public struct PublishedStrings: Sendable {
    public let tables: [String: [String: String]]
    public let document: StoredDocument
}

extension Snapshot {
    /// The app whose manifest names this application id. If several do, the first by name.
    public func app(applicationID id: Identifier) -> AppSnapshot? {
        apps.values.filter { $0.manifest.identity.hasApplication(id) }
            .min { $0.name < $1.name }
    }
}
