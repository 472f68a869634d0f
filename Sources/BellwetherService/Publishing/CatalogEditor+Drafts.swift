internal import BellwetherCore
internal import BellwetherJSON

/// Drafts of manifests and strings, where a second person must approve (`publish.require_approval`). They lie beside
/// what is in force, and no message is compiled with them. Recipes keep their drafts themselves.
extension CatalogEditor {
    /// Whether what the request puts is stored as a draft.
    ///
    /// The first manifest of an app that serves nothing by itself is live at once: without it nothing else of the app
    /// could be written.
    func storesDraft(_ request: PublishRequest) -> Bool {
        guard requiresApproval else { return false }
        switch request.change {
        case .putManifest(let text): return apps[request.app] != nil || !servesNothing(text)
        case .putStrings: return true
        case .deleteManifest, .deleteStrings, .putRecipe, .putRecipes, .deleteRecipe, .setState, .rollback,
            .putDraftLive:
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
        attempt.requiresApproval = false
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

    /// Puts the draft of a manifest or of strings live, as the revision that it is. What is live already stays so.
    mutating func putDraftLive(_ app: String, _ name: DocumentName) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        guard let current = version(of: name, in: app) else { throw apps[app] == nil ? .unknownApp : .notFound }
        try guardWrite(of: name, in: app)
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

    /// What an answer says of a manifest or of strings that are live: nothing where they cannot be anything else.
    var toldState: RecipeState? { requiresApproval ? .live : nil }

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
