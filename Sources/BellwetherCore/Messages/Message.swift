/// A message that can be served: its names resolved, its expressions compiled. One object for all who hold it.
public final class Message: Sendable {
    public let key: String
    /// The revision of the recipe that last touched the message; of the manifest, when none did.
    public let revision: Int
    public let definition: MessageDefinition
    public let style: Style
    public let action: ActionTemplate?
    public let triggers: [TriggerUse]
    public let exclusions: [TriggerUse]
    public let facts: MessageFacts
    /// Whether more than triggers, exclusions and the cap has a say in its offers.
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
    /// The pacing of messages that have none of their own.
    public var pacing: Pacing?
}

/// An action's URL before substitution. The name is null when the message wrote the URL itself.
public struct ActionTemplate: Sendable, Hashable {
    public let name: String?
    public let url: String
}

/// A trigger by name, and where its expression stands in the catalog.
public struct TriggerUse: Sendable, Hashable {
    public let name: String
    public let expression: Int
}
