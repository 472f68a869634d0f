internal import BellwetherCore

/// An app before its messages are compiled: what a publish changes.
struct AppParts: Sendable {
    let name: String
    var revision: UInt64
    var manifest: Manifest
    var manifestDocument: StoredDocument
    var strings: [String: PublishedStrings] = [:]
    var recipes: [String: PublishedRecipe] = [:]
    /// The last revision of each slug whose recipe was deleted.
    var retiredRevisions: [String: Int]
    var known: KnownMessages

    init(name: String, manifest: Manifest, document: StoredDocument, retired: RetiredApp?) {
        self.name = name
        self.manifest = manifest
        manifestDocument = document
        revision = retired?.revision ?? 0
        retiredRevisions = retired?.revisions ?? [:]
        known = retired?.known ?? KnownMessages()
    }
}

/// What outlives an app's deletion: numbers go on where they ended, and late events still find their message.
struct RetiredApp: Sendable {
    let revision: UInt64
    let revisions: [String: Int]
    let known: KnownMessages

    init(_ parts: AppParts) {
        revision = parts.revision + 1
        revisions = parts.retiredRevisions.merging(parts.recipes.mapValues(\.stored.document.revision)) { max($0, $1) }
        known = parts.known
    }

    init(revision: UInt64, revisions: [String: Int], known: KnownMessages) {
        self.revision = revision
        self.revisions = revisions
        self.known = known
    }
}

/// The catalog as it is published: documents read, messages compiled.
struct PublishedCatalog: Sendable {
    var apps: [String: AppParts] = [:]
    var snapshots: [String: AppSnapshot] = [:]
    var retired: [String: RetiredApp] = [:]
}
