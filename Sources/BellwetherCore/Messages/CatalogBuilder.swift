internal import BellwetherJSON
internal import JEXL

/// Creates messages from the merged values of the recipes and the manifest. Each message is created once for every
/// combination of the variants of its document and of the parts that it names.
struct CatalogBuilder {
    /// The maximum number of messages in a catalog. Each variant counts.
    static let maximumMessages = 65_536

    private let dialect: Dialect
    private let contents: [Identifier: PresentedContent]
    private let scope: AudienceScope
    private let numbering: ([KnownMessage]) -> [Int]
    private(set) var variants: CatalogVariants
    private var combinations = VariantCombinations()

    private(set) var messages: [Message] = []
    private(set) var malformed: [MalformedMessage] = []
    private(set) var triggers: [CompiledTrigger] = []
    /// The triggers of the previous catalog, by their texts.
    private let compiled: [Identifier: CompiledTrigger]
    /// The keys of messages that have more variants than a catalog can contain. They are not served.
    private(set) var oversized: [Identifier] = []
    private var positionBySource: [Identifier: Int] = [:]

    /// Triggers that the previous catalog has compiled with the same segments are not compiled again.
    init(
        manifest: Manifest, manifestRevision: Int, recipes: [CatalogRecipe], contents: [Identifier: PresentedContent],
        scope: AudienceScope, after previous: Catalog?,
        numbering: @escaping ([KnownMessage]) -> [Int]
    ) {
        dialect = manifest.dialect
        (self.contents, self.scope) = (contents, scope)
        compiled = Dictionary(
            (previous?.scope == scope ? previous?.triggers ?? [] : []).map { (Identifier($0.source), $0) },
            uniquingKeysWith: { first, _ in first })
        self.numbering = numbering
        variants = CatalogVariants(manifest: manifest, manifestRevision: manifestRevision, recipes: recipes)
    }

    mutating func build() {
        for key in variants.messageKeys where !add(key) { oversized.append(key) }
        messages.sort { left, right in
            left.style.priority == right.style.priority
                ? left.key < right.key : left.style.priority > right.style.priority
        }
    }

    mutating func onControl() -> Varying<OnControl> {
        variants.onControl() ?? Varying(diagram: nil, variants: [.showNextMessage])
    }

    /// Adds a message. Returns false if it has too many variants.
    private mutating func add(_ key: Identifier) -> Bool {
        guard let unnumbered = unnumbered(of: key) else { return false }
        guard messages.count + malformed.count + unnumbered.count <= Self.maximumMessages else { return false }
        let revisions = numbering(unnumbered.map(\.known))
        for (message, revision) in zip(unnumbered, revisions) { take(message, revision: revision) }
        return true
    }

    /// The variants of a message, before they have revisions; nil if there are too many.
    private mutating func unnumbered(of key: Identifier) -> [UnnumberedMessage]? {
        guard let documents = variants.document(key) else { return nil }
        var unnumbered: [UnnumberedMessage] = []
        for (names, definitions) in named(documents) {
            guard let added = makeUnnumbered(of: key, documents, definitions, names) else { return nil }
            unnumbered += added
        }
        return unnumbered
    }

    /// The variants of a message, grouped by the names that they refer to.
    private func named(
        _ documents: Varying<CatalogVariants.Document?>
    ) -> [(names: MessageNames, definitions: [Int32: MessageDefinition])] {
        var groups: [(names: MessageNames, definitions: [Int32: MessageDefinition])] = []
        var indices: [MessageNames: Int] = [:]
        for (variant, document) in documents.variants.enumerated() {
            guard let document else { continue }
            let definition = MessageDefinition(
                document.fields, dialect: dialect, unreadable: document.unreadable)
            let names = MessageNames(definition)
            if let index = indices[names] {
                groups[index].definitions[Int32(variant)] = definition
            } else {
                indices[names] = groups.count
                groups.append((names, [Int32(variant): definition]))
            }
        }
        return groups
    }

    /// One message for each combination of variants that some client can have; nil if there are too many.
    private mutating func makeUnnumbered(
        of key: Identifier, _ documents: Varying<CatalogVariants.Document?>, _ definitions: [Int32: MessageDefinition],
        _ names: MessageNames
    ) -> [UnnumberedMessage]? {
        guard let parts = MessageParts(names, in: &variants) else { return nil }
        // The document is first, because most clients do not have it.
        let own = [documents.diagram].compactMap(\.self)
        let involved = own + parts.diagrams.filter { !own.contains($0) }
        guard let combinations = combinations.reachable(involved) else { return nil }
        let decisive = VariantCombinations.decisive(combinations, first: !own.isEmpty)
        return zip(combinations, decisive).compactMap { combination, decisive in
            let variants = zip(involved, combination).map { VariantRequirement(diagram: $0, variant: $1) }
            let choice = VariantChoice(variants)
            let requirements = decisive.map { variants[$0] }
            let variant = choice.index(in: documents)
            guard let definition = definitions[Int32(variant)], let document = documents.variants[variant] else {
                return nil
            }
            return UnnumberedMessage(
                key: key, definition: definition, documentRevision: document.revision,
                parts: parts.resolved(choice), requirements: requirements, dialect: dialect, contents: contents)
        }
    }

    private mutating func take(_ message: UnnumberedMessage, revision: Int) {
        if let reason = message.malformation {
            malformed.append(
                MalformedMessage(
                    facts: message.facts, definition: message.definition, priority: message.parts.style?.priority,
                    revision: revision, reason: reason, requirements: message.requirements))
        } else if let style = message.parts.style {
            messages.append(
                Message(
                    revision: revision, definition: message.definition, style: style, action: message.action,
                    triggers: (
                        all: message.parts.triggers.map { use($0) }, except: message.parts.exclusions.map { use($0) }
                    ),
                    facts: message.facts, requirements: message.requirements))
        }
    }

    /// Triggers with the same text are stored once, whatever their names are.
    private mutating func use(_ trigger: NamedSource) -> TriggerUse {
        let source = trigger.source ?? ""
        if let position = positionBySource[Identifier(source)] {
            return TriggerUse(name: trigger.name, expression: position)
        }
        triggers.append(compiled[Identifier(source)] ?? CompiledTrigger(source, in: scope))
        positionBySource[Identifier(source)] = triggers.count - 1
        return TriggerUse(name: trigger.name, expression: triggers.count - 1)
    }
}
