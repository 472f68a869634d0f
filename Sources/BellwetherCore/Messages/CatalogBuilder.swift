internal import BellwetherJSON

/// Makes messages of what the layers and the manifest come to.
struct CatalogBuilder {
    private let dialect: Dialect
    private let manifestRevision: Int
    private let merged: CatalogMerge
    private let numbering: (KnownMessage) -> Int
    /// The revision of the last layer that touches a message, by key.
    private let revisions: [ByteKey: Int]
    private let enrollments: [ByteKey: EnrolledBranch]

    private(set) var messages: [Message] = []
    private(set) var malformed: [MalformedMessage] = []
    private(set) var triggers: [CompiledTrigger] = []
    private var positionBySource: [ByteKey: Int] = [:]

    init(manifest: Manifest, manifestRevision: Int, layers: [CatalogLayer], numbering: @escaping (KnownMessage) -> Int)
    {
        dialect = manifest.dialect
        self.manifestRevision = manifestRevision
        self.numbering = numbering
        merged = CatalogMerge(manifest: manifest, layers: layers)
        var revisions: [ByteKey: Int] = [:]
        for layer in layers {
            for (key, _) in layer.value["messages"]?.object ?? [:] { revisions[ByteKey(text: key)] = layer.revision }
        }
        self.revisions = revisions
        enrollments = Dictionary(
            layers.map { (ByteKey(text: $0.enrollment.slug), $0.enrollment) }, uniquingKeysWith: { _, later in later })
    }

    var onControl: OnControl { merged.onControl }

    mutating func build() {
        for (key, document) in merged.messages {
            // Null: an entry to be deleted that no layer below has.
            guard let document = document.object else { continue }
            add(key: key, definition: MessageDefinition(document, dialect: dialect))
        }
        messages.sort { left, right in
            left.style.priority == right.style.priority
                ? left.key.precedes(right.key) : left.style.priority > right.style.priority
        }
        malformed.sort { $0.facts.key.precedes($1.facts.key) }
    }

    private mutating func add(key: String, definition: MessageDefinition) {
        let style = style(definition.style)
        let action = action(definition.action)
        let facts = MessageFacts(
            key: key, definition: definition, maxDisplayCount: style?.maxDisplayCount ?? 0,
            enrollment: definition.experiment.flatMap { enrollments[ByteKey(text: $0)] })
        let revision = numbering(
            KnownMessage(
                revision: revisions[ByteKey(text: key)] ?? manifestRevision, facts: facts, definition: definition))
        if let reason = malformation(definition, style: style, action: action) {
            malformed.append(
                MalformedMessage(
                    facts: facts, definition: definition, priority: style?.priority, revision: revision,
                    reason: reason))
        } else if let style {
            messages.append(
                Message(
                    revision: revision, definition: definition, style: style, action: action,
                    triggers: (
                        all: definition.triggers.compactMap { use($0) },
                        except: definition.exclusions.compactMap { use($0) }
                    ), facts: facts))
        }
    }

    /// The first rule that the message breaks; controls skip the text's and the action's.
    private func malformation(
        _ definition: MessageDefinition, style: Style?, action: ActionTemplate?
    ) -> Malformation? {
        if !definition.isControl {
            if dialect.isEmpty(definition.text) { return .emptyText }
            if let name = definition.action, action == nil { return .unknownAction(name) }
        }
        if style == nil { return .unknownStyle(definition.style) }
        if let name = definition.triggers.first(where: { source($0) == nil }) { return .unknownTrigger(name) }
        if let name = definition.exclusions.first(where: { source($0) == nil }) { return .unknownExclusion(name) }
        return nil
    }

    private func style(_ name: String) -> Style? {
        guard let fields = merged.styles[name]?.object else { return nil }
        return Style(
            priority: Int(clamping: fields["priority"]?.integer ?? 50),
            maxDisplayCount: Int(clamping: fields["max-display-count"]?.integer ?? 5))
    }

    /// On iOS the name's URL, else the name itself as a URL; on Android a known name only.
    private func action(_ name: String?) -> ActionTemplate? {
        guard let name else { return nil }
        let known = merged.actions[name]?.string
        switch dialect {
        case .android: return known.map { ActionTemplate(name: name, url: $0) }
        case .ios:
            let url = known ?? name
            return url.contains("://") ? ActionTemplate(name: known == nil ? nil : name, url: url) : nil
        }
    }

    /// Nil for a name that nothing defines; on Android also for a blank expression.
    private func source(_ trigger: String) -> String? {
        guard let source = merged.triggers[trigger]?.string else { return nil }
        return dialect == .android && dialect.isEmpty(source) ? nil : source
    }

    private mutating func use(_ trigger: String) -> TriggerUse? {
        guard let source = source(trigger) else { return nil }
        if let position = positionBySource[ByteKey(text: source)] {
            return TriggerUse(name: trigger, expression: position)
        }
        triggers.append(CompiledTrigger(source))
        positionBySource[ByteKey(text: source)] = triggers.count - 1
        return TriggerUse(name: trigger, expression: triggers.count - 1)
    }
}
