public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The stored form of the published catalog: documents as they were written, with their numbers.
public struct StoredCatalog: Sendable {
    public var head: CatalogHead
    public var apps: [StoredApp]

    public init(head: CatalogHead = .none, apps: [StoredApp]) {
        self.head = head
        self.apps = apps
    }
}

/// The number of the last publish. A publish names the head that it has edited, and fails if the head has changed.
public struct CatalogHead: Sendable, Hashable {
    /// The head of a store in which nothing was published.
    public static let none = CatalogHead(revision: 0)

    /// Grows with every publish of any app.
    public let revision: UInt64

    public init(revision: UInt64) { self.revision = revision }
}

public struct StoredApp: Sendable {
    public let name: Identifier
    /// The catalog revision. It grows with every publish in the app (docs/reference/messaging.md#malformed-messages,
    /// docs/reference/http-api.md#the-bundle).
    public var revision: UInt64
    public var manifest: StoredDocument?
    /// The strings, by locale.
    public var strings: [Identifier: StoredDocument]
    /// Drafts of the manifest and of strings, which wait for a second person, and the rows of discarded ones.
    public var drafts: [DocumentName: StoredDocument]
    /// The newest revision of each recipe, without deleted recipes, sorted by slug.
    public var recipes: [StoredRecipe]
    /// The highest revision of each slug whose recipe was deleted, or whose newest draft was discarded. The next
    /// revision of that slug continues from it.
    public var retiredRevisions: [Identifier: Int]
    /// Every message key that was ever published.
    public var messages: [StoredMessage]
    /// The records of the app for readers of Remote Settings, tombstones included.
    public var records: [StoredRecord]
    /// The definitions of derived events.
    var definitions = EventDefinitions()
    /// The periods of recipes with goals, by slug. They outlive their recipes.
    var periods: [Identifier: LoadedPeriods] = [:]
    /// The lists, by name.
    var lists: [Identifier: LoadedList] = [:]

    public init(
        name: Identifier, revision: UInt64 = 0, manifest: StoredDocument? = nil,
        strings: [Identifier: StoredDocument] = [:],
        drafts: [DocumentName: StoredDocument] = [:], recipes: [StoredRecipe] = [],
        retiredRevisions: [Identifier: Int] = [:], messages: [StoredMessage] = [], records: [StoredRecord] = []
    ) {
        self.name = name
        self.revision = revision
        self.manifest = manifest
        self.strings = strings
        self.drafts = drafts
        self.recipes = recipes
        self.retiredRevisions = retiredRevisions
        self.messages = messages
        self.records = records
    }
}

/// The source of a document. A document from a file is read-only over the API.
public enum DocumentSource: String, Sendable, Hashable, CaseIterable {
    case api
    case file
}

public struct StoredDocument: Sendable, Hashable {
    public let revision: Int
    public let source: DocumentSource
    /// The JSON text as it was sent.
    public let text: [UInt8]
    public let publishedAt: Timestamp
    /// The name of the token or person that wrote it; empty if it is not known.
    public let author: String
    /// The person or token that put it live, if that is not the author; empty otherwise.
    public var approver = ""

    public init(revision: Int, source: DocumentSource, text: [UInt8], publishedAt: Timestamp, author: String = "") {
        self.revision = revision
        self.source = source
        self.text = text
        self.publishedAt = publishedAt
        self.author = author
    }

    /// The row of a draft that was discarded, or that was deleted with its document. It has no text. It reserves its
    /// revision, so that an approval that names it cannot mean another document later.
    static func discarded(_ revision: Int, at now: Timestamp) -> StoredDocument {
        StoredDocument(revision: revision, source: .api, text: [], publishedAt: now)
    }

    var isDiscarded: Bool { text.isEmpty }
}

public enum RecipeState: String, Sendable, Hashable, CaseIterable {
    case draft, live, paused, ended
}

public struct StoredRecipe: Sendable, Hashable {
    public let slug: Identifier
    /// The state of the revision in force; `draft` if there never was one.
    public var state: RecipeState
    /// The newest revision.
    public var document: StoredDocument
    /// The revision in force if the newest is a draft beside it; nil otherwise.
    public var inForce: StoredDocument?
    /// The time at which the recipe entered its state; nil if it was not stored.
    public var stateSince: Timestamp?

    public init(
        slug: Identifier, state: RecipeState, document: StoredDocument, inForce: StoredDocument? = nil,
        stateSince: Timestamp? = nil
    ) {
        self.slug = slug
        self.state = state
        self.document = document
        self.inForce = inForce
        self.stateSince = stateSince
    }

    /// The revision in force; for a draft, the newest revision.
    public var served: StoredDocument { inForce ?? document }

    /// Whether the newest revision was never put live.
    public var isNewestDraft: Bool { state == .draft || inForce != nil }
}

/// One revision of a message that was once served. Its events and answers are checked against it.
public struct StoredMessage: Sendable, Hashable {
    public let key: Identifier
    public let revision: Int
    /// The merged message as JSON (see `KnownMessage` in the core).
    public let text: [UInt8]

    public init(key: Identifier, revision: Int, text: [UInt8]) {
        self.key = key
        self.revision = revision
        self.text = text
    }
}

/// One step of a publish.
public enum CatalogChange: Sendable {
    /// The manifest comes into force; its draft is deleted.
    case manifest(app: Identifier, StoredDocument)
    /// Deletes the manifest. The drafts of the app's strings are deleted by `deleteStrings`, one by one.
    case deleteManifest(app: Identifier)
    /// The strings come into force; their draft is deleted.
    case strings(app: Identifier, locale: Identifier, StoredDocument)
    case deleteStrings(app: Identifier, locale: Identifier)
    /// The draft of a manifest or of strings; it replaces an earlier draft.
    case draft(app: Identifier, DocumentName, StoredDocument)
    /// A new revision, or a new state of the newest one. Every revision stays in the history.
    case recipe(app: Identifier, StoredRecipe)
    /// A revision was put live by another person than its author. Nothing else of a revision ever changes.
    case approval(app: Identifier, slug: Identifier, StoredDocument)
    /// The slug is free again. Its history stays, and a later recipe of that slug continues the numbers.
    case deleteRecipe(app: Identifier, slug: Identifier)
    case message(app: Identifier, StoredMessage)
    /// Replaces the record of that collection, app and id.
    case record(app: Identifier, StoredRecord)
    case revision(app: Identifier, UInt64)
    /// A period of a recipe's goals begins, or continues with another revision.
    case periods(app: Identifier, slug: Identifier, RecipePeriods)
    /// Other definitions of derived events are in force.
    case definitions(app: Identifier, EventDefinitions)
    /// A guard pauses a recipe, which the next change of the recipe does: the facts for the audit, and the notices.
    case pause(app: Identifier, slug: Identifier, facts: JSONObject, notices: [OutboxRow])
    case reply(IdempotencyClaim, StoredReply, at: Timestamp)
    /// The notices about the other changes.
    case notices([OutboxRow])
    /// A list is made, changed or deleted.
    case list(app: Identifier, ListWrite)
}

/// A change of the tokens that the daemon issues, or of sessions.
public enum TokenChange: Sendable {
    case issue(StoredToken)
    /// An account has other roles, or another name in lists.
    case change(StoredToken)
    case revoke(StoredToken, at: Timestamp)
    /// A session that expired. No person ended it.
    case lapse(StoredToken, at: Timestamp)
    /// The last use of a token.
    case use(digest: [UInt8], at: Timestamp)
}
