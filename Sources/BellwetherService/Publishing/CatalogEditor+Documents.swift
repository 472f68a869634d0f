internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

extension CatalogEditor {
    /// A manifest is checked against all recipes of the app: a fault refuses it, what becomes malformed is a warning
    /// (docs/reference/http-api.md#manifest).
    mutating func putManifest(_ app: String, _ text: [UInt8]) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        try guardIdentifier(app)
        if app.meansAllApps {
            throw .faults([Finding(pointer: .root, code: "reserved", message: "* means all apps")], warnings: [])
        }
        try guardWrite(of: .manifest, in: app)
        let isSame = version(of: .manifest, in: app).map { Self.saysTheSame($0.document.text, text) } ?? false
        let read = try reading.manifest(text, over: apps[app], isStored: isStored || isSame)
        // A new manifest under an old name: its revisions go on after all that the app ever had.
        let retired = retired[app]
        let current = apps[app]?.manifestDocument
        guard
            let document = takeRevision(
                of: .manifest, in: app, text, retired: retired.map { Int(clamping: $0.revision) })
        else {
            return PublishReceipt(
                effect: .unchanged, revision: current?.revision ?? 1, state: reportedState, warnings: read.warnings)
        }
        let recipes = try reread(apps[app]?.recipes ?? [:], under: read.content)
        if current == nil {
            add(EditableApp(name: app, manifest: read.content, document: document, retired: retired))
        } else {
            edit(app) { parts in
                parts.manifest = read.content
                parts.manifestDocument = document
                parts.recipes = recipes
            }
        }
        dropDraft(of: .manifest, in: app)
        note(.manifest(app: app, document))
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: document.revision, state: reportedState,
            warnings: read.warnings)
    }

    mutating func deleteManifest(_ app: String) throws(PublishRefusal) {
        try guardSpelling(of: app)
        guard version(of: .manifest, in: app) != nil else { throw .unknownApp }
        try guardWrite(of: .manifest, in: app)
        let parts = apps[app]
        let draftLocales = (drafts.removeValue(forKey: app) ?? [:]).keys.compactMap(\.locale)
        for locale in Set(draftLocales).union(parts?.strings.keys.map(\.self) ?? []).sorted() {
            note(.deleteStrings(app: app, locale: locale))
        }
        for slug in parts?.recipes.keys.sorted() ?? [] { note(.deleteRecipe(app: app, slug: slug)) }
        note(.deleteManifest(app: app))
        guard let parts else { return }
        note(.revision(app: app, parts.revision + 1))
        remove(app: app)
    }

    private func reread(
        _ recipes: [String: LoadedRecipe], under manifest: Manifest
    ) throws(PublishRefusal) -> [String: LoadedRecipe] {
        var result: [String: LoadedRecipe] = [:]
        var faults: [Finding] = []
        for (slug, published) in recipes {
            let findings = Findings()
            let recipe = Recipe.read(
                published.recipe.document, slug: slug, revision: published.recipe.revision, manifest: manifest,
                findings: findings)
            faults += findings.faults.map {
                Finding(pointer: $0.pointer, code: $0.code, message: "in recipe \(slug): \($0.message)")
            }
            if let recipe { result[slug] = LoadedRecipe(recipe: recipe, stored: published.stored) }
        }
        guard faults.isEmpty else { throw .faults(faults, warnings: []) }
        return result
    }
}

extension CatalogEditor {
    mutating func putStrings(_ app: String, _ locale: String, _ text: [UInt8]) throws(PublishRefusal)
        -> PublishReceipt
    {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        let current = parts.strings[locale]?.document
        try guardWrite(of: .strings(locale: locale), in: app)
        let read = try reading.strings(text, locale: locale)
        guard let document = takeRevision(of: .strings(locale: locale), in: app, text, retired: nil) else {
            return PublishReceipt(
                effect: .unchanged, revision: current?.revision ?? 1, state: reportedState, warnings: read.warnings)
        }
        edit(app) { $0.strings[locale] = PublishedStrings(tables: read.content, document: document) }
        dropDraft(of: .strings(locale: locale), in: app)
        note(.strings(app: app, locale: locale, document))
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: document.revision, state: reportedState,
            warnings: read.warnings)
    }

    mutating func deleteStrings(_ app: String, _ locale: String) throws(PublishRefusal) {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        guard version(of: .strings(locale: locale), in: app) != nil else { throw .notFound }
        try guardWrite(of: .strings(locale: locale), in: app)
        dropDraft(of: .strings(locale: locale), in: app)
        if parts.strings[locale] != nil { edit(app) { $0.strings[locale] = nil } }
        note(.deleteStrings(app: app, locale: locale))
    }
}

/// Drafts of manifests and strings, where their author asks for one or a second person must approve
/// (`publish.require_approval`). They lie beside what is in force, and no message is compiled with them. Recipes keep
/// their drafts themselves.
extension CatalogEditor {
    /// Whether what the request puts is stored as a draft.
    ///
    /// The first manifest of an app that serves nothing by itself is live at once: without it nothing else of the app
    /// could be written.
    func storesDraft(_ request: PublishRequest) -> Bool {
        guard requiresApproval || request.isDraft else { return false }
        switch request.change {
        case .putManifest(let text): return apps[request.app] != nil || !servesNothing(text)
        case .putStrings: return true
        case .deleteManifest, .deleteStrings, .putRecipe, .putRecipes, .deleteRecipe, .setState, .rollback,
            .putDraftLive, .discardDraft:
            return false
        }
    }

