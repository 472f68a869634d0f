internal import BellwetherJSON

/// A message of one combination of variants, before it has its revision. The object is shared.
final class UnnumberedMessage: Sendable {
    let definition: MessageDefinition
    let parts: ResolvedParts
    let requirements: [VariantRequirement]
    let facts: MessageFacts
    /// The action; nil if there is none, or none that can be resolved.
    let action: ActionTemplate?
    /// The first rule that the message breaks.
    let malformation: Malformation?
    /// The record that is stored, with the revision of the document that last changed the message.
    let known: KnownMessage

    init(
        key: Identifier, definition: MessageDefinition, documentRevision: Int, parts: ResolvedParts,
        requirements: [VariantRequirement], dialect: Dialect, contents: [Identifier: PresentedContent]
    ) {
        self.definition = definition
        self.parts = parts
        self.requirements = requirements
        let pacing = definition.pacing ?? parts.style?.pacing
        // A display policy replaces the style's cap.
        let cap = pacing?.display == nil ? parts.style?.maxDisplayCount ?? 0 : .max
        var facts = MessageFacts(
            key: key, definition: definition, maxDisplayCount: cap, enrollment: parts.enrollment)
        facts.pacing = pacing
        self.facts = facts
        action = parts.action.flatMap { ActionTemplate($0, dialect: dialect) }
        malformation =
            Malformation(definition, parts: parts, action: action, dialect: dialect)
            ?? definition.presents.flatMap { slug in
                contents[slug] == nil ? .unknownContent(slug) : nil
            }
        known = KnownMessage(revision: documentRevision, facts: facts, definition: definition)
    }
}

extension ActionTemplate {
    /// Resolves a named action. On iOS it is the URL of that name, or else the name itself as a URL. On Android only a
    /// defined name is valid.
    fileprivate init?(_ named: NamedSource, dialect: Dialect) {
        switch dialect {
        case .android:
            guard let url = named.source else { return nil }
            self.init(name: named.name, url: url)
        case .ios:
            let url = named.source ?? named.name.text
            guard url.contains("://") else { return nil }
            self.init(name: named.source == nil ? nil : named.name, url: url)
        }
    }
}

extension Malformation {
    /// The first rule that the message breaks. Controls need no text and no action.
    fileprivate init?(
        _ definition: MessageDefinition, parts: ResolvedParts, action: ActionTemplate?, dialect: Dialect
    ) {
        func isUnknown(_ trigger: NamedSource) -> Bool {
            guard let source = trigger.source else { return true }
            return dialect == .android && dialect.isEmpty(source)
        }
        if !definition.isControl, dialect.isEmpty(definition.text) {
            self = .emptyText
        } else if !definition.isControl, let part = definition.unreadable {
            self = .unreadable(part)
        } else if !definition.isControl, let name = parts.action?.name, action == nil {
            self = .unknownAction(name)
        } else if parts.style == nil {
            self = .unknownStyle(definition.style)
        } else if let trigger = parts.triggers.first(where: isUnknown) {
            self = .unknownTrigger(trigger.name)
        } else if let trigger = parts.exclusions.first(where: isUnknown) {
            self = .unknownExclusion(trigger.name)
        } else {
            return nil
        }
    }
}
