public import BellwetherJSON

/// A message that can be served, with resolved names and compiled expressions. The object is shared.
public final class Message: Sendable {
    public let key: Identifier
    /// The revision of the recipe that last changed the message, or of the manifest if no recipe did.
    public let revision: Int
    public let definition: MessageDefinition
    public let style: Style
    public let action: ActionTemplate?
    public let triggers: [TriggerUse]
    public let exclusions: [TriggerUse]
    public let facts: MessageFacts
    /// Whether an offer depends on more than triggers, exclusions and the cap.
    let isPaced: Bool
    /// The branches that a client must have to see the message in this variant.
    package let requirements: [VariantRequirement]

    init(
        revision: Int, definition: MessageDefinition, style: Style, action: ActionTemplate?,
        triggers: (all: [TriggerUse], except: [TriggerUse]), facts: MessageFacts, requirements: [VariantRequirement]
    ) {
        key = facts.key
        self.revision = revision
        self.definition = definition
        self.style = style
        self.action = action
        self.triggers = triggers.all
        exclusions = triggers.except
        self.facts = facts
        isPaced = facts.pacing != nil || definition.presents != nil || definition.launchTrigger != nil
        self.requirements = requirements
    }
}

public struct Style: Sendable, Hashable {
    public let priority: Int
    public let maxDisplayCount: Int
    /// The pacing of messages that have no pacing of their own.
    public var pacing: Pacing?
}

/// An action's URL before substitution. The name is nil if the message contains the URL itself.
public struct ActionTemplate: Sendable, Hashable {
    public let name: Identifier?
    public let url: String
}

/// A trigger's name, and the index of its expression in the catalog.
public struct TriggerUse: Sendable, Hashable {
    public let name: Identifier
    public let expression: Int
}
