public import BellwetherJSON

/// A published document, read: what it contributes, whatever its kind.
public struct Recipe: Sendable {
    public let slug: String
    public let revision: Int
    public let kind: Kind
    public let document: JSONValue

    public enum Kind: Sendable {
        /// A bare messaging value: a rollout in which every client counts as enrolled (api.md 3). Aliases are
        /// normalised, `{experiment}` is replaced.
        case messaging(JSONObject)
    }

    /// The branch of a bare messaging value.
    public static let rolloutBranch = "rollout"

    /// The layer that every client has of this recipe.
    public var universalLayer: CatalogLayer? {
        switch kind {
        case .messaging(let value):
            CatalogLayer(
                enrollment: EnrolledBranch(slug: slug, branch: Self.rolloutBranch), revision: revision, value: value)
        }
    }
}

extension Recipe {
    /// Reads a document under the slug it is published as; nil when there was a fault.
    public static func read(
        _ value: JSONValue, slug: String, revision: Int, manifest: Manifest, findings: Findings
    ) -> Recipe? {
        let reader = JSONReader(value, findings: findings)
        guard let object = reader.object() else { return nil }
        let faultsBefore = findings.faults.count
        if let place = reader.optional("slug"), let own = place.string(), !own.utf8.elementsEqual(slug.utf8) {
            place.finding("slug_mismatch", "the document's slug is \"\(own)\", its path says \"\(slug)\"")
        }
        guard MessagingReading.variables.contains(where: { object[$0] != nil }) else {
            reader.finding(
                "unknown_kind",
                "not a recipe: it has none of " + MessagingReading.variables.sorted().joined(separator: ", "))
            return nil
        }
        var messaging = object
        messaging["slug"] = nil
        let reading = MessagingReading(
            vocabulary: manifest.vocabulary, extending: manifest.baseMessaging, slug: slug)
        let normal = reading.read(JSONReader(.object(messaging), findings: findings))
        guard findings.faults.count == faultsBefore, let normal else { return nil }
        return Recipe(slug: slug, revision: revision, kind: .messaging(normal), document: value)
    }

    /// Canonical order (api.md 2.6) of recipes that have no date: by slug.
    public static func inCanonicalOrder(_ recipes: [Recipe]) -> [Recipe] {
        recipes.sorted { $0.slug.precedes($1.slug) }
    }
}
