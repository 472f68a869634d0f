internal import BellwetherJSON

/// What messages came to at a publish, kept for the next of the app: where nothing was changed that a message names, it
/// comes to the same again (docs/decisions/0030).
struct KeptDrafts: Sendable {
    private let manifest: JSONValue
    private let manifestRevision: Int
    /// In canonical order.
    private let recipes: [CatalogRecipe]
    /// Between whose branches forms differ, by their places.
    private let experiments: ExperimentSet
    private(set) var messages: [ByteKey: Message] = [:]

    /// One message.
    struct Message {
        /// One for each of its forms.
        let drafts: [MessageDraft]
        /// How many states were followed to find them (see `FormCombinations`).
        let effort: Int

        var isVaried: Bool { drafts.contains { !$0.requirements.isEmpty } }
    }

    init(manifest: Manifest, manifestRevision: Int, recipes: [CatalogRecipe], experiments: ExperimentSet) {
        self.manifest = manifest.document
        self.manifestRevision = manifestRevision
        self.recipes = recipes
        self.experiments = experiments
    }

    mutating func keep(_ key: String, _ message: Message) { messages[ByteKey(text: key)] = message }

    /// Those that hold under these documents too, asked for by key.
    func standing(in next: KeptDrafts) -> StandingDrafts {
        guard manifestRevision == next.manifestRevision, manifest == next.manifest,
            let changed = ChangedNames(from: recipes, to: next.recipes)
        else { return StandingDrafts() }
        return StandingDrafts(messages, apartFrom: changed, arePlacesKept: experiments === next.experiments)
    }
}

/// Drafts of an earlier publish, without those of messages that name something changed.
struct StandingDrafts {
    private let messages: [ByteKey: KeptDrafts.Message]
    private let changed: ChangedNames?
    /// Whether each experiment stands where it stood.
    private let arePlacesKept: Bool

    init() {
        messages = [:]
        changed = nil
        arePlacesKept = false
    }

    init(_ messages: [ByteKey: KeptDrafts.Message], apartFrom changed: ChangedNames, arePlacesKept: Bool) {
        self.messages = messages
        self.changed = changed
        self.arePlacesKept = arePlacesKept
    }

    func message(_ key: String) -> KeptDrafts.Message? {
        guard let changed, let message = messages[ByteKey(text: key)], arePlacesKept || !message.isVaried,
            !changed.concerns(key), !message.drafts.contains(where: changed.concerns)
        else { return nil }
        return message
    }
}

/// The names of which a recipe says something else than before, or says something no more.
struct ChangedNames {
    private var entries: Set<MessagingSlices.Entry> = []
    private var slugs: Set<ByteKey> = []

    /// Nil where a recipe has something else in the place of a map: that concerns all its names.
    init?(from old: [CatalogRecipe], to new: [CatalogRecipe]) {
        let before = Dictionary(old.map { (ByteKey(text: $0.slug), $0) }, uniquingKeysWith: { $1 })
        var unchanged: Set<ByteKey> = []
        for recipe in new {
            let slug = ByteKey(text: recipe.slug)
            guard recipe.keepsMaps else { return nil }
            if let earlier = before[slug], earlier == recipe { unchanged.insert(slug) } else { note(recipe) }
        }
        for recipe in old where !unchanged.contains(ByteKey(text: recipe.slug)) {
            guard recipe.keepsMaps else { return nil }
            note(recipe)
        }
    }

    private mutating func note(_ recipe: CatalogRecipe) {
        slugs.insert(ByteKey(text: recipe.slug))
        recipe.forEachEntry { entry in entries.insert(entry) }
    }

    func concerns(_ key: String) -> Bool { has("messages", key) }

    /// By what it names.
    func concerns(_ draft: MessageDraft) -> Bool {
        let definition = draft.definition
        return has("styles", definition.style)
            || definition.action.map { has("actions", $0) } ?? false
            || definition.triggers.contains { has("triggers", $0) }
            || definition.exclusions.contains { has("triggers", $0) }
            || definition.experiment.map { slugs.contains(ByteKey(text: $0)) } ?? false
    }

    private func has(_ variable: String, _ name: String) -> Bool {
        entries.contains(MessagingSlices.Entry(variable: variable, name: name))
    }
}
