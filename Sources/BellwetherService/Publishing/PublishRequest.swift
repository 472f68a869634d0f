public import BellwetherJSON

/// A change of the catalog that an owner requests.
public struct PublishRequest: Sendable {
    public let app: String
    public var change: Change
    /// Every warning is a fault (docs/reference/http-api.md#faults-and-warnings).
    public var isStrict = false
    /// Whether the document may be replaced as it is now.
    public var precondition: Precondition = { _ in true }
    public var idempotency: IdempotencyClaim?
    /// The revision that a change of state means; nil: whichever there is.
    public var revision: Int?
    /// How much JSON the document may hold.
    public var limits = JSONLimits.standard
    /// Whether the documents that it puts were stored before: then mistakes in them are reported, and do not refuse it.
    var isStored = false
    /// How much all documents may take together.
    public var catalogBytes = Int.max
    /// The name of the token that asked, also for the audit.
    public var author = ""
    /// Documents are stored as drafts, and the author of one cannot put it live.
    public var requiresApproval = false
    /// A manifest or strings that are put are stored as a draft; a recipe says so itself.
    public var isDraft = false
    /// Nothing is stored: the outcome is what it would be.
    public var isTrial = false

    /// Nil: there is no such document.
    public typealias Precondition = @Sendable (_ current: DocumentVersion?) -> Bool

    public enum Change: Sendable {
        case putManifest([UInt8])
        case deleteManifest
        case putStrings(locale: String, [UInt8])
        case deleteStrings(locale: String)
        case putRecipe(slug: String, [UInt8], asDraft: Bool)
        case deleteRecipe(slug: String)
        case setState(slug: String, RecipeState)
        /// Puts the draft of a manifest or of strings live.
        case putDraftLive(DocumentName)
        /// Deletes the draft; the document in force stays.
        case discardDraft(DocumentName)
        /// An earlier revision again, as a new one.
        case rollback(slug: String, revision: Int)
        /// `{"data": [recipe, …]}`: each stands alone.
        case putRecipes([UInt8])
    }

    public init(app: String, change: Change) {
        self.app = app
        self.change = change
    }
}

extension PublishRequest.Change {
    /// The document that is changed; nil: several.
    var document: DocumentName? {
        switch self {
        case .putManifest, .deleteManifest: .manifest
        case .putStrings(let locale, _), .deleteStrings(let locale): .strings(locale: locale)
        case .putRecipe(let slug, _, _), .deleteRecipe(let slug), .setState(let slug, _), .rollback(let slug, _):
            .recipe(slug: slug)
        case .putDraftLive(let name), .discardDraft(let name): name
        case .putRecipes: nil
        }
    }

    /// The bytes of the documents that it brings.
    var bytes: Int {
        if case .putRecipes(let text) = self { text.count } else { text?.count ?? 0 }
    }

    /// The text of the document in a PUT of one document.
    var text: [UInt8]? {
        switch self {
        case .putManifest(let text), .putStrings(_, let text), .putRecipe(_, let text, _): text
        case .deleteManifest, .deleteStrings, .deleteRecipe, .setState, .putDraftLive, .discardDraft, .rollback,
            .putRecipes:
            nil
        }
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
        case .putDraftLive(.manifest): "put live manifest"
        case .putDraftLive(.strings(let locale)): "put live strings \(locale)"
        case .putDraftLive(.recipe(let slug)): "put live recipe \(slug)"
        case .discardDraft(.manifest): "discard draft of manifest"
        case .discardDraft(.strings(let locale)): "discard draft of strings \(locale)"
        case .discardDraft(.recipe(let slug)): "discard draft of recipe \(slug)"
        case .rollback(let slug, let revision): "roll recipe \(slug) back to \(revision)"
        case .putRecipes: "put recipes"
        }
    }
}

/// The outcome of a publish.
public enum PublishOutcome: Sendable {
    case stored(PublishReceipt)
    case deleted
    /// In the order of the request.
    case batch([RecipeResult])
    case refused(PublishRefusal)
    /// The idempotency key was used before with the same body.
    case replayed(StoredReply)

    /// The entity tag of the document that was stored, now or when the same was requested first.
    public var entityTag: String? {
        switch self {
        case .stored(let receipt): receipt.entityTag
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
    /// The entity tag of the document as it is now.
    public var entityTag: String?
}

public enum PublishRefusal: Error, Sendable {
    /// Not JSON at all.
    case malformed(JSONError)
    /// JSON of another shape than the request has.
    case envelope([Finding])
    case faults([Finding], warnings: [Finding])
    case unknownApp
    case notFound
    /// It comes from a file, and changes there.
    case readOnly
    /// A file has the name of a document that was published over the API.
    case publishedOverAPI
    /// The document is another than `If-Match` or `If-None-Match` expects.
    case preconditionFailed(current: DocumentVersion?)
    /// `draft -> live <-> paused -> ended` has no such step.
    case noTransition(from: RecipeState, to: RecipeState)
    /// A second person must put it live.
    case ownRevision
    /// The documents of all apps would take more than so many bytes.
    case tooLarge(bound: Int)
    case keyConflict
    case store(StoreError)
}
