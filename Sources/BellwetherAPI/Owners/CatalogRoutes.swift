internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// What owners publish: manifests, strings and recipes (api.md 3).
enum CatalogRoutes {
    static let all =
        [Endpoint(.get, "/v1/apps", .scope(.owner), handle: listApps)]
        + documents("/v1/apps/{app}/manifest", get: getManifest, put: putManifest, delete: deleteManifest)
        + documents("/v1/apps/{app}/strings/{locale}", get: getStrings, put: putStrings, delete: deleteStrings)
        + documents("/v1/apps/{app}/recipes/{slug}", get: getRecipe, put: putRecipe, delete: deleteRecipe)
        + [
            Endpoint(.get, "/v1/apps/{app}/recipes", .scope(.owner), handle: listRecipes),
            Endpoint(
                .post, "/v1/apps/{app}/recipes/validate", .scope(.owner), body: .owner, handle: ValidateRoute.post),
        ]

    typealias Handler = @Sendable (Call) throws(APIError) -> Handling

    private static func documents(
        _ pattern: String, get: @escaping Handler, put: @escaping Handler, delete: @escaping Handler
    ) -> [Endpoint] {
        [
            Endpoint(.get, pattern, .scope(.owner), handle: get),
            Endpoint(.put, pattern, .scope(.owner), body: .owner, handle: put),
            Endpoint(.delete, pattern, .scope(.owner), handle: delete),
        ]
    }

    @Sendable private static func listApps(_ call: Call) throws(APIError) -> Handling {
        let apps = call.worker.snapshot.apps.values
            .filter { call.principal?.covers(app: $0.name) ?? false }
            .sorted { $0.name.precedes($1.name) }
        return .now(.json(200, ["apps": .array(apps.map(\.summary))]))
    }

    @Sendable private static func getManifest(_ call: Call) throws(APIError) -> Handling {
        .now(document(try call.app().manifestDocument, for: call.request))
    }

    @Sendable private static func putManifest(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .putManifest(Array(call.request.body)), newApp: true)
    }

    @Sendable private static func deleteManifest(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .deleteManifest)
    }

    @Sendable private static func getStrings(_ call: Call) throws(APIError) -> Handling {
        guard let stored = try call.app().stringDocuments[call.parameter("locale")] else {
            throw .notFound("The app has no strings for this locale.")
        }
        return .now(document(stored, for: call.request))
    }

    @Sendable private static func putStrings(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .putStrings(locale: call.parameter("locale"), Array(call.request.body)))
    }

    @Sendable private static func deleteStrings(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .deleteStrings(locale: call.parameter("locale")))
    }

    @Sendable private static func listRecipes(_ call: Call) throws(APIError) -> Handling {
        let recipes = try call.app().recipes.values.map(\.stored).sorted { $0.slug.precedes($1.slug) }
        return .now(.json(200, ["recipes": .array(recipes.map(\.summary))]))
    }

    @Sendable private static func getRecipe(_ call: Call) throws(APIError) -> Handling {
        guard let stored = try call.app().recipes[call.parameter("slug")]?.stored else {
            throw .notFound("The app has no recipe of this slug.")
        }
        return .now(document(stored.document, for: call.request))
    }

    @Sendable private static func putRecipe(_ call: Call) throws(APIError) -> Handling {
        let slug = call.parameter("slug")
        guard slug.isIdentifier else { throw .identifier("slug") }
        var isDraft = false
        for (name, value) in try call.query() where name == "state" {
            guard value == "draft" || value == "live" else {
                throw .badRequest("choice", "state is draft or live", at: .parameter("state"))
            }
            isDraft = value == "draft"
        }
        return try Publishing.publish(
            call, .putRecipe(slug: slug, Array(call.request.body), asDraft: isDraft))
    }

    @Sendable private static func deleteRecipe(_ call: Call) throws(APIError) -> Handling {
        try Publishing.publish(call, .deleteRecipe(slug: call.parameter("slug")))
    }

    /// A document as its author wrote it, under its revision as entity tag.
    private static func document(_ stored: StoredDocument, for request: Request) -> Response {
        let etag = Publishing.etag(stored.revision)
        var response = Response(200, body: .bytes(stored.text))
        if let known = request.header(.ifNoneMatch), EntityTag.matches(ifNoneMatch: known, etag: etag) {
            response = Response(304)
        } else {
            response.add("Content-Type", "application/json")
        }
        response.add("ETag", etag)
        response.add("Cache-Control", "private, no-cache")
        return response
    }
}

extension AppSnapshot {
    var summary: JSONValue {
        [
            "app": .string(name), "app_name": .string(manifest.appName), "revision": .integer(Int64(catalog.revision)),
            "recipes": .integer(Int64(recipes.count)), "messages": .integer(Int64(catalog.messages.count)),
            "malformed": .array(catalog.malformed.map { .string($0.facts.key) }),
            "locales": .array(stringDocuments.keys.sorted { $0.precedes($1) }.map(JSONValue.string)),
            "source": .string(manifestDocument.source.rawValue),
        ]
    }
}

extension StoredRecipe {
    var summary: JSONValue {
        [
            "slug": .string(slug), "state": .string(state.rawValue), "revision": .integer(Int64(document.revision)),
            "source": .string(document.source.rawValue), "published_at": .string(document.publishedAt.rfc3339),
        ]
    }
}
