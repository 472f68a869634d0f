internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The routes with which owners publish manifests, strings and recipes (docs/reference/http-api.md#owners).
enum CatalogRoutes {
    static let all =
        [Endpoint(.get, "/v1/apps", .needs(.read), handle: listApps)]
        + documents("/v1/apps/{app}/manifest", .publish, get: getManifest, put: putManifest, delete: deleteManifest)
        + documents("/v1/apps/{app}/strings/{locale}", .texts, get: getStrings, put: putStrings, delete: deleteStrings)
        + documents("/v1/apps/{app}/recipes/{slug}", .publish, get: getRecipe, put: putRecipe, delete: deleteRecipe)
        + [
            Endpoint(.get, "/v1/apps/{app}/recipes", .needs(.read), inBackground: listRecipes),
            Endpoint(.post, "/v1/apps/{app}/recipes", .needs(.publish), handle: RecipeBatchRoute.post).publishing,
            Endpoint(.post, "/v1/apps/{app}/take-over", .needs(.publish), handle: takeOver),
            Endpoint(.post, "/v1/apps/{app}/recipes/validate", .needs(.read), inBackground: ValidateRoute.post),
        ]

    typealias Handler = @Sendable (Call) throws(APIError) -> Handling

    private static func documents(
        _ pattern: String, _ writing: Ability, get: @escaping Handler, put: @escaping Handler,
        delete: @escaping Handler
    ) -> [Endpoint] {
        [
            Endpoint(.get, pattern, .needs(.read), handle: get),
            Endpoint(.put, pattern, .needs(writing), handle: put).publishing,
            Endpoint(.delete, pattern, .needs(writing), handle: delete),
        ]
    }

    @Sendable private static func listApps(_ call: Call) throws(APIError) -> Handling {
        let apps = call.worker.snapshot.apps.values
            .filter { call.principal?.covers(app: $0.name) ?? false }
            .sorted { $0.name < $1.name }
        let summaries = apps.map { $0.summary(drafts: call.worker.snapshot.drafts(of: $0.name)) }
        return .now(.json(200, ["apps": .array(summaries)]))
    }

    @Sendable private static func getManifest(_ call: Call) throws(APIError) -> Handling {
        try document(call, .manifest)
    }

    @Sendable private static func putManifest(_ call: Call) throws(APIError) -> Handling {
        guard call.parameter("app").text.isIdentifier else { throw .identifier("app") }
        return try put(call) { .putManifest($0) }
    }

    @Sendable private static func deleteManifest(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .deleteManifest, try PublishQuery(call, []))
    }

    @Sendable private static func getStrings(_ call: Call) throws(APIError) -> Handling {
        try document(call, .strings(locale: call.parameter("locale")))
    }

    @Sendable private static func putStrings(_ call: Call) throws(APIError) -> Handling {
        let locale = call.parameter("locale")
        return try put(call) { .putStrings(locale: locale, $0) }
    }

    @Sendable private static func deleteStrings(_ call: Call) throws(APIError) -> Handling {
        let locale = call.parameter("locale")
        return try Publishing.publish(call, .deleteStrings(locale: locale), try PublishQuery(call, []))
    }

    @Sendable private static func listRecipes(_ call: BackgroundCall) throws(APIError) -> Step {
        let (app, query, store) = (try call.app(), try RecipeListQuery(call), call.services.persistence)
        return .waiting { done in
            store.readNotes(of: app.name, done)
        } then: { (notes: Result<[Identifier: RecipeNote], StoreError>) throws(APIError) in
            let found = call.services.analysis.checks(of: app, call.services.publisher.secrets, now: call.arrived)
            let reading = ListReading(notes: try notes.orThrow(), found: found, withheld: WithheldCounts(for: call))
            guard query.asksForCounts else { return .respond(call.conditional(reading.json(app, query, call))) }
            let answered = app.recipes.values.filter { $0.published != nil }.map(\.stored.slug)
            return .waiting { done in
                store.runCounts(of: answered, in: app.name, done)
            } then: { (counts: Result<[Identifier: RunCounts], StoreError>) throws(APIError) in
                .respond(.json(200, reading.with(try counts.orThrow()).json(app, query, call)))
            }
        }
    }

    /// The facts in a list of recipes that come from outside the recipes.
    private struct ListReading: Sendable {
        let notes: [Identifier: RecipeNote]
        var found: [Identifier: CatalogAnalysis.Found] = [:]
        var counts: [Identifier: RunCounts] = [:]

        /// The withheld counts; nil if none are withheld.
        var withheld: WithheldCounts?

        func with(_ counts: [Identifier: RunCounts]) -> ListReading {
            ListReading(notes: notes, found: found, counts: counts, withheld: withheld)
        }

        func json(_ app: AppSnapshot, _ query: RecipeListQuery, _ call: BackgroundCall) -> JSONValue {
            ["recipes": .array(summaries(of: app, query, at: call.arrived))]
        }

        private func summaries(of app: AppSnapshot, _ query: RecipeListQuery, at now: Timestamp) -> [JSONValue] {
            let malformed = app.malformedMessages
            let defaultSurface = app.manifest.dialect.defaultSurface
            // A name may be an id in the string tables; the list has the text.
            let texts = SurveyTexts(nil, in: app).texts
            let recipes = app.recipes.values.filter { query.means($0, notes[$0.stored.slug] ?? RecipeNote()) }
            return recipes.sorted { $0.stored.slug < $1.stored.slug }.map { recipe in
                let slug = recipe.stored.slug
                var summary = recipe.summary(malformed, defaultSurface, at: now)
                if let name = recipe.facts.name { summary["name"] = .string(texts.resolve(name)) }
                for (key, value) in (notes[slug] ?? RecipeNote()).members(of: recipe.stored) { summary[key] = value }
                found[slug]?.write(to: &summary)
                summary["counts"] = counts[slug].map { counts in
                    .object(withheld?.applied(to: counts.json) ?? counts.json)
                }
                return .object(summary)
            }
        }
    }

    @Sendable private static func getRecipe(_ call: Call) throws(APIError) -> Handling {
        try document(call, .recipe(slug: call.parameter("slug")))
    }

    @Sendable private static func putRecipe(_ call: Call) throws(APIError) -> Handling {
        let slug = call.parameter("slug")
        guard slug.text.isIdentifier else { throw .identifier("slug") }
        let query = try PublishQuery(call, [.strict, .state])
        try MediaType.requireJSON(call.request)
        return try Publishing.publish(
            call, .putRecipe(slug: slug, Array(call.request.body), asDraft: query.isDraft), query)
    }

    @Sendable private static func deleteRecipe(_ call: Call) throws(APIError) -> Handling {
        let slug = call.parameter("slug")
        return try Publishing.publish(call, .deleteRecipe(slug: slug), try PublishQuery(call, []))
    }

    @Sendable private static func takeOver(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .takeOver, try PublishQuery(call, []))
    }

    private static func put(
        _ call: Call, _ change: ([UInt8]) -> PublishRequest.Change
    ) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [.strict, .state, .dryRun])
        try MediaType.requireJSON(call.request)
        return try Publishing.publish(call, change(Array(call.request.body)), query)
    }

    /// Selects the version: `?state=live` for the version in force, `?state=draft` for the draft, and the newest of
    /// both by default.
    private static func chosen(_ version: DocumentVersion, _ call: Call) throws(APIError) -> DocumentVersion {
        let reader = try QueryReader(call, repeatable: { $0 != "state" })
        var (chosen, absence): (DocumentVersion?, String) = (version, "")
        for item in reader.items where item.name == "state" {
            switch item.value {
            case "draft": (chosen, absence) = (version.isNewestDraft ? version : nil, "It has no draft.")
            case "live": (chosen, absence) = (version.withoutDraft, "No revision of it was ever live.")
            default: reader.fault("choice", at: item.name, "state is draft or live")
            }
        }
        try reader.finish()
        guard let chosen else { throw .notFound(absence) }
        return chosen
    }

    /// The goal whose guard keeps a recipe paused.
    private static func pausingGoal(of name: DocumentName, _ call: Call) -> Identifier? {
        guard case .recipe(let slug) = name else { return nil }
        return call.worker.snapshot.apps[call.parameter("app")]?.recipes[slug]?.pausedBy?.bound.goal
    }

    /// A document in its author's form.
    private static func document(_ call: Call, _ name: DocumentName) throws(APIError) -> Handling {
        guard var version = call.worker.snapshot.version(of: name, in: call.parameter("app")) else {
            _ = try call.app()
            throw call.missingDocument
        }
        version = try chosen(version, call)
        return .now(
            call.conditional(version.entityTag) {
                var response = Response(200, body: .bytes(version.document.text))
                response.add("Content-Type", "application/json")
                response.add("Bellwether-Revision", String(version.document.revision))
                if let goal = pausingGoal(of: name, call) {
                    response.add("Bellwether-Paused-By", "guard; goal=\(goal)")
                }
                return response
            })
    }
}

