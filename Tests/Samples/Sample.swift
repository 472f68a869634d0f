package import BellwetherBase
package import BellwetherCore
package import BellwetherJSON
import Testing

/// Manifests, recipes and catalogs for tests. A document that should be readable and is not is a test failure.
package enum Sample {
    package static let fields: JSONObject = [
        "app_name": "sample", "short_name": "Sample", "deep_link_scheme": "sample", "default_locale": "en-US",
        "attributes": ["is_default_browser": "boolean", "city": "string", "age": "number", "tags": "array"],
        "surfaces": ["microsurvey", "new-tab-card", "notification", "homescreen"],
        "privacy": [
            "base": "https://www.mozilla.org/", "path": "privacy/firefox/",
            "fallback": "https://www.mozilla.org/privacy/firefox", "utm_medium": "firefox-mobile",
            "utm_source": "modal", "utm_campaign": "microsurvey",
        ],
    ]

    /// The document with changed fields; null removes a field.
    package static func document(_ changes: JSONObject = [:]) -> JSONValue {
        var result = fields
        for (key, value) in changes { result[key] = value == .null ? .none : .some(value) }
        return .object(result)
    }

    package static func manifest(_ changes: JSONObject = [:]) throws -> Manifest {
        let findings = Findings()
        let manifest = Manifest.read(document(changes), findings: findings)
        return try #require(manifest, "\(findings.faults)")
    }

    package static func manifest(messaging: JSONValue, dialect: Dialect = .ios) throws -> Manifest {
        try manifest(["messaging": messaging, "dialect": .string(dialect.rawValue)])
    }

    package static func recipe(
        _ document: JSONValue, slug: String = "e", revision: Int = 1, in manifest: Manifest
    ) throws -> Recipe {
        let findings = Findings()
        let recipe = Recipe.read(
            document, slug: Identifier(slug), revision: revision, manifest: manifest, findings: findings)
        return try #require(recipe, "\(findings.faults)")
    }

    package static func catalog(
        _ recipes: [Recipe], in manifest: Manifest, manifestRevision: Int = 1, revision: UInt64 = 1,
        after previous: Catalog? = nil
    ) -> Catalog {
        let live = Recipe.inCanonicalOrder(recipes)
        return Catalog(
            manifest: manifest, manifestRevision: manifestRevision, recipes: live,
            experiments: ExperimentSet(live: live, paused: []), revision: revision, after: previous)
    }

    package static func compiledApp(
        _ recipes: [Recipe], in manifest: Manifest, manifestRevision: Int = 1, after previous: CompiledApp? = nil
    ) -> CompiledApp {
        CompiledApp(
            manifest: manifest, manifestRevision: manifestRevision,
            strings: StringTables(defaultLocale: manifest.defaultLocale, locales: [:]),
            recipes: RecipesInForce(live: recipes), revision: 1, after: previous)
    }

    package static func catalog(
        _ recipes: KeyValuePairs<String, JSONValue>, in manifest: Manifest, revision: UInt64 = 1,
        after previous: Catalog? = nil
    ) throws -> Catalog {
        let recipes = try recipes.map { slug, document in try recipe(document, slug: slug, in: manifest) }
        return catalog(recipes, in: manifest, revision: revision, after: previous)
    }

    /// A catalog of one recipe with these messages. A message without a text gets one.
    package static func catalog(messages: JSONObject, dialect: Dialect = .ios, onControl: String? = nil) throws
        -> Catalog
    {
        var documents = JSONObject()
        for (key, fields) in messages {
            var document: JSONObject = ["surface": "microsurvey", "text": "A question?"]
            for (field, value) in fields.object ?? [:] { document[field] = value }
            documents[key] = .object(document)
        }
        var recipe: JSONObject = ["messages": .object(documents)]
        if let onControl { recipe["on-control"] = .string(onControl) }
        return try catalog(["e": .object(recipe)], in: manifest(messaging: [:], dialect: dialect))
    }

    package static let now = Timestamp(rfc3339: "2026-03-10T12:00:00Z") ?? Timestamp(seconds: 0)

    package static func context(_ attributes: [String: JSONValue] = [:], locale: String? = nil) -> TargetingContext {
        TargetingContext(
            requestedLocale: locale.flatMap { LanguageTag($0) }, defaultLocale: "en-US", attributes: attributes)
    }

    /// The selector for one client.
    package static func selector(
        _ catalog: Catalog, _ state: ClientState = ClientState(), attributes: [String: JSONValue] = [:]
    ) -> Selector {
        let context = context(attributes)
        let environment = TriggerEnvironment(
            context: context, clientID: "client", behavior: state.behavior,
            branches: ClientBranches(catalog.experiments, state.enrollments), now: now)
        return Selector(catalog, environment: environment, state: state)
    }
}

extension Recipe {
    package var messaging: JSONObject? {
        if case .messaging(let value) = kind { value } else { nil }
    }
}

extension Findings {
    /// Each fault as `code pointer`, in the order found.
    package var faultLocations: [String] { faults.map(\.location) }
    package var warningLocations: [String] { warnings.map(\.location) }
}

extension Finding {
    package var location: String { "\(code) \(pointer)" }
}

extension JSONObject {
    package func merging(_ other: JSONObject) -> JSONObject {
        var result = self
        for (key, value) in other { result[key] = value }
        return result
    }
}
