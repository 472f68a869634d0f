import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// Apps that publish into collections, and the changes that a store received.
struct Shelf {
    private(set) var catalog = PublishedCatalog()
    private(set) var changes: [CatalogChange] = []
    var now = Scene.start

    mutating func manifest(_ app: Identifier, collections: [String]? = nil) throws {
        var manifest: JSONObject = ["app_name": "sample"]
        if let collections { manifest["collections"] = .array(collections.map(JSONValue.string)) }
        try put(app, .putManifest(SampleManifest.with(manifest).encoded))
    }

    mutating func publish(_ app: Identifier, _ slug: Identifier, _ fields: JSONObject = [:], draft: Bool = false) throws
    {
        try put(app, .putRecipe(slug: slug, Self.recipe(slug, fields).encoded, asDraft: draft))
    }

    mutating func put(_ app: Identifier, _ change: PublishRequest.Change) throws {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        _ = try editor.apply(PublishRequest(app: app, change: change))
        catalog = editor.catalog
        changes += editor.changes
    }

    /// Loads the catalog of a store after a change in it, and then the folders, which are empty.
    mutating func restart(_ change: (inout StoredCatalog) -> Void = { _ in }) {
        var stored = StoredCatalog(changes)
        change(&stored)
        var failures: [String] = []
        catalog = PublishedCatalog.load(stored, at: now, failures: &failures)
        #expect(failures.isEmpty)
        var editor = CatalogEditor(catalog, source: .file, now: now)
        #expect(editor.apply(FileCatalog()).isEmpty)
        catalog = editor.catalog
        changes += editor.changes
    }

    /// Applies the recipes' start and end dates that have passed.
    mutating func follow() {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        editor.follow()
        catalog = editor.catalog
        changes += editor.changes
    }

    func list(_ collection: String = "nimbus-mobile-experiments", app: Identifier? = nil) -> RecordList? {
        catalog.records.published(catalog.snapshots)[Identifier(collection)]?.list(of: app)
    }

    /// `id` or `-id` of each record, newest first.
    func told(_ collection: String = "nimbus-mobile-experiments", app: Identifier? = nil, since: Int64 = -1)
        -> [String]?
    {
        list(collection, app: app).map { list in
            list.records.prefix(list.count(newerThan: since)).map { ($0.isDeleted ? "-" : "") + $0.stored.id.text }
        }
    }

    static func recipe(_ slug: Identifier, _ fields: JSONObject = [:]) -> JSONValue {
        var recipe: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": "N", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1],
            "branches": [["slug": "control", "ratio": 1]],
        ]
        for (key, value) in fields { recipe[key] = value }
        return .object(recipe)
    }
}
