internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The publication of an app that is in force, for clients that follow it (docs/reference/streams.md#the-event). It is
/// made from stored facts alone, so it is the same on all nodes, and after a restart.
public struct PublicationMark: Sendable, Hashable {
    /// 16 hexadecimal digits.
    public let digest: String
    /// The time of the newest document or change of state in force, in whole seconds since 1970.
    public let lastModified: Int64

    /// The entity tag, with its quotes.
    public var etag: String { "\"\(digest)\"" }

    init(_ parts: EditableApp, live: [Identifier], paused: [Identifier], reached: [Identifier]) {
        var facts = ["\(parts.manifestDocument.revision)@\(parts.manifestDocument.publishedAt.milliseconds)"]
        var newest = parts.manifestDocument.publishedAt
        func note(_ kind: String, _ name: Identifier, _ document: StoredDocument) {
            facts.append("\(kind) \(name.text) \(document.revision)@\(document.publishedAt.milliseconds)")
            newest = max(newest, document.publishedAt)
        }
        for (locale, strings) in parts.strings.sorted(by: { $0.key < $1.key }) {
            note("strings", locale, strings.document)
        }
        for (kind, slugs) in [("live", live), ("paused", paused)] {
            for slug in slugs.sorted() {
                guard let stored = parts.recipes[slug]?.stored else { continue }
                note(kind, slug, stored.served)
                stored.stateSince.map { newest = max(newest, $0) }
            }
        }
        lastModified = newest.milliseconds / 1000
        documents = Digest.hex(Digest.sha256(Array(facts.joined(separator: "\n").utf8)).prefix(8))
        (self.reached, lists) = (reached, [])
        digest = Self.digest(documents, reached, lists)
    }

    /// The same documents with other limits reached.
    init(_ other: PublicationMark, reached: [Identifier]) { self.init(other, reached, other.lists) }

    /// The same documents with other lists that their expressions read.
    init(_ other: PublicationMark, lists: [String]) { self.init(other, other.reached, lists) }

    private init(_ other: PublicationMark, _ reached: [Identifier], _ lists: [String]) {
        (documents, lastModified) = (other.documents, other.lastModified)
        (self.reached, self.lists) = (reached, lists)
        digest = Self.digest(documents, reached, lists)
    }

    /// The digest of the documents alone.
    private let documents: String
    private let reached: [Identifier]
    /// Each list with the number of its content.
    private let lists: [String]

    private static func digest(_ documents: String, _ reached: [Identifier], _ lists: [String]) -> String {
        guard !reached.isEmpty || !lists.isEmpty else { return documents }
        let text = ([documents] + reached.map { "limit \($0.text)" }.sorted() + lists.sorted()).joined(separator: "\n")
        return Digest.hex(Digest.sha256(Array(text.utf8)).prefix(8))
    }
}
