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
    let positionByKey: [String: Int]
    /// Parallel to `messages`.
    let candidates: [Candidate]

    public init(manifest: Manifest, manifestRevision: Int, layers: [CatalogLayer], revision: UInt64) {
        var builder = CatalogBuilder(manifest: manifest, manifestRevision: manifestRevision, layers: layers)
        builder.build()
        self.revision = revision
        messages = builder.messages
        malformed = builder.malformed
        triggers = builder.triggers
        onControl = builder.onControl
        enrollments = layers.map(\.enrollment)
        candidates = builder.messages.map { Candidate($0, triggers: builder.triggers) }
        positionsBySurface = Dictionary(grouping: messages.indices, by: { builder.messages[$0].facts.surface })
        positionByKey = Dictionary(uniqueKeysWithValues: messages.indices.map { (builder.messages[$0].key, $0) })
    }

    public func message(_ key: String) -> Message? { positionByKey[key].map { messages[$0] } }

    /// The branch of a recipe in which clients of this catalog are enrolled.
    public func enrollment(in slug: String) -> EnrolledBranch? { enrollments.first { $0.slug == slug } }
}
