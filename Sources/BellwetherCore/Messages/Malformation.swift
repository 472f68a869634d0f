public import BellwetherJSON

/// The reason why a message cannot be served, in the order of the checks
/// (docs/reference/messaging.md#malformed-messages).
public enum Malformation: Sendable, Hashable {
    case emptyText
    /// A part of a microsurvey that its author wrote cannot be read, and a built-in text would take its place.
    case unreadable(String)
    case unknownAction(Identifier)
    case unknownStyle(Identifier)
    case unknownTrigger(Identifier)
    case unknownExclusion(Identifier)
    /// No present or former recipe has the slug that the message presents.
    case unknownContent(Identifier)

    public var sentence: String {
        switch self {
        case .emptyText: "it has no text"
        case .unreadable(let part): "its \(part) cannot be read"
        case .unknownAction(let name): "its action \"\(name)\" is neither known nor a URL"
        case .unknownStyle(let name): "its style \"\(name)\" is not known"
        case .unknownTrigger(let name): "its trigger \"\(name)\" is not known"
        case .unknownExclusion(let name): "its exclusion \"\(name)\" is not known"
        case .unknownContent(let slug): "the recipe \"\(slug)\" that it presents is not known"
        }
    }
}

public struct MalformedMessage: Sendable, Hashable {
    public let facts: MessageFacts
    public let definition: MessageDefinition
    /// The priority; nil if the style is missing.
    public let priority: Int?
    public let revision: Int
    public let reason: Malformation
    let requirements: [VariantRequirement]
}
