internal import BellwetherCore
internal import BellwetherJSON

/// A messaging value in its document: the merged value, and where its author wrote it.
struct LocatedMessaging {
    /// Reports nothing: findings are noted at its pointers.
    let location: JSONReader
    /// The recipe's; nil in a manifest.
    let slug: String?
    /// Nil where the value is not a branch's.
    let branch: String?
    let names: MessagingNames
    private(set) var messages: [LocatedMessage] = []

    /// `value` is what reading made of the value at the location.
    init(
        _ location: JSONReader, _ value: JSONObject, of slug: String?, branch: String? = nil, in manifest: Manifest
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
                    key: key, location: message,
                    definition: MessageDefinition(names.message(key), dialect: manifest.dialect),
                    dialect: manifest.dialect, slug: slug, isNew: base["messages"]?.object?[key] == nil))
        }
    }

    /// All of a recipe: its own, or that of each branch that says something of messages.
    static func values(of recipe: Recipe, in manifest: Manifest) -> [LocatedMessaging] {
        // Reports nothing: it only leads to the author's locations.
        let document = JSONReader(recipe.document, findings: Findings())
        return switch recipe.kind {
        case .messaging(let value) where recipe.content != nil:
            OfferMessaging(document, slug: recipe.slug).map { offer in
                let location = JSONReader(.object(offer.messaging), findings: Findings())
                return [LocatedMessaging(location, value, of: recipe.slug, in: manifest)]
            } ?? []
        case .messaging(let value): [LocatedMessaging(document, value, of: recipe.slug, in: manifest)]
        case .experiment(let experiment): branches(of: experiment, document, in: manifest)
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

    /// The members of one of the maps, as written.
    func entries(of variable: String) -> [(key: String, value: JSONReader)] {
        guard let map = location.optional(variable), map.value.object != nil else { return [] }
        return map.members() ?? []
    }

    /// A text with `{experiment}` replaced.
    func text(at location: JSONReader) -> String? { location.value.string.map(resolved) }

    private func resolved(_ text: String) -> String {
        ExperimentSubstitution.replace(in: text, slug: slug)
    }

    /// A style by name; nil where nothing defines it.
    func style(_ name: String) -> Style? { names.style(name)?.object.map(Style.init) }

    /// Whether the message breaks none of the rules of `Malformation`.
    func isServed(_ message: LocatedMessage) -> Bool {
        let definition = message.definition
        let hasContent =
            definition.isControl
            || !message.dialect.isEmpty(definition.text)
                && definition.action.map { isResolved($0, message.dialect) } ?? true
        return hasContent && names.style(definition.style) != nil
            && (definition.triggers + definition.exclusions).allSatisfy { names.trigger($0) != nil }
    }

    private func isResolved(_ action: String, _ dialect: Dialect) -> Bool {
        names.action(action)?.string != nil || dialect == .ios && action.contains("://")
    }
}

/// A message of such a value. A field that the value does not write is the manifest's.
struct LocatedMessage {
    let key: String
    let location: JSONReader
    let definition: MessageDefinition
    let dialect: Dialect
    let slug: String?
    /// Whether no layer below has the message.
    let isNew: Bool

    /// A field under the spelling that counts; nil where it is not written here.
    func field(_ canonical: String) -> JSONReader? {
        guard location.value.object?[canonical] == nil else { return location.optional(canonical) }
        return dialect.messageAliases.first { $0.value == canonical }.flatMap { location.optional($0.key) }
    }

    /// The options of a survey, where they are written here.
    var options: [JSONReader] { optionList.flatMap { $0.value.array == nil ? nil : $0.elements() } ?? [] }

    var optionList: JSONReader? {
        let config = location.optional("microsurveyConfig")
        return config?.optional("options") ?? config?.optional("answers")
    }

    var triggers: [LocatedName] { list("trigger-if-all", definition.triggers) }
    var exclusions: [LocatedName] { list(dialect.exclusionKey, definition.exclusions) }

    /// A list's names at their locations; those of a list that is not written here stand at the message.
    private func list(_ canonical: String, _ inherited: [String]) -> [LocatedName] {
        guard let list = field(canonical), list.value.array != nil else {
            return inherited.map { LocatedName(name: $0, pointer: location.pointer) }
        }
        return (list.elements() ?? []).compactMap { item in
            text(at: item).map { LocatedName(name: $0, pointer: item.pointer) }
        }
    }

    /// A text with `{experiment}` replaced.
    func text(at location: JSONReader) -> String? {
        guard let text = location.value.string else { return nil }
        return ExperimentSubstitution.replace(in: text, slug: slug)
    }
}

/// A trigger's name where a message writes it.
struct LocatedName {
    let name: String
    let pointer: JSONPointer
}