    /// Whether a new app with this manifest offers no message, and takes no question that another app answers.
    private func servesNothing(_ manifest: [UInt8]) -> Bool {
        guard let manifest = try? reading.manifest(manifest, over: nil).content else { return true }
        let identity = manifest.identity
        let isAnswered = apps.values.map(\.manifest.identity).contains { other in
            identity.applicationIDs.contains { other.hasApplication($0) }
                || identity.appID.map { $0 == other.appID } ?? false
        }
        return manifest.messaging["messages"]?.object?.isEmpty ?? true && !isAnswered
    }

    /// Stores what a PUT brings as a draft. The findings are those that it would have if it were live.
    mutating func putDraft(_ request: PublishRequest) throws(PublishRefusal) -> PublishReceipt {
        var trial = self
        var attempt = request
        (attempt.requiresApproval, attempt.isDraft) = (false, false)
        guard let name = request.change.document, let text = request.change.text,
            case .stored(let receipt) = try trial.apply(attempt)
        else { throw .notFound }
        let current = version(of: name, in: request.app)
        let retired = name == .manifest ? retired[request.app].map { Int(clamping: $0.revision) } : nil
        guard let draft = successor(of: current?.document, retired: retired, text: text) else {
            return PublishReceipt(
                effect: .unchanged, revision: receipt.revision,
                state: current?.isNewestDraft ?? true ? .draft : .live, warnings: receipt.warnings)
        }
        drafts[request.app, default: [:]][name] = draft
        note(.draft(app: request.app, name, draft))
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: draft.revision, state: .draft,
            warnings: receipt.warnings)
    }

    /// Puts the draft of a manifest or of strings live, as the revision that it is. A live one stays so.
    mutating func putDraftLive(_ app: String, _ name: DocumentName) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        guard let current = version(of: name, in: app) else { throw apps[app] == nil ? .unknownApp : .notFound }
        try guardWrite(of: name, in: app)
        try guardMeant(current.document.revision, of: name, in: app)
        guard let draft = drafts[app]?[name] else {
            return PublishReceipt(
                effect: .unchanged, revision: current.document.revision, state: .live, warnings: [])
        }
        if requiresApproval, draft.author == author { throw .ownRevision }
        let receipt: PublishReceipt
        switch name {
        case .manifest: receipt = try putManifest(app, draft.text)
        case .strings(let locale): receipt = try putStrings(app, locale, draft.text)
        case .recipe: throw .notFound
        }
        return PublishReceipt(effect: .changed, revision: draft.revision, state: .live, warnings: receipt.warnings)
    }

    /// Takes a draft away. A document that was never in force goes with it; a recipe's draft stays in the history, and
    /// its number is not given again.
    mutating func discardDraft(_ app: String, _ name: DocumentName) throws(PublishRefusal) {
        try guardSpelling(of: app)
        guard let current = version(of: name, in: app) else { throw apps[app] == nil ? .unknownApp : .notFound }
        guard current.isNewestDraft else { throw .notFound }
        try guardWrite(of: name, in: app)
        switch name {
        case .manifest:
            guard let document = apps[app]?.manifestDocument else { return try deleteManifest(app) }
            note(.manifest(app: app, document))
        case .strings(let locale):
            guard let document = apps[app]?.strings[locale]?.document else { return try deleteStrings(app, locale) }
            note(.strings(app: app, locale: locale, document))
        case .recipe(let slug):
            guard let recipe = apps[app]?.recipes[slug], let inForce = recipe.stored.inForce else {
                return try deleteRecipe(app, slug)
            }
            var stored = recipe.stored
            (stored.document, stored.inForce) = (inForce, nil)
            edit(app) { $0.retire(current.document.revision, of: slug) }
            _ = write(LoadedRecipe(recipe: recipe.recipe, stored: stored), to: app)
        }
        dropDraft(of: name, in: app)
    }

    /// The state that a response has for a live manifest or live strings: nil where they cannot be in another state.
    var reportedState: RecipeState? { requiresApproval ? .live : nil }

    /// The revision of a manifest or of strings that is in force from now on: the draft where it says the same, else a
    /// new one. Nil: it is in force already.
    mutating func takeRevision(
        of name: DocumentName, in app: String, _ text: [UInt8], retired: Int?
    ) -> StoredDocument? {
        let newest = version(of: name, in: app)?.document
        return successor(of: newest, retired: retired, text: text) ?? drafts[app]?[name]
    }

    /// The draft is in force by now, overtaken, or deleted with its document.
    mutating func dropDraft(of name: DocumentName, in app: String) {
        drafts[app]?[name] = nil
        if drafts[app]?.isEmpty == true { drafts[app] = nil }
    }
}
