import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// Publishes one change after another, as the publisher does, and collects the changes for a store.
struct Editing {
    private(set) var catalog = PublishedCatalog()
    private(set) var changes: [CatalogChange] = []
    private(set) var failures: [String] = []
    let app: Identifier = "sample"
    var now = Scene.start
    var author = "owner"
    var requiresApproval = false
    var catalogBytes = Int.max

    @discardableResult
    mutating func put(
        _ change: PublishRequest.Change, strict: Bool = false, expecting revision: Int? = nil, meaning meant: Int? = nil
    ) throws(PublishRefusal) -> PublishReceipt? {
        var request = PublishRequest(app: app, change: change)
        request.revision = meant
        request.isStrict = strict
        if let revision { request.precondition = { $0?.document.revision == revision } }
        request.author = author
        request.requiresApproval = requiresApproval
        request.catalogBytes = catalogBytes
        var editor = CatalogEditor(catalog, source: .api, now: now)
        let outcome = try editor.apply(request)
        catalog = editor.catalog
        changes += editor.changes
        guard case .stored(let receipt) = outcome else { return nil }
        return receipt
    }

    /// Publishes several recipes in one request.
    mutating func batch(_ text: String, strict: Bool = false) throws(PublishRefusal) -> [RecipeResult] {
        var request = PublishRequest(app: app, change: .putRecipes(Array(text.utf8)))
        request.isStrict = strict
        request.author = author
        request.requiresApproval = requiresApproval
        var editor = CatalogEditor(catalog, source: .api, now: now)
        guard case .batch(let results) = try editor.apply(request) else { return [] }
        catalog = editor.catalog
        changes += editor.changes
        return results
    }

    @discardableResult
    mutating func manifest(_ changes: JSONObject = [:]) throws -> PublishReceipt? {
        try put(.putManifest(SampleManifest.with(changes).encoded))
    }

    @discardableResult
    mutating func recipe(
        _ slug: Identifier, _ document: JSONValue, draft: Bool = false, strict: Bool = false,
        expecting revision: Int? = nil
    ) throws -> PublishReceipt? {
        try put(.putRecipe(slug: slug, document.encoded, asDraft: draft), strict: strict, expecting: revision)
    }

    /// Reads folders, as the daemon does at the start and on SIGHUP.
    mutating func load(_ files: FileCatalog) {
        var editor = CatalogEditor(catalog, source: .file, now: Scene.start)
        failures = editor.apply(files)
        catalog = editor.catalog
        changes += editor.changes
    }

    /// Pauses a recipe whose guards have fired.
    mutating func pause(_ recipe: RecipeReference, revision: Int, _ fired: [FiredGuard]) {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        editor.pause(recipe, revision: revision, fired, webhookID: "w")
        catalog = editor.catalog
        changes += editor.changes
    }

    /// Publishes the stage of a recipe whose guards hold.
    mutating func advance(_ recipe: RecipeReference, revision: Int, to stage: RolloutStages.Stage) {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        editor.advance(recipe, revision: revision, to: stage)
        catalog = editor.catalog
        changes += editor.changes
    }

    /// Loads the catalog that a store has after all changes so far.
    mutating func restart() {
        var unreadable: [String] = []
        catalog = PublishedCatalog.load(StoredCatalog(changes), at: now, failures: &unreadable)
        failures = unreadable
    }

    /// Applies the recipes' start and end dates that have passed.
    mutating func follow() {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        editor.follow()
        catalog = editor.catalog
        changes += editor.changes
    }

    var snapshot: AppSnapshot? { catalog.snapshots[app] }
    var messages: [String] { snapshot?.catalog.messages.map(\.key.text) ?? [] }

    /// The reason why a change is refused. A refused change must leave the catalog as it was.
    mutating func refusal(
        _ change: PublishRequest.Change, strict: Bool = false, expecting revision: Int? = nil, meaning meant: Int? = nil
    ) -> PublishRefusal? {
        let count = changes.count
        do throws(PublishRefusal) {
            _ = try put(change, strict: strict, expecting: revision, meaning: meant)
            return nil
        } catch {
            #expect(changes.count == count)
            return error
        }
    }
}

extension PublishRefusal {
    var faultLocations: [String] {
        guard case .faults(let faults, _) = self else { return ["\(self)"] }
        return faults.map { "\($0.code) \($0.pointer)" }
    }

    var name: String {
        switch self {
        case .malformed: "malformed"
        case .envelope: "envelope"
        case .faults: "faults"
        case .unknownApp: "unknownApp"
        case .notFound: "notFound"
        case .readOnly: "readOnly"
        case .preconditionFailed(let current): "preconditionFailed \(current?.document.revision ?? 0)"
        case .publishedOverAPI: "publishedOverAPI"
        case .noTransition(let state, let next): "noTransition \(state) \(next)"
        case .noStage: "noStage"
        case .inUse: "inUse"
        case .otherSubject: "otherSubject"
        case .ownRevision: "ownRevision"
        case .notAReview: "notAReview"
        case .tooLarge: "tooLarge"
        case .keyConflict: "keyConflict"
        case .store: "store"
        }
    }
}

extension PublishReceipt {
    var warningLocations: [String] { warnings.map { "\($0.code) \($0.pointer)" } }
}
