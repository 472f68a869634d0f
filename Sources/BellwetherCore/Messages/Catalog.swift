internal import BellwetherJSON

/// All messages of an app for clients of one set of branches: merged, resolved and compiled at publish.
///
/// Immutable; shared by every worker. Messages stand in the order of selection: priority descending, then key
/// ascending by code point (nimbus-messaging.md B1).
public final class Catalog: Sendable {
    /// Grows with every publish in the app.
    public let revision: UInt64
    public let messages: [Message]
    public let malformed: [MalformedMessage]
    public let triggers: [CompiledTrigger]
    public let onControl: OnControl
    /// The branches whose values are merged here, in canonical order.
    public let enrollments: [EnrolledBranch]

    /// Positions in `messages`, in order, by surface.
    let positionsBySurface: [String: [Int]]
    /// Parallel to `messages`.
    let candidates: [Candidate]
    private let positionByKey: [ByteKey: Int]
    private let enrollmentBySlug: [ByteKey: EnrolledBranch]

    /// `numbering` gives each message its revision; what it is given has that of the document that last touched it.
    public init(
        manifest: Manifest, manifestRevision: Int, layers: [CatalogLayer], revision: UInt64,
        numbering: @escaping (KnownMessage) -> Int = { $0.revision }
    ) {
        var builder = CatalogBuilder(
            manifest: manifest, manifestRevision: manifestRevision, layers: layers, numbering: numbering)
        builder.build()
        let messages = builder.messages
        self.revision = revision
        self.messages = messages
        malformed = builder.malformed
        triggers = builder.triggers
        onControl = builder.onControl
        enrollments = layers.map(\.enrollment)
        let triggers = builder.triggers
        candidates = messages.map { Candidate($0, triggers: triggers) }
        positionsBySurface = Dictionary(grouping: messages.indices, by: { messages[$0].facts.surface })
        positionByKey = Dictionary(uniqueKeysWithValues: messages.indices.map { (ByteKey(text: messages[$0].key), $0) })
        enrollmentBySlug = Dictionary(
            enrollments.map { (ByteKey(text: $0.slug), $0) }, uniquingKeysWith: { _, later in later })
    }

    public func message(_ key: String) -> Message? { positionByKey[ByteKey(text: key)].map { messages[$0] } }

    /// The branch of a recipe in which clients of this catalog are enrolled.
    public func enrollment(in slug: String) -> EnrolledBranch? { enrollmentBySlug[ByteKey(text: slug)] }
}
