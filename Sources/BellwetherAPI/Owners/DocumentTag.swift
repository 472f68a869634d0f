internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// A document's entity tag: its revision, and a digest of its text, for a document that was deleted and made anew
/// counts its revisions from 1 again.
struct DocumentTag {
    let revision: Int
    let text: String

    init(_ document: StoredDocument) {
        revision = document.revision
        text = "\"\(revision)-\(Digest.hex(Digest.sha256(document.text).prefix(6)))\""
    }

    func isKnown(to request: Request) -> Bool {
        request.header(.ifNoneMatch).map { EntityTag.matches(ifNoneMatch: $0, etag: text) } ?? false
    }

    /// Whether `If-Match` allows a change of the document. The bare revision that a PUT answers counts, too, and so
    /// does the weak tag of a compressed answer: it names the same document.
    func isMeant(by ifMatch: ArraySlice<UInt8>) -> Bool {
        [text, "\"\(revision)\""].contains { EntityTag.matches(ifNoneMatch: ifMatch, etag: $0) }
    }
}

/// The document that an owner's route is about.
enum DocumentPlace {
    case manifest
    case strings(locale: String)
    case recipe(slug: String)
    /// Many recipes at once: no document of its own.
    case recipes

    func current(in app: AppSnapshot?) -> StoredDocument? {
        switch self {
        case .manifest: app?.manifestDocument
        case .strings(let locale): app?.stringDocuments[locale]
        case .recipe(let slug): app?.recipes[slug]?.stored.document
        case .recipes: nil
        }
    }
}
