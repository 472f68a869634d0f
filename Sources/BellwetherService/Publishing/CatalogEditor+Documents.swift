internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

extension CatalogEditor {
    /// A manifest is checked against all recipes of the app. A fault refuses it; a message that becomes malformed is a
    /// warning
    /// (docs/reference/http-api.md#manifest).
    mutating func putManifest(_ app: Identifier, _ text: [UInt8]) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        try guardIdentifier(app)
        if app.text.meansAllApps {
            throw .faults([Finding(pointer: .root, code: "reserved", message: "* means all apps")], warnings: [])
        }
        try guardWrite(of: .manifest, in: app)
        let isSame = version(of: .manifest, in: app).map { Self.saysTheSame($0.document.text, text) } ?? false
        let read = try reading.manifest(text, over: apps[app], isStored: isStored || isSame)
        let retired = retired[app]
        let current = apps[app]?.manifestDocument
        guard let document = takeRevision(of: .manifest, in: app, text) else {
            return PublishReceipt(
                effect: .unchanged, revision: current?.revision ?? 1, state: reportedState, warnings: read.warnings)
        }
        try guardWords(of: read.content, in: app)
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
        followDefinitions(of: read.content, document, in: app)
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: document.revision, state: reportedState,
            warnings: read.warnings)
    }

    private mutating func followDefinitions(of manifest: Manifest, _ document: StoredDocument, in app: Identifier) {
        var definitions = apps[app]?.definitions ?? EventDefinitions()
        guard definitions.follow(manifest, revision: document.revision, at: now) else { return }
        edit(app) { $0.definitions = definitions }
        note(.definitions(app: app, definitions))
    }

    mutating func deleteManifest(_ app: Identifier) throws(PublishRefusal) {
        try guardSpelling(of: app)
        guard let manifest = version(of: .manifest, in: app) else { throw .unknownApp }
        try guardWrite(of: .manifest, in: app)
        let parts = apps[app]
        let draftLocales = (drafts[app] ?? [:]).keys.compactMap(\.locale)
        for locale in Set(draftLocales).union(parts?.strings.keys.map(\.self) ?? []).sorted() {
            let strings = version(of: .strings(locale: locale), in: app)
            note(.deleteStrings(app: app, locale: locale))
            if let strings { reserve(strings.document.revision, of: .strings(locale: locale), in: app) }
        }
        drafts[app] = nil
        for slug in parts?.recipes.keys.sorted() ?? [] {
            closePeriods(of: slug, in: app)
            note(.deleteRecipe(app: app, slug: slug))
        }
        deleteLists(of: app)
        note(.deleteManifest(app: app))
        reserve(manifest.document.revision, of: .manifest, in: app)
        guard let parts = apps[app] else { return }
        if !parts.definitions.isEmpty { note(.definitions(app: app, EventDefinitions())) }
        note(.revision(app: app, parts.revision + 1))
        remove(app: app)
    }

    private func reread(
        _ recipes: [Identifier: LoadedRecipe], under manifest: Manifest
    ) throws(PublishRefusal) -> [Identifier: LoadedRecipe] {
        var result: [Identifier: LoadedRecipe] = [:]
        var faults: [Finding] = []
        for (slug, published) in recipes {
            let findings = Findings()
            let recipe = Recipe.read(
                published.recipe.document, slug: slug, revision: published.recipe.revision, manifest: manifest,
                findings: findings)
            let lost = published.losesGoals(as: recipe) ? findings.warnings.filter(\.isAboutGoals) : []
            faults += (findings.faults + lost).map {
                Finding(pointer: $0.pointer, code: $0.code, message: "in recipe \(slug): \($0.message)")
            }
            if let recipe { result[slug] = LoadedRecipe(recipe: recipe, stored: published.stored) }
        }
        guard faults.isEmpty else { throw .faults(faults, warnings: []) }
        return result
    }
}

