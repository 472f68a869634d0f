public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Logging

/// A change of the catalog that an owner requests.
public struct PublishRequest: Sendable {
    public let app: Identifier
    public var change: Change
    /// Whether every warning is a fault (docs/reference/http-api.md#faults-and-warnings).
    public var isStrict = false
    /// Whether the present version of the document may be replaced.
    public var precondition: Precondition = { _ in true }
    public var idempotency: IdempotencyClaim?
    /// The revision that a change of state means; nil if it names none (docs/reference/http-api.md#lifecycle).
    public var revision: Int?
    /// The limits of the document's JSON.
    public var limits = JSONLimits.standard
    /// Whether its documents were stored before. Then mistakes in them are reported, but do not refuse the request.
    var isStored = false
    /// The maximum bytes of all documents together.
    public var catalogBytes = Int.max
    /// The maximum number of ids in all lists together.
    public var listIDs = Int.max
    /// The name of the requester's token, also for the audit.
    public var author = ""
    /// The trace to which notices of the change belong; nil if there is none.
    public var trace: TraceContext?
    /// Whether documents are stored as drafts, which their own author cannot put live.
    public var requiresApproval = false
    /// Whether the requester may only put drafts of others live, or discard them. `requiresApproval` is then set.
    public var isReview = false
    /// Whether a manifest or strings are stored as a draft. The change of a recipe states this itself.
    public var isDraft = false
    /// Whether the request is a trial: nothing is stored, and the outcome is what it would be.
    public var isTrial = false

    /// The parameter is nil if there is no such document.
    public typealias Precondition = @Sendable (_ current: DocumentVersion?) -> Bool

    public enum Change: Sendable {
        case putManifest([UInt8])
        case deleteManifest
        case putStrings(locale: Identifier, [UInt8])
        case deleteStrings(locale: Identifier)
        case putRecipe(slug: Identifier, [UInt8], asDraft: Bool)
        case deleteRecipe(slug: Identifier)
        case setState(slug: Identifier, RecipeState)
        /// Publishes the next stage of a recipe's share (docs/reference/experiments.md#stages).
        case advance(slug: Identifier)
        /// Puts the draft of a manifest or of strings live.
        case putDraftLive(DocumentName)
        /// Deletes the draft; the document in force stays.
        case discardDraft(DocumentName)
        /// Publishes an earlier revision again, as a new one.
        case rollback(slug: Identifier, revision: Int)
        /// The text is `{"data": [recipe, …]}`. Each recipe is published independently.
        case putRecipes([UInt8])
        /// Makes the documents of the app that come from files documents that the API changes.
        case takeOver
        case list(ListChange)
    }

    public init(app: Identifier, change: Change) {
        self.app = app
        self.change = change
    }
}

extension PublishRequest.Change {
    /// The document that is changed; nil if there are several.
    var document: DocumentName? {
        switch self {
        case .putManifest, .deleteManifest: .manifest
        case .putStrings(let locale, _), .deleteStrings(let locale): .strings(locale: locale)
        case .putRecipe(let slug, _, _), .deleteRecipe(let slug), .setState(let slug, _), .advance(let slug),
            .rollback(let slug, _):
            .recipe(slug: slug)
        case .putDraftLive(let name), .discardDraft(let name): name
        case .putRecipes, .takeOver, .list: nil
        }
    }

    /// The bytes of the documents, or of the ids, in the change.
    var bytes: Int {
        switch self {
        case .putRecipes(let text): text.count
        case .list(let change): change.entries.count * MemoryLayout<ListEntry>.size
        default: text?.count ?? 0
        }
    }

    /// The text of the document in a PUT of one document.
    var text: [UInt8]? {
        switch self {
        case .putManifest(let text), .putStrings(_, let text), .putRecipe(_, let text, _): text
        case .deleteManifest, .deleteStrings, .deleteRecipe, .setState, .advance, .putDraftLive, .discardDraft,
            .rollback, .putRecipes, .takeOver, .list:
            nil
        }
    }
}

extension PublishRequest {
    /// The facts of a publish for the log.
    func metadata(of outcome: PublishOutcome) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "app": "\(app)", "change": "\(change)", "by": "\(author)",
        ]
        if let trace { metadata.add(trace) }
        switch outcome {
        case .stored(let receipt):
            metadata["revision"] = "\(receipt.revision)"
            metadata["warnings"] = "\(receipt.warnings.count)"
        case .batch(let results):
            metadata["recipes"] = "\(results.count)"
            metadata["refused"] = "\(results.count { $0.isRefused })"
        case .list(let receipt):
            metadata["revision"] = "\(receipt.list.stored.revision)"
            metadata["count"] = "\(receipt.list.stored.count)"
        case .deleted, .refused, .replayed: break
        }
        return metadata
    }
}