extension AppSnapshot {
    /// Each key once, in byte order.
    private var malformedKeys: [Identifier] { malformedMessages.sorted() }

    fileprivate var malformedMessages: Set<Identifier> { Set(catalog.malformed.map { $0.facts.key }) }

    func summary(drafts: [DocumentName: StoredDocument]) -> JSONValue {
        [
            "app": .string(name), "app_name": .string(manifest.appName),
            "default_locale": .string(manifest.defaultLocale),
            "locales": Self.names(Array(stringDocuments.keys)),
            "recipes": .integer(Int64(recipes.count)), "messages": .integer(Int64(catalog.messageCount)),
            "malformed": .array(malformedKeys.map(JSONValue.string)),
            "revision": .integer(Int64(clamping: catalog.revision)),
            "read_only": .bool(manifestDocument.source == .file),
            "draft_revision": drafts[.manifest].map { .integer(Int64($0.revision)) } ?? .null,
            "draft_locales": Self.names(drafts.keys.compactMap(\.locale)),
        ]
    }

    private static func names(_ names: [Identifier]) -> JSONValue {
        .array(names.sorted().map { .string($0) })
    }
}

extension LoadedRecipe {
    /// - Parameters:
    ///   - malformed: The keys of the app's malformed messages.
    ///   - defaultSurface: The surface of a message that names none.
    func summary(_ malformed: Set<Identifier>, _ defaultSurface: Identifier, at now: Timestamp) -> JSONObject {
        let document = stored.document
        let served = stored.served
        var surfaces = facts.surfaces
        if facts.hasDefaultSurface, !surfaces.contains(defaultSurface) {
            surfaces.append(defaultSurface)
        }
        let isMalformed = !malformed.isEmpty && facts.keys.contains { malformed.contains($0) }
        return [
            "slug": .string(stored.slug), "name": facts.name.map(JSONValue.string) ?? .null,
            "kind": .string(facts.kind.name), "state": .string(stored.state.rawValue),
            "state_since": stored.stateSince.map { .string($0.rfc3339) } ?? .null,
            "revision": .integer(Int64(document.revision)),
            "in_force": stored.state == .draft ? .null : .integer(Int64(served.revision)),
            "in_force_at": stored.state == .draft ? .null : .string(served.publishedAt.rfc3339),
            "draft_revision": stored.isNewestDraft ? .integer(Int64(document.revision)) : .null,
            "draft": stored.isNewestDraft
                ? [
                    "revision": .integer(Int64(document.revision)), "author": document.authorJSON,
                    "at": .string(document.publishedAt.rfc3339),
                ] : .null,
            "author": served.authorJSON, "approved_by": served.approverJSON,
            "read_only": .bool(document.source == .file),
            "published_at": .string(document.publishedAt.rfc3339),
            "starts": recipe.start.map { .string($0.rfc3339) } ?? .null,
            "ends": recipe.end.map { .string($0.rfc3339) } ?? .null,
            "surfaces": Self.names(surfaces), "features": Self.names(facts.features), "keys": Self.names(facts.keys),
            "branches": Self.names(facts.branches), "presents": Self.names(facts.presents),
            "hosted": .bool(facts.isHosted), "malformed": .bool(isMalformed),
            "not_served": unserved(at: now).map { .object($0.members) } ?? .null,
            "paused_by": pausedBy.map { .object($0.pausedBy) } ?? .null,
        ]
    }

    private static func names(_ names: [Identifier]) -> JSONValue { .array(names.map { .string($0) }) }
}

extension CatalogAnalysis.Found {
    fileprivate func write(to summary: inout JSONObject) {
        summary["warnings"] = .integer(Int64(warnings))
        summary["missing"] = .object(JSONObject(missing.map { ($0.locale, .integer(Int64($0.texts))) }))
    }
}

extension RunCounts {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "started": .integer(Int64(started)), "submitted": .integer(Int64(submitted)),
            "last_at": lastAt.map { .string($0.rfc3339) } ?? .null,
        ]
        if isBound { json["at_least"] = true }
        return json
    }
}

extension StoredDocument {
    var authorJSON: JSONValue { author.isEmpty ? .null : .string(author) }
    var approverJSON: JSONValue { approver.isEmpty ? .null : .string(approver) }
}
