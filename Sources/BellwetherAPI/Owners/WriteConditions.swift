internal import BellwetherService
internal import HTTPWire

/// `If-Match` and `If-None-Match` of a write (RFC 9110 13.1). The publisher evaluates them just before the change,
/// while no other change is possible.
struct WriteConditions: Sendable {
    private let ifMatch: [UInt8]?
    private let ifNoneMatch: [UInt8]?

    init(_ request: Request) {
        ifMatch = request.header(.ifMatch).map(Array.init)
        ifNoneMatch = request.header(.ifNoneMatch).map(Array.init)
    }

    var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

    /// `version` is the document's current version; nil if there is no document.
    ///
    /// `If-Match` accepts the entity tag, or the bare revision from a PUT response. The bare revision guards the
    /// document, but not its state. The weak tag of a compressed response equals the strong tag, because it identifies
    /// the same document.
    func hold(for version: DocumentVersion?) -> Bool {
        let tag = version?.entityTag
        if let ifMatch {
            guard let tag, let version else { return false }
            let isMeant = [tag, "\"\(version.document.revision)\""].contains {
                EntityTag.matches(ifNoneMatch: ifMatch[...], etag: $0)
            }
            if !isMeant { return false }
        }
        guard let ifNoneMatch, let tag else { return true }
        return !EntityTag.matches(ifNoneMatch: ifNoneMatch[...], etag: tag)
    }
}
