public import BellwetherJSON

/// A message that was once published, whether or not it is served now. Events and answers about it are checked against
/// this record after its recipe has ended or changed.
public struct KnownMessage: Sendable, Hashable {
    public private(set) var revision: Int
    /// The facts, without an enrollment, because that belongs to one client at one time.
    public let facts: MessageFacts
    /// The options as their author wrote them; empty for a message that is no microsurvey.
    public let options: [Identifier]

    public init(revision: Int, facts: MessageFacts, definition: MessageDefinition) {
        self.revision = revision
        self.facts = facts.enrolled(in: nil)
        options = facts.kind.options(of: definition)
    }

    /// The same message with another revision.
    public func numbered(_ revision: Int) -> KnownMessage {
        var message = self
        message.revision = revision
        return message
    }

    /// Whether a store would keep the same bytes of both, except for the revision.
    public func hasSameContent(as other: KnownMessage) -> Bool {
        facts.surface == other.facts.surface && facts.isControl == other.facts.isControl
            && facts.kind == other.facts.kind && facts.isPresenting == other.facts.isPresenting
            && facts.maxDisplayCount == other.facts.maxDisplayCount
            && facts.experiment == other.facts.experiment
            && options == other.options
    }

    /// The document that a store keeps.
    public var document: JSONValue {
        var document: JSONObject = [
            "surface": .string(facts.surface), "control": .bool(facts.isControl),
            "microsurvey": .bool(facts.kind == .microsurvey),
            "max_display_count": .integer(Int64(facts.maxDisplayCount)),
            "experiment": JSONValue(facts.experiment?.text),
            "options": .array(options.map(JSONValue.string)),
        ]
        if facts.isPresenting { document["presenting"] = true }
        return .object(document)
    }

    /// Reads a stored document; nil for a document that the daemon did not write.
    public init?(key: Identifier, revision: Int, document: JSONValue) {
        guard let fields = document.object, let surface = fields["surface"]?.identifier,
            let isControl = fields["control"]?.bool, let isMicrosurvey = fields["microsurvey"]?.bool,
            let cap = fields["max_display_count"]?.integer, let options = fields["options"]?.array
        else { return nil }
        self.revision = revision
        var facts = MessageFacts(
            key: key, surface: surface, isControl: isControl, kind: MessageKind(isMicrosurvey: isMicrosurvey),
            maxDisplayCount: Int(clamping: cap), experiment: fields["experiment"]?.identifier)
        facts.isPresenting = fields["presenting"] == true
        self.facts = facts
        self.options = options.compactMap(\.identifier)
    }
}

extension Catalog {
    /// The records of this catalog's messages that a store keeps.
    public var knownMessages: [KnownMessage] {
        messages.map { KnownMessage(revision: $0.revision, facts: $0.facts, definition: $0.definition) }
            + malformed.map { KnownMessage(revision: $0.revision, facts: $0.facts, definition: $0.definition) }
    }
}

extension JSONValue {
    fileprivate init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}
