internal import BellwetherJSON

/// Merges the layers over the manifest and makes messages of what results.
struct CatalogBuilder {
    private let dialect: Dialect
    private let manifestRevision: Int
    private let merged: JSONObject
    /// The revision of the last layer that touches a message, by key.
    private let revisions: [String: Int]
    private let enrollments: [String: EnrolledBranch]

    private(set) var messages: [Message] = []
    private(set) var malformed: [MalformedMessage] = []
    private(set) var triggers: [CompiledTrigger] = []
    private var positionBySource: [String: Int] = [:]

    init(manifest: Manifest, manifestRevision: Int, layers: [CatalogLayer]) {
        dialect = manifest.dialect
        self.manifestRevision = manifestRevision
        merged = layers.reduce(manifest.baseMessaging) { JSONPatch.merge($1.value, over: $0) }
        revisions = Dictionary(
            layers.flatMap { layer in (layer.value["messages"]?.object?.keys ?? []).map { ($0, layer.revision) } },
            uniquingKeysWith: { _, later in later })
        enrollments = Dictionary(
            layers.map { ($0.enrollment.slug, $0.enrollment) }, uniquingKeysWith: { _, later in later })
    }

    /// An unknown value reads as missing, and missing is the default.
    var onControl: OnControl { merged["on-control"]?.string.flatMap(OnControl.init) ?? .showNextMessage }

    mutating func build() {
        for (key, document) in merged["messages"]?.object ?? [:] {
            // The SDK drops an entry that is no object without a word.
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
        let facts = MessageFacts(
            key: key, definition: definition, maxDisplayCount: style?.maxDisplayCount ?? 0,
            enrollment: definition.experiment.flatMap { enrollments[$0] })
        let revision = revisions[key] ?? manifestRevision
        let action = action(definition.action)
        guard let style, malformation(definition, action: action) == nil else {
            malformed.append(
                MalformedMessage(
                    facts: facts, definition: definition, priority: style?.priority, revision: revision,
                    reason: malformation(definition, action: action) ?? .unknownStyle(definition.style)))
            return
        }
        messages.append(
            Message(
                revision: revision, definition: definition, style: style, action: action,
                triggers: (
                    all: definition.triggers.compactMap { use($0) }, except: definition.exclusions.compactMap { use($0) }
                ), facts: facts))
    }

    /// The first rule that the message breaks; controls skip the text's and the action's.
    private func malformation(_ definition: MessageDefinition, action: ActionTemplate?) -> Malformation? {
        if !definition.isControl {
            if dialect.isEmpty(definition.text) { return .emptyText }
            if let name = definition.action, action == nil { return .unknownAction(name) }
        }
        if style(definition.style) == nil { return .unknownStyle(definition.style) }
        if let name = definition.triggers.first(where: { source($0) == nil }) { return .unknownTrigger(name) }
        if let name = definition.exclusions.first(where: { source($0) == nil }) { return .unknownExclusion(name) }
        return nil
    }

    private func style(_ name: String) -> Style? {
        guard let fields = merged["styles"]?.object?[name]?.object else { return nil }
        return Style(
            priority: Int(clamping: fields["priority"]?.integer ?? 50),
            maxDisplayCount: Int(clamping: fields["max-display-count"]?.integer ?? 5))
    }

    /// On iOS the name's URL, else the name itself as a URL; on Android a known name only.
    private func action(_ name: String?) -> ActionTemplate? {
        guard let name else { return nil }
        let known = merged["actions"]?.object?[name]?.string
        switch dialect {
        case .android: return known.map { ActionTemplate(name: name, url: $0) }
        case .ios:
            let url = known ?? name
            return url.contains("://") ? ActionTemplate(name: known == nil ? nil : name, url: url) : nil
        }
    }

    private func source(_ trigger: String) -> String? {
        guard let source = merged["triggers"]?.object?[trigger]?.string else { return nil }
        return dialect == .android && dialect.isEmpty(source) ? nil : source
    }

    private mutating func use(_ trigger: String) -> TriggerUse? {
        guard let source = source(trigger) else { return nil }
        if let position = positionBySource[source] { return TriggerUse(name: trigger, expression: position) }
        triggers.append(CompiledTrigger(source))
        positionBySource[source] = triggers.count - 1
        return TriggerUse(name: trigger, expression: triggers.count - 1)
    }
}