extension Logger.Metadata {
    /// Adds the ids of the trace of the request that has caused the event.
    mutating func add(_ trace: TraceContext) {
        self["trace_id"] = "\(trace.traceID)"
        self["span_id"] = "\(trace.parentID)"
    }
}

extension PublishRequest.Change: CustomStringConvertible {
    /// The subject of the change, as a log line names it.
    public var description: String {
        switch self {
        case .putManifest: "put manifest"
        case .deleteManifest: "delete manifest"
        case .putStrings(let locale, _): "put strings \(locale)"
        case .deleteStrings(let locale): "delete strings \(locale)"
        case .putRecipe(let slug, _, let asDraft): "put \(asDraft ? "draft" : "recipe") \(slug)"
        case .deleteRecipe(let slug): "delete recipe \(slug)"
        case .setState(let slug, let state): "put \(state.rawValue) recipe \(slug)"
        case .advance(let slug): "advance recipe \(slug)"
        case .putDraftLive(.manifest): "put live manifest"
        case .putDraftLive(.strings(let locale)): "put live strings \(locale)"
        case .putDraftLive(.recipe(let slug)): "put live recipe \(slug)"
        case .discardDraft(.manifest): "discard draft of manifest"
        case .discardDraft(.strings(let locale)): "discard draft of strings \(locale)"
        case .discardDraft(.recipe(let slug)): "discard draft of recipe \(slug)"
        case .rollback(let slug, let revision): "roll recipe \(slug) back to \(revision)"
        case .putRecipes: "put recipes"
        case .takeOver: "take over the files"
        case .list(let change): "\(change.action) list \(change.name)"
        }
    }
}

/// The outcome of a publish.
public enum PublishOutcome: Sendable {
    case stored(PublishReceipt)
    /// A list is made or changed, or stays as it is.
    case list(ListReceipt)
    case deleted
    /// The results are in the order of the request.
    case batch([RecipeResult])
    case refused(PublishRefusal)
    /// The idempotency key was used before with the same body.
    case replayed(StoredReply)

    /// The entity tag of the document that was stored, now or by the first request with the same key.
    public var entityTag: String? {
        switch self {
        case .stored(let receipt): receipt.entityTag
        case .list(let receipt): receipt.list.stored.version.entityTag
        case .replayed(let reply): reply.entityTag
        case .deleted, .batch, .refused: nil
        }
    }
}

public struct PublishReceipt: Sendable {
    public enum Effect: Sendable, Hashable {
        case created, changed, unchanged
    }

    public let effect: Effect
    public let revision: Int
    /// The state; nil for manifests and strings that need no approval.
    public let state: RecipeState?
    public let warnings: [Finding]
    /// The entity tag of the document after the publish.
    public var entityTag: String?
}

public enum PublishRefusal: Error, Sendable {
    /// The text is not JSON.
    case malformed(JSONError)
    /// The JSON does not have the form of the request.
    case envelope([Finding])
    case faults([Finding], warnings: [Finding])
    case unknownApp
    case notFound
    /// The document comes from a file, and can be changed only there.
    case readOnly
    /// A file has the name of a document that was published over the API.
    case publishedOverAPI
    /// The document is not the version that `If-Match` or `If-None-Match` expects.
    case preconditionFailed(current: DocumentVersion?)
    /// The states `draft -> live <-> paused -> ended` have no such transition.
    case noTransition(from: RecipeState, to: RecipeState)
    /// The recipe is not live, or has no further stage.
    case noStage
    /// Documents in force read it: slugs, nil for the manifest.
    case inUse([Identifier?])
    /// The list has ids of others.
    case otherSubject(ListSubject)
    /// A second person must put it live.
    case ownRevision
    /// A reviewer only puts the draft of another person live, or discards it.
    case notAReview
    /// The documents of all apps would have more bytes than the bound.
    case tooLarge(bound: Int)
    case keyConflict
    case store(StoreError)
}

extension PublishRefusal {
    /// A draft that needs approval would go live, and the request does not name its revision.
    static let unnamedDraft = PublishRefusal.faults(
        [
            Finding(
                pointer: .root.appending("revision"), code: "required",
                message: "a draft that needs approval goes live only by its revision")
        ], warnings: [])
}
