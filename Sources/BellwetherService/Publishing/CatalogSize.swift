internal import BellwetherCore

/// The approximate memory of a catalog's documents, which `limits.catalog_bytes` bounds
/// (docs/reliability.md#what-is-kept-in-memory).
extension CatalogEditor {
    /// The bytes of all apps, including deleted ones.
    var bytes: Int {
        apps.values.reduce(0) { $0 + $1.bytes } + retired.values.reduce(0) { $0 + $1.bytes }
            + drafts.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.text.count } }
    }

    /// Refuses a change that enlarges a catalog which is too large. A change that makes it smaller is always accepted.
    func refuseExcess(_ request: PublishRequest, before: Int) throws(PublishRefusal) {
        let bytes = self.bytes
        if bytes > request.catalogBytes, bytes > before { throw .tooLarge(bound: request.catalogBytes) }
    }
}

/// The bytes of a name and a number that stay after a document is deleted.
private let nameBytes = 128

extension EditableApp {
    /// The bytes of an app. Each collection contains a copy of the recipes.
    fileprivate var bytes: Int {
        let recipes = recipes.values.reduce(0) { sum, recipe in
            sum + recipe.stored.document.text.count + (recipe.stored.inForce?.text.count ?? 0)
        }
        let strings = strings.values.reduce(0) { $0 + $1.document.text.count }
        return manifestDocument.text.count + strings + recipes * (1 + manifest.identity.collections.count)
            + known.bytes + nameBytes * retiredRevisions.count
    }
}

extension RetiredApp {
    fileprivate var bytes: Int { known.bytes + nameBytes * revisions.count }
}
