internal import BellwetherCore
internal import BellwetherJSON

/// A messaging value in its document: the merged value, and the location in the author's document.
struct LocatedMessaging {
    /// Findings at this reader are discarded; only its pointers are used.
    let location: JSONReader
    /// The slug of the recipe; nil in a manifest.
    let slug: Identifier?
    /// The branch of the value; nil if it belongs to no branch.
    let branch: Identifier?
    let names: MessagingNames
    private(set) var messages: [LocatedMessage] = []

    /// `value` is the result of reading the value at the location.
    init(
        _ location: JSONReader, _ value: JSONObject, of slug: Identifier?, branch: Identifier? = nil,
        in manifest: Manifest
    ) {
        self.location = location
        self.slug = slug
        self.branch = branch
        let base = slug == nil ? BuiltInMessaging.value(dialect: manifest.dialect) : manifest.baseMessaging
        names = MessagingNames(patch: manifest.vocabulary.reading(value), base: base)
        for (written, message) in entries(of: "messages") where message.value.object != nil {
            let key = resolved(written)
            messages.append(
                LocatedMessage(
                    key: Identifier(key), location: message,
                    definition: MessageDefinition(
                        names.message(key), dialect: manifest.dialect,
                        unreadable: MessageDefinition.unreadable(in: value["messages"]?.object?[key]?.object ?? [:])),
                    dialect: manifest.dialect, slug: slug, isNew: base["messages"]?.object?[key] == nil))
        }
    }

    /// All messaging values of a recipe: its own value, or the value of each branch with messages.
    static func values(of recipe: Recipe, in manifest: Manifest) -> [LocatedMessaging] {
        // These findings are discarded: this reader only finds the author's locations.
        let document = JSONReader(recipe.document, findings: Findings())
        return switch recipe.kind {
        case .messaging(let value) where recipe.content != nil:
            OfferMessaging(document, slug: recipe.slug).map { offer in
                let location = JSONReader(.object(offer.written), findings: Findings())
                return [LocatedMessaging(location, value, of: recipe.slug, in: manifest)]
            } ?? []
        case .messaging(let value): [LocatedMessaging(document, value, of: recipe.slug, in: manifest)]
        case .experiment(let experiment): branches(of: experiment, document, in: manifest)
        case .segment: []
        }
    }

    private static func branches(
        of experiment: Experiment, _ document: JSONReader, in manifest: Manifest
    ) -> [LocatedMessaging] {
        let locations = document.optional("branches")?.elements() ?? []
        return zip(experiment.branches, locations).compactMap { branch, location in
            guard let value = branch.value(of: Experiment.messagingFeature),
                let location = RecipeFeatures.locations(in: location).first(where: RecipeFeatures.isMessaging)?
                    .optional("value")
            else { return nil }
            return LocatedMessaging(location, value, of: experiment.slug, branch: branch.slug, in: manifest)
        }
    }

    /// The members of one of the maps, in the author's form.
    func entries(of variable: String) -> [(key: String, value: JSONReader)] {
        guard let map = location.optional(variable), map.value.object != nil else { return [] }
        return map.members() ?? []
    }

    /// The text, with `{experiment}` replaced.
    func text(at location: JSONReader) -> String? { location.value.string.map(resolved) }

    private func resolved(_ text: String) -> String {
        ExperimentSubstitution.replace(in: text, slug: slug)
    }

    /// A style by name; nil if there is no definition.
    func style(_ name: String) -> Style? { names.style(name)?.object.map(Style.init) }

    /// Whether the message violates none of the rules of `Malformation`.
    func isServed(_ message: LocatedMessage) -> Bool {
        let definition = message.definition
        let hasContent =
            definition.isControl
            || !message.dialect.isEmpty(definition.text) && definition.unreadable == nil
                && definition.action.map { isResolved($0.text, message.dialect) } ?? true
        return hasContent && names.style(definition.style.text) != nil
            && (definition.triggers + definition.exclusions).allSatisfy { names.trigger($0.text) != nil }
    }

    private func isResolved(_ action: String, _ dialect: Dialect) -> Bool {
        names.action(action)?.string != nil || dialect == .ios && action.contains("://")
    }
}

/// A message of a messaging value. A field that the value does not contain comes from the manifest.
struct LocatedMessage {
    let key: Identifier
    let location: JSONReader
    let definition: MessageDefinition
    let dialect: Dialect
    let slug: Identifier?
    /// Whether no lower layer defines the message: neither the manifest nor the built-in messaging.
    let isNew: Bool

    /// A field under its preferred spelling, else its alias; nil if the document does not contain it here.
    func field(_ canonical: String) -> JSONReader? {
        guard location.value.object?[canonical] == nil else { return location.optional(canonical) }
        return dialect.otherSpellings(of: canonical).lazy.compactMap { location.optional($0) }.first
    }

    /// The texts of a survey's options, if they are written here.
    var options: [JSONReader] {
        guard let list = optionList, list.value.array != nil else { return [] }
        return (list.elements() ?? []).map { $0.value.object == nil ? $0 : $0.optional("text") ?? $0 }
    }

    var optionList: JSONReader? {
        let config = field("microsurveyConfig")
        return config?.optional("options") ?? config?.optional("answers")
    }

    var triggers: [LocatedName] { list("trigger-if-all", definition.triggers.map(\.text)) }
    var exclusions: [LocatedName] { list(dialect.exclusionKey, definition.exclusions.map(\.text)) }

    /// The names of a list, with their locations. If the list is not written here, the location is the message.
    private func list(_ canonical: String, _ inherited: [String]) -> [LocatedName] {
        guard let list = field(canonical), list.value.array != nil else {
            return inherited.map { LocatedName(name: $0, pointer: location.pointer) }
        }
        return (list.elements() ?? []).compactMap { item in
            text(at: item).map { LocatedName(name: $0, pointer: item.pointer) }
        }
    }

    /// The text, with `{experiment}` replaced.
    func text(at location: JSONReader) -> String? {
        guard let text = location.value.string else { return nil }
        return ExperimentSubstitution.replace(in: text, slug: slug)
    }
}

/// The name of a trigger, and its location in a message.
struct LocatedName {
    let name: String
    let pointer: JSONPointer
}
