internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Every record that a collection ever had, and the time of its last change, for readers of Remote Settings.
///
/// A publish is compared with the records before it. A difference may come from a recipe, its state, a manifest that
/// names another collection, or a deleted app. Each change gets its own time, later than all earlier ones, whatever the
/// clock says. A record that disappears leaves a tombstone, so that phones end its enrollment. Tombstones stay: they
/// are few, and a phone may come back after a year.
struct RecordLedger: Sendable {
    /// Two apps of one collection may each have had a record with the same id. At most one of the two is still shown.
    private struct RecordKey: Hashable {
        let app: Identifier
        let id: Identifier
    }

    private enum Entry {
        /// The record shows a recipe that is not read yet.
        case stored(StoredRecord)
        case published(PublishedRecord)

        var stored: StoredRecord {
            switch self {
            case .stored(let record): record
            case .published(let record): record.stored
            }
        }
    }

    private var collections: [Identifier: [RecordKey: Entry]] = [:]

    init() {}

    /// The ledger of a stored catalog.
    init(_ catalog: StoredCatalog) {
        for app in catalog.apps {
            for record in app.records {
                let key = RecordKey(app: app.name, id: record.id)
                collections[record.collection, default: [:]][key] =
                    record.content == .deleted
                    ? .published(PublishedRecord(deleted: record, app: app.name)) : .stored(record)
            }
        }
    }

    /// Makes the records agree with the published apps. Returns the records that are new, changed or deleted, in the
    /// order of their times.
    mutating func update(_ apps: [Identifier: AppSnapshot], now: Timestamp) -> [(app: Identifier, record: StoredRecord)]
    {
        let shown = ShownRecipe.all(of: apps)
        var changes: [(app: Identifier, record: StoredRecord)] = []
        for collection in Set(shown.keys).union(collections.keys).sorted() {
            var latest = latest(of: collection, apps)
            for recipe in shown[collection] ?? [] {
                changes += show(recipe, in: collection, now, &latest)
            }
            changes += bury(in: collection, all: shown[collection] ?? [], now, &latest)
        }
        return changes
    }

    private mutating func show(
        _ recipe: ShownRecipe, in collection: Identifier, _ now: Timestamp, _ latest: inout Timestamp
    ) -> [(app: Identifier, record: StoredRecord)] {
        let key = RecordKey(app: recipe.app, id: recipe.id)
        switch collections[collection]?[key] {
        case .published(let record) where record.stored.content == recipe.content: return []
        case .stored(let record) where record.content == recipe.content:
            match(record, recipe, in: collection)
            return []
        default:
            let record = StoredRecord(
                collection: collection, id: recipe.id, lastModified: Self.next(now, &latest), content: recipe.content)
            collections[collection, default: [:]][key] = .published(
                PublishedRecord(record, app: recipe.app, showing: recipe.recipe))
            return [(recipe.app, record)]
        }
    }

    /// Connects stored records with the recipes that they show. No change has to be stored.
    mutating func match(_ apps: [Identifier: AppSnapshot]) {
        for (collection, recipes) in ShownRecipe.all(of: apps) {
            for recipe in recipes {
                let key = RecordKey(app: recipe.app, id: recipe.id)
                if case .stored(let record)? = collections[collection]?[key], record.content == recipe.content {
                    match(record, recipe, in: collection)
                }
            }
        }
    }

    private mutating func match(_ record: StoredRecord, _ recipe: ShownRecipe, in collection: Identifier) {
        collections[collection]?[RecordKey(app: recipe.app, id: recipe.id)] = .published(
            PublishedRecord(record, app: recipe.app, showing: recipe.recipe))
    }

    /// Leaves tombstones for records that are no longer shown.
    private mutating func bury(
        in collection: Identifier, all shown: [ShownRecipe], _ now: Timestamp, _ latest: inout Timestamp
    ) -> [(app: Identifier, record: StoredRecord)] {
        let kept = Set(shown.map { RecordKey(app: $0.app, id: $0.id) })
        var changes: [(app: Identifier, record: StoredRecord)] = []
        let gone = (collections[collection] ?? [:])
            .filter { !kept.contains($0.key) && $0.value.stored.content != .deleted }
            .sorted { $0.value.stored.lastModified < $1.value.stored.lastModified }
        for (key, entry) in gone {
            let record = StoredRecord(
                collection: collection, id: entry.stored.id, lastModified: Self.next(now, &latest), content: .deleted)
            collections[collection]?[key] = .published(PublishedRecord(deleted: record, app: key.app))
            changes.append((key.app, record))
        }
        return changes
    }

    private static func next(_ now: Timestamp, _ latest: inout Timestamp) -> Int64 {
        latest = max(now, latest.adding(milliseconds: 1))
        return latest.milliseconds
    }

    /// The time of the last change; if there was none, the time of the manifests that name the collection.
    private func latest(of collection: Identifier, _ apps: [Identifier: AppSnapshot]) -> Timestamp {
        let last = collections[collection]?.values.map(\.stored.lastModified).max()
        return last.map(Timestamp.init(milliseconds:)) ?? apps.values
            .filter { $0.manifest.identity.collections.contains(collection) }
            .map(\.manifestDocument.publishedAt).max() ?? Timestamp(milliseconds: 0)
    }

    /// The served collections: each is named by an app.
    func published(_ apps: [Identifier: AppSnapshot]) -> [Identifier: RecordCollection] {
        var names: [Identifier: [Identifier: Timestamp]] = [:]
        for app in apps.values {
            for collection in app.manifest.identity.collections {
                names[collection, default: [:]][app.name] = app.manifestDocument.publishedAt
            }
        }
        return names.reduce(into: [:]) { result, collection in
            let records = (collections[collection.key] ?? [:]).values.compactMap { entry in
                if case .published(let record) = entry { record } else { nil }
            }
            result[collection.key] = RecordCollection(
                name: collection.key, records: records.sorted { $0.lastModified > $1.lastModified },
                apps: collection.value)
        }
    }
}
