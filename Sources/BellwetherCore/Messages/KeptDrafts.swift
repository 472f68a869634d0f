internal import BellwetherJSON

/// What messages came to at a publish, kept for the next of the app: where nothing was changed that a message names, it
/// comes to the same again (docs/decisions/0030).
struct KeptDrafts: Sendable {
    private let manifest: JSONValue
    private let manifestRevision: Int
    /// In canonical order.
    private let recipes: [CatalogRecipe]
    /// Of messages that are the same for all clients.
    private(set) var drafts: [ByteKey: MessageDraft] = [:]

    init(manifest: Manifest, manifestRevision: Int, recipes: [CatalogRecipe]) {
        self.manifest = manifest.document
        self.manifestRevision = manifestRevision
        self.recipes = recipes
    }

    mutating func keep(_ draft: MessageDraft) { drafts[ByteKey(text: draft.facts.key)] = draft }

    /// Those that hold under these documents too, asked for by key.
    func standing(in next: KeptDrafts) -> StandingDrafts {
        guard manifestRevision == next.manifestRevision, manifest == next.manifest,
            let changed = ChangedNames(from: recipes, to: next.recipes)
        else { return StandingDrafts() }
        return StandingDrafts(drafts, apartFrom: changed)
    }
}

/// Drafts of an earlier publish, without those of messages that name something changed.
struct StandingDrafts {
    private let drafts: [ByteKey: MessageDraft]
    private let changed: ChangedNames?

    init() {
        drafts = [:]
        changed = nil
    }

    init(_ drafts: [ByteKey: MessageDraft], apartFrom changed: ChangedNames) {
        self.drafts = drafts
        self.changed = changed
    }

    func draft(_ key: String) -> MessageDraft? {
        guard let changed, let draft = drafts[ByteKey(text: key)], !changed.concerns(draft) else { return nil }
        return draft
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

    func concerns(_ draft: MessageDraft) -> Bool {
        let definition = draft.definition
        return has("messages", draft.facts.key) || has("styles", definition.style)
            || definition.action.map { has("actions", $0) } ?? false
            || definition.triggers.contains { has("triggers", $0) }
            || definition.exclusions.contains { has("triggers", $0) }
            || definition.experiment.map { slugs.contains(ByteKey(text: $0)) } ?? false
    }

    private func has(_ variable: String, _ name: String) -> Bool {
        entries.contains(MessagingSlices.Entry(variable: variable, name: name))
    }
}
