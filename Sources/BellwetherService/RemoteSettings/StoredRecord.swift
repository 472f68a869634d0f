/// A record of a Remote Settings collection as a store keeps it: what it shows, and since when
/// (docs/reference/http-api.md#remote-settings).
///
/// The document itself is the recipe's: only the time has to be kept, for readers ask what is newer than they know.
public struct StoredRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// A revision of a recipe. Paused: no client may newly enroll.
        case recipe(slug: String, revision: Int, isPaused: Bool)
        /// A tombstone, for readers that knew the record.
        case deleted
    }

    public let collection: String
    public let id: String
    /// Milliseconds since 1970: later than that of any record that the collection had before, so no other record has
    /// it.
    public let lastModified: Int64
    public let content: Content

    public init(collection: String, id: String, lastModified: Int64, content: Content) {
        self.collection = collection
        self.id = id
        self.lastModified = lastModified
        self.content = content
    }
}
