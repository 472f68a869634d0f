internal import BellwetherCore
internal import BellwetherJSON

/// The locations of messages in a document that is published.
struct MessageLocations {
    /// A `messaging` value of the document.
    private struct Value {
        let root: [String]
        /// Each key as the author wrote it, by the resolved key.
        var written: [Identifier: String] = [:]

        init(root: [String], _ messaging: JSONValue?, slug: Identifier?) {
            self.root = root
            for key in messaging?.object?["messages"]?.object?.keys ?? [] {
                written[MessageLocations.resolved(key, slug)] = key
            }
        }
    }

    /// One value, or one for each branch that has the feature.
    private let values: [Value]
    private let slug: Identifier?
    /// The key of the message that is the document's `offer`.
    private var offered: Identifier?

    init(_ change: PublishRequest.Change, in app: AppSnapshot) {
        switch change {
        case .putRecipe(let slug, _, _):
            let recipe = app.recipes[slug]?.recipe
            values =
                recipe?.experiment == nil
                ? [Value(root: [], recipe?.document, slug: slug)]
                : Self.branchValues(recipe?.document ?? .null, slug: slug)
            self.slug = slug
            if recipe?.content != nil, recipe?.document.object?["offer"] != nil { offered = slug }
        case .putManifest, .putDraftLive(.manifest):
            values = [Value(root: ["messaging"], .object(app.manifest.messaging), slug: nil)]
            slug = nil
        case .deleteManifest, .putStrings, .deleteStrings, .deleteRecipe, .putRecipes, .setState, .advance, .rollback,
            .putDraftLive, .discardDraft, .takeOver, .list:
            values = []
            slug = nil
        }
    }

    /// Whether the document has the message itself.
    func holds(_ key: Identifier) -> Bool {
        offered == key || values.contains { $0.written[key] != nil }
    }

    private static func branchValues(_ document: JSONValue, slug: Identifier) -> [Value] {
        RecipeFeatures.all(in: document).map { feature in
            Value(
                root: feature.pointer.appending("value").tokens, feature.optional("value")?.value, slug: slug)
        }
    }

    /// The location of the document's own message, otherwise of the first messaging value.
    func pointer(to key: Identifier) -> JSONPointer {
        if offered == key { return JSONPointer(tokens: ["offer"]) }
        for value in values {
            if let written = value.written[key] {
                return JSONPointer(tokens: value.root + ["messages", written])
            }
        }
        return JSONPointer(tokens: values.first?.root ?? [])
    }

    /// The key of the message that contains a location.
    func message(at pointer: JSONPointer) -> Identifier? {
        let tokens = pointer.tokens
        if let offered, tokens.first == "offer" { return offered }
        for value in values {
            let start = value.root + ["messages"]
            if tokens.starts(with: start), tokens.count > start.count {
                return Self.resolved(tokens[start.count], slug)
            }
        }
        return nil
    }

    private static func resolved(_ key: String, _ slug: Identifier?) -> Identifier {
        Identifier(ExperimentSubstitution.replace(in: key, slug: slug))
    }
}
