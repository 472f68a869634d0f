public import BellwetherJSON

/// The name of a document in an app.
public enum DocumentName: Sendable, Hashable {
    case manifest
    case strings(locale: Identifier)
    case recipe(slug: Identifier)

    /// The locale of strings; nil for other documents.
    public var locale: Identifier? {
        if case .strings(let locale) = self { locale } else { nil }
    }
}

/// A document for its owners: the newest revision, its state, and the revision in force.
public struct DocumentVersion: Sendable, Hashable {
    /// The newest revision.
    public let document: StoredDocument
    /// The state. It is `draft` while no revision was ever in force, and for a flow whose file does not call it
    /// published.
    public let state: RecipeState
    /// The revision in force if the newest revision is a draft beside it; nil otherwise.
    public let inForce: StoredDocument?

    public init(document: StoredDocument, state: RecipeState, inForce: StoredDocument? = nil) {
        self.document = document
        self.state = state
        self.inForce = inForce
    }

    init(_ recipe: StoredRecipe) {
        self.init(document: recipe.document, state: recipe.state, inForce: recipe.inForce)
    }

    /// The version of a manifest or of strings; nil if there is neither.
    init?(inForce: StoredDocument?, draft: StoredDocument?) {
        guard let newest = draft ?? inForce else { return nil }
        self.init(
            document: newest, state: inForce == nil ? .draft : .live, inForce: draft == nil ? nil : inForce)
    }

    /// Whether the newest revision was never put live.
    public var isNewestDraft: Bool { state == .draft || inForce != nil }

    /// The version without the draft beside it; nil if no revision was ever in force.
    public var withoutDraft: DocumentVersion? {
        state == .draft ? nil : DocumentVersion(document: inForce ?? document, state: state)
    }

    /// A tag that changes with the document, its revision, its state and the revision in force. The digest covers the
    /// text too, because the revisions of strings that are deleted and put again start from 1.
    public var entityTag: String {
        let standing = "\(state.rawValue) \(inForce?.revision ?? 0)\n"
        let digest = Digest.sha256(Array(standing.utf8) + document.text)
        return "\"\(document.revision)-\(Digest.hex(digest.prefix(6)))\""
    }
}

extension Snapshot {
    /// The document in this snapshot; nil if there is none.
    public func version(of name: DocumentName, in app: Identifier) -> DocumentVersion? {
        let draft = drafts(of: app)[name]
        let app = apps[app]
        return switch name {
        case .manifest: DocumentVersion(inForce: app?.manifestDocument, draft: draft)
        case .strings(let locale): DocumentVersion(inForce: app?.stringDocuments[locale], draft: draft)
        case .recipe(let slug): app?.recipes[slug].map { DocumentVersion($0.stored) }
        }
    }
}

extension CatalogEditor {
    /// The document after the edits so far; nil if there is none.
    func version(of name: DocumentName, in app: Identifier) -> DocumentVersion? {
        let parts = apps[app]
        let draft = drafts[app]?[name]
        return switch name {
        case .manifest: DocumentVersion(inForce: parts?.manifestDocument, draft: draft)
        case .strings(let locale): DocumentVersion(inForce: parts?.strings[locale]?.document, draft: draft)
        case .recipe(let slug): parts?.recipes[slug].map { DocumentVersion($0.stored) }
        }
    }

    /// Refuses a write to a document of the other source, and a write whose precondition is false. A file never
    /// replaces a document that the API published
    /// (docs/decisions/0046-a-file-takes-over-nothing-that-the-api-published.md).
    func guardWrite(of name: DocumentName, in app: Identifier) throws(PublishRefusal) {
        let current = version(of: name, in: app)
        if let current, current.document.source != source, !takesOver {
            throw source == .api ? .readOnly : .publishedOverAPI
        }
        guard precondition(current) else { throw .preconditionFailed(current: current) }
    }
}
