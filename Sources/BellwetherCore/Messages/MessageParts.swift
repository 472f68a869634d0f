package import BellwetherJSON

/// The names by which a message refers to other parts.
struct MessageNames: Hashable {
    let style: Identifier
    let action: Identifier?
    let triggers: [Identifier]
    let exclusions: [Identifier]
    let experiment: Identifier?

    init(_ definition: MessageDefinition) {
        style = definition.style
        action = definition.action
        triggers = definition.triggers
        exclusions = definition.exclusions
        experiment = definition.experiment
    }
}

/// The parts that a message's names refer to, in all variants.
struct MessageParts {
    private let style: Varying<Style?>
    private let action: (name: Identifier, url: Varying<String?>)?
    private let triggers: [(name: Identifier, source: Varying<String?>)]
    private let exclusions: [(name: Identifier, source: Varying<String?>)]
    private let enrollment: Varying<EnrolledBranch?>?

    /// Resolves the names; nil if one of the parts has too many variants.
    init?(_ names: MessageNames, in variants: inout CatalogVariants) {
        guard let style = variants.style(names.style) else { return nil }
        self.style = style
        var action: (name: Identifier, url: Varying<String?>)?
        if let name = names.action {
            guard let url = variants.action(name) else { return nil }
            action = (name, url)
        }
        self.action = action
        guard let triggers = Self.sources(names.triggers, in: &variants),
            let exclusions = Self.sources(names.exclusions, in: &variants)
        else { return nil }
        self.triggers = triggers
        self.exclusions = exclusions
        enrollment = names.experiment.map { variants.enrollment(in: $0) }
    }

    private static func sources(
        _ names: [Identifier], in variants: inout CatalogVariants
    ) -> [(name: Identifier, source: Varying<String?>)]? {
        var sources: [(name: Identifier, source: Varying<String?>)] = []
        for name in names {
            guard let source = variants.trigger(name) else { return nil }
            sources.append((name, source))
        }
        return sources
    }

    /// The diagrams of the parts that have several variants, each once.
    var diagrams: [VariantDiagram] {
        let named = [style.diagram, action?.url.diagram, enrollment?.diagram]
        let all = named + (triggers + exclusions).map(\.source.diagram)
        return all.compactMap(\.self).reduce(into: []) { distinct, diagram in
            if !distinct.contains(diagram) { distinct.append(diagram) }
        }
    }

    func resolved(_ choice: VariantChoice) -> ResolvedParts {
        func resolved(_ sources: [(name: Identifier, source: Varying<String?>)]) -> [NamedSource] {
            sources.map { NamedSource(name: $0.name, source: choice.variant(of: $0.source)) }
        }
        return ResolvedParts(
            style: choice.variant(of: style),
            action: action.map { NamedSource(name: $0.name, source: choice.variant(of: $0.url)) },
            triggers: resolved(triggers), exclusions: resolved(exclusions),
            enrollment: enrollment.flatMap { choice.variant(of: $0) })
    }
}

/// A name and its text, which is nil if nothing defines the name.
struct NamedSource {
    let name: Identifier
    let source: String?
}

/// The parts that a message's names refer to, for clients of one combination of variants.
struct ResolvedParts {
    let style: Style?
    let action: NamedSource?
    let triggers: [NamedSource]
    let exclusions: [NamedSource]
    let enrollment: EnrolledBranch?
}

/// One combination of variants.
struct VariantChoice {
    private let variants: [VariantDiagram: Int32]

    init(_ requirements: [VariantRequirement]) {
        variants = Dictionary(uniqueKeysWithValues: requirements.map { ($0.diagram, $0.variant) })
    }

    func index<Variant>(in varying: Varying<Variant>) -> Int {
        varying.diagram.flatMap { variants[$0].map(Int.init) } ?? 0
    }

    func variant<Variant>(of varying: Varying<Variant>) -> Variant { varying.variants[index(in: varying)] }
}

/// The options of a microsurvey in the forms that authors write (docs/reference/messaging.md#message-fields).
enum MicrosurveyOptions {
    /// The texts of a list in which each object is an answer of Firefox for Android, by `ordering`; nil if an object
    /// cannot be read. Answers with the same `ordering`, and those without one, keep their order.
    static func texts(_ options: [JSONValue]) -> [JSONValue]? {
        var texts: [(value: JSONValue, ordering: Double)] = []
        for option in options {
            guard let answer = option.object else {
                texts.append((option, 0))
                continue
            }
            guard let text = answer["text"], text.string != nil else { return nil }
            let ordering = answer["ordering"] ?? .null
            guard ordering == .null || ordering.double != nil else { return nil }
            texts.append((text, ordering.double ?? 0))
        }
        let sorted = texts.enumerated().sorted {
            ($0.element.ordering, $0.offset) < ($1.element.ordering, $1.offset)
        }
        return sorted.map(\.element.value)
    }

    static func check(_ option: JSONReader, _ dialect: Dialect) {
        guard dialect == .android, option.value.object != nil else {
            _ = option.string()
            return
        }
        _ = option.required("text")?.string()
        if let ordering = option.optional("ordering") { _ = ordering.number() }
        option.refuseUnknown(keys: ["text", "ordering"])
    }
}

extension MessageDefinition {
    /// The first part of a message's document that its author wrote and that cannot be read, as a path: a default would
    /// take its place. Nil if there is none. An empty list of options is as good as none.
    package static func unreadable(in message: JSONObject) -> String? {
        if let key = unreadableText(["title", "button-label"], in: message) { return key }
        guard let config = message[MicrosurveyDefinition.key], config != .null else { return nil }
        guard let members = config.object else { return MicrosurveyDefinition.key }
        if let key = unreadableText(["icon", "utm-content"], in: members) {
            return "\(MicrosurveyDefinition.key).\(key)"
        }
        if let options = members["options"], options != .null {
            let isReadable = options.array.map { $0.isEmpty || $0.contains { $0.string != nil } } ?? false
            return isReadable ? nil : "\(MicrosurveyDefinition.key).options"
        }
        // Probably options under a key that nothing reads.
        return members.first { $0.value.array?.isEmpty == false }.map { "\(MicrosurveyDefinition.key).\($0.key)" }
    }

    private static func unreadableText(_ keys: [String], in object: JSONObject) -> String? {
        keys.first { key in object[key].map { $0 != .null && $0.string == nil } ?? false }
    }
}
