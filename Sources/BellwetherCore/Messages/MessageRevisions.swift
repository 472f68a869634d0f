public import BellwetherJSON

/// The revisions under which messages are served, if they differ from the revisions of the documents that last changed
/// the messages. A daemon derives them from the messages that it served earlier, which a device does not know.
public struct MessageRevisions: Sendable {
    private struct Variant: Hashable {
        let key: Identifier
        /// The revision of the document that last changed the message.
        let published: Int
        /// The content in its stored form.
        let content: JSONValue

        init(_ message: KnownMessage) {
            key = message.facts.key
            published = message.revision
            content = message.document
        }
    }

    private var served: [Variant: Int] = [:]
    /// The keys of the messages in `served`. Other messages need no search.
    private var keys: Set<Identifier> = []

    public init() {}

    /// Stores the revisions that variants of a message have.
    public mutating func note(_ variants: [KnownMessage], _ revisions: [Int]) {
        for (variant, revision) in zip(variants, revisions) where variant.revision != revision {
            note(variant, revision)
        }
    }

    mutating func note(_ variant: KnownMessage, _ revision: Int) {
        served[Variant(variant)] = revision
        keys.insert(variant.facts.key)
    }

    /// The revisions of the variants, for `CompiledApp`.
    public func revisions(of variants: [KnownMessage]) -> [Int] {
        variants.map { variant in
            guard keys.contains(variant.facts.key) else { return variant.revision }
            return served[Variant(variant)] ?? variant.revision
        }
    }
}

/// The revisions in a bundle: `{key: [{published, revision, message}]}`.
extension MessageRevisions {
    public var json: JSONValue {
        var members: [Identifier: [(variant: Variant, revision: Int)]] = [:]
        for (variant, revision) in served { members[variant.key, default: []].append((variant, revision)) }
        return .object(
            JSONObject(
                members.sorted { $0.key < $1.key }.map { key, variants in
                    (key: key.text, value: .array(variants.sorted { $0.revision < $1.revision }.map(Self.json)))
                }))
    }

    private static func json(_ variant: Variant, revision: Int) -> JSONValue {
        [
            "published": .integer(Int64(variant.published)), "revision": .integer(Int64(revision)),
            "message": variant.content,
        ]
    }

    /// Reads the revisions. A malformed entry is left out with a warning, and the message then has its document's
    /// revision.
    public init(reading reader: JSONReader?) {
        for (key, variants) in reader?.tolerant.members() ?? [] {
            for variant in variants.elements() ?? [] {
                let published = variant.required("published")?.revision()
                let revision = variant.required("revision")?.revision()
                guard let published, let revision, let message = variant.required("message") else { continue }
                guard let known = KnownMessage(key: Identifier(key), revision: published, document: message.value)
                else {
                    message.finding("message", "this is not what a message is told by")
                    continue
                }
                note(known, revision)
            }
        }
    }
}

extension JSONReader {
    /// The revision of a document or message.
    func revision() -> Int? { integer(in: 0...Int64.max).map { Int(clamping: $0) } }
}