extension CatalogEditor {
    mutating func putStrings(_ app: Identifier, _ locale: Identifier, _ text: [UInt8]) throws(PublishRefusal)
        -> PublishReceipt
    {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        let current = parts.strings[locale]?.document
        try guardWrite(of: .strings(locale: locale), in: app)
        let read = try reading.strings(text, locale: locale)
        guard let document = takeRevision(of: .strings(locale: locale), in: app, text) else {
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

    mutating func deleteStrings(_ app: Identifier, _ locale: Identifier) throws(PublishRefusal) {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = version(of: .strings(locale: locale), in: app) else { throw .notFound }
        try guardWrite(of: .strings(locale: locale), in: app)
        dropDraft(of: .strings(locale: locale), in: app)
        if parts.strings[locale] != nil { edit(app) { $0.strings[locale] = nil } }
        note(.deleteStrings(app: app, locale: locale))
        reserve(current.document.revision, of: .strings(locale: locale), in: app)
    }
}

/// Drafts of manifests and strings. They are stored if their author requests it, or if a second person must approve
/// (`publish.require_approval`). They are stored beside the revisions in force, and no message is compiled with them.
/// Recipes store their own drafts.
extension CatalogEditor {
    /// Whether the document of the request is stored as a draft.
    ///
    /// The first manifest of an app is live at once if it serves nothing by itself. Without it nothing else of the app
    /// could be written.
    func storesDraft(_ request: PublishRequest) -> Bool {
        guard requiresApproval || request.isDraft else { return false }
        switch request.change {
        case .putManifest(let text): return apps[request.app] != nil || !servesNothing(text)
        case .putStrings: return true
        case .deleteManifest, .deleteStrings, .putRecipe, .putRecipes, .deleteRecipe, .setState, .advance, .rollback,
            .putDraftLive, .discardDraft, .takeOver, .list:
            return false
        }
    }

    /// Whether a new app with this manifest offers no message, and has no application id or app id of another app.
    private func servesNothing(_ manifest: [UInt8]) -> Bool {
        guard let manifest = try? reading.manifest(manifest, over: nil).content else { return true }
        let identity = manifest.identity
        let isAnswered = apps.values.map(\.manifest.identity).contains { other in
            identity.applicationIDs.contains { other.hasApplication($0) }
                || identity.appID.map { $0 == other.appID } ?? false
        }
        return manifest.messaging["messages"]?.object?.isEmpty ?? true && !isAnswered
    }

    /// Stores the document of a PUT as a draft. The findings are the same as for a live document.
    mutating func putDraft(_ request: PublishRequest) throws(PublishRefusal) -> PublishReceipt {
        var trial = self
        var attempt = request
        (attempt.requiresApproval, attempt.isDraft) = (false, false)
        guard let name = request.change.document, let text = request.change.text,
            case .stored(let receipt) = try trial.apply(attempt)
        else { throw .notFound }
        let current = version(of: name, in: request.app)
        let retired = retiredRevision(of: name, in: request.app)
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

    /// Puts the draft of a manifest or of strings live, under its own revision. Without a draft, or if the change names
    /// the revision in force, nothing changes.
    mutating func putDraftLive(_ app: Identifier, _ name: DocumentName) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        guard let current = version(of: name, in: app) else { throw apps[app] == nil ? .unknownApp : .notFound }
        try guardWrite(of: name, in: app)
        guard try publishesDraft(of: name, in: app) else {
            let inForce = current.withoutDraft ?? current
            return PublishReceipt(
                effect: .unchanged, revision: inForce.document.revision, state: .live, warnings: [])
        }
        let draft = current.document
        let receipt: PublishReceipt
        switch name {
        case .manifest: receipt = try putManifest(app, draft.text)
        case .strings(let locale): receipt = try putStrings(app, locale, draft.text)
        case .recipe: throw .notFound
        }
        return PublishReceipt(effect: .changed, revision: draft.revision, state: .live, warnings: receipt.warnings)
    }

    /// Deletes a draft. A document that was never in force is deleted with it. Its number is not used again; a recipe's
    /// draft stays in the history.
    mutating func discardDraft(_ app: Identifier, _ name: DocumentName) throws(PublishRefusal) {
        try guardSpelling(of: app)
        guard let current = version(of: name, in: app) else { throw apps[app] == nil ? .unknownApp : .notFound }
        guard current.isNewestDraft else { throw .notFound }
        if isReview, current.document.author == author { throw .ownRevision }
        try guardWrite(of: name, in: app)
        switch name {
        case .manifest:
            guard let document = apps[app]?.manifestDocument else { return try deleteManifest(app) }
            note(.manifest(app: app, document))
            reserve(current.document.revision, of: name, in: app)
        case .strings(let locale):
            guard let document = apps[app]?.strings[locale]?.document else { return try deleteStrings(app, locale) }
            note(.strings(app: app, locale: locale, document))
            reserve(current.document.revision, of: name, in: app)
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

    /// The state that a response reports for a live manifest or live strings; nil if no other state is possible.
    var reportedState: RecipeState? { requiresApproval ? .live : nil }

    /// The revision of a manifest or of strings that comes into force: the draft if it has the same content, otherwise
    /// a new one. Nil if the content is in force already.
    func takeRevision(of name: DocumentName, in app: Identifier, _ text: [UInt8]) -> StoredDocument? {
        let newest = version(of: name, in: app)?.document
        return successor(of: newest, retired: retiredRevision(of: name, in: app), text: text) ?? drafts[app]?[name]
    }

    /// The last revision of a manifest or of strings that must not be used again; nil if there is none. The revisions
    /// of a new manifest under the name of a deleted app continue after all revisions of that app.
    private func retiredRevision(of name: DocumentName, in app: Identifier) -> Int? {
        let deleted = name == .manifest ? retired[app].map { Int(clamping: $0.revision) } : nil
        return [deleted, discarded[app]?[name]].compactMap(\.self).max()
    }

    /// Removes a draft that has come into force, was replaced, or was deleted with its document.
    mutating func dropDraft(of name: DocumentName, in app: Identifier) {
        drafts[app]?[name] = nil
        if drafts[app]?.isEmpty == true { drafts[app] = nil }
    }
}

extension LoadedRecipe {
    /// Whether goals that are declared could not be counted any more.
    fileprivate func losesGoals(as next: Recipe?) -> Bool {
        stored.state != .ended && recipe.goals != nil && next?.goals == nil
    }
}

extension Finding {
    fileprivate var isAboutGoals: Bool { RecipeGoals.members.contains { $0 == pointer.tokens.first } }
}
