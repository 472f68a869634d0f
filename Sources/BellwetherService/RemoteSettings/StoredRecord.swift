public import BellwetherJSON

/// A stored record of a Remote Settings collection: the recipe that it shows, and the time of its last change
/// (docs/reference/http-api.md#remote-settings).
///
/// The document is stored with the recipe. Only the time is stored here, because readers request the records after a
/// time.
public struct StoredRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// A revision of a recipe. If it is paused, no further client may enroll.
        case recipe(slug: Identifier, revision: Int, isPaused: Bool)
        /// A tombstone, for readers that knew the record.
        case deleted
    }

    public let collection: Identifier
    public let id: Identifier
    /// Milliseconds since 1970. The time is later than the time of every record that the collection had before, so it
    /// is unique.
    public let lastModified: Int64
    public let content: Content

    public init(collection: Identifier, id: Identifier, lastModified: Int64, content: Content) {
        self.collection = collection
        self.id = id
        self.lastModified = lastModified
        self.content = content
    }
}
