internal import BellwetherCore
internal import BellwetherJSON

/// The catalog as it will be, and the changes that make a store agree with it.
///
/// A value: an edit that is refused, or that the store does not take, leaves the published one as it was.
struct CatalogEditor {
    private(set) var apps: [String: AppParts]
    private(set) var snapshots: [String: AppSnapshot]
    private(set) var changes: [CatalogChange] = []
    /// What is left of apps that were deleted.
    private(set) var retired: [String: RetiredApp]
    let source: DocumentSource
    let now: Timestamp
    var reading = DocumentReading(isStrict: false)

    init(_ catalog: PublishedCatalog, source: DocumentSource, now: Timestamp) {
        apps = catalog.apps
        snapshots = catalog.snapshots
        retired = catalog.retired
        self.source = source
        self.now = now
    }

    mutating func apply(_ request: PublishRequest) throws(PublishRefusal) -> PublishOutcome {
        reading = DocumentReading(isStrict: request.isStrict, limits: request.limits)
        let expected = request.expectedRevision
        switch request.change {
        case .putManifest(let text): return .stored(try putManifest(request.app, text, expected))
        case .deleteManifest: try deleteManifest(request.app, expected)
        case .putStrings(let locale, let text): return .stored(try putStrings(request.app, locale, text, expected))
        case .deleteStrings(let locale): try deleteStrings(request.app, locale, expected)
        case .putRecipe(let slug, let text, let asDraft):
            return .stored(try putRecipe(request.app, RecipeText(slug: slug, text: text, asDraft: asDraft), expected))
        case .deleteRecipe(let slug): try deleteRecipe(request.app, slug, expected)
        }
        return .deleted
    }

    var catalog: PublishedCatalog { PublishedCatalog(apps: apps, snapshots: snapshots, retired: retired) }

    mutating func note(_ change: CatalogChange) { changes.append(change) }

    /// Puts an edited app in place: its messages are compiled anew and its revision grows.
    mutating func update(_ parts: AppParts) {
        var parts = parts
        parts.revision += 1
        let snapshot = AppSnapshot(parts)
        for message in parts.known.news(in: snapshot.catalog.knownMessages) {
            note(
                .message(
                    app: parts.name,
                    StoredMessage(
                        key: message.facts.key, revision: message.revision, text: message.document.encoded)))
        }
        parts.known = snapshot.known
        note(.revision(app: parts.name, parts.revision))
        apps[parts.name] = parts
        snapshots[parts.name] = snapshot
    }

    mutating func remove(app: String) {
        if let parts = apps[app] { retired[app] = RetiredApp(parts) }
        apps[app] = nil
        snapshots[app] = nil
    }

    func app(_ name: String) throws(PublishRefusal) -> AppParts {
        guard let parts = apps[name] else { throw .unknownApp }
        return parts
    }

    /// Refuses a write to what a file holds, or one that expects another revision.
    func guardWrite(over current: StoredDocument?, expected: Int?) throws(PublishRefusal) {
        if let current, current.source == .file, source == .api { throw .readOnly }
        if let expected, expected != current?.revision { throw .revisionMismatch(current: current?.revision) }
    }

    /// The next revision of a document, or nil when the text says the same.
    func successor(of current: StoredDocument?, retired: Int?, text: [UInt8]) -> StoredDocument? {
        if let current, current.source == source, Self.saysTheSame(current.text, text) { return nil }
        let revision = (current?.revision ?? retired ?? 0) + 1
        return StoredDocument(revision: revision, source: source, text: text, publishedAt: now)
    }

    private static func saysTheSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        guard let left = try? JSONValue(parsing: left, limits: .kept) else { return false }
        return (try? JSONValue(parsing: right, limits: .kept)) == left
    }
}
