internal import BellwetherCore
internal import BellwetherJSON

/// `draft -> live <-> paused -> ended`.
extension CatalogEditor {
    /// Putting a recipe live puts its newest revision live, also one that lies beside another as a draft. Where a
    /// second person must approve, the author of such a draft resumes the paused revision that was approved, and the
    /// draft stays one. The revision that goes live is read again: the manifest and the clock may have moved on.
    mutating func setState(_ app: String, _ slug: String, _ state: RecipeState) throws(PublishRefusal)
        -> PublishReceipt
    {
        try guardSpelling(of: app, recipe: slug)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug] else { throw .notFound }
        var stored = current.stored
        try guardWrite(of: .recipe(slug: slug), in: app)
        guard Self.leads(from: stored.state, to: state) else {
            throw .noTransition(from: stored.state, to: state)
        }
        let isOwnDraft = requiresApproval && stored.isNewestDraft && stored.document.author == author
        if state == .live, isOwnDraft, stored.state != .paused { throw .ownRevision }
        let isPromotion = state == .live && stored.isNewestDraft && !isOwnDraft
        stored.state = state
        if isPromotion { stored.inForce = nil }
        guard stored != current.stored else { return receipt(stored, .unchanged) }
        var recipe = current.recipe
        var warnings: [Finding] = []
        if state == .live {
            var intake = RecipeIntake(slug: slug, manifest: parts.manifest, now: now)
            intake.revision = stored.served.revision
            let read = try reading.recipe(stored.served.text, intake)
            recipe = read.content
            warnings = read.warnings
        }
        let (written, effect) = write(LoadedRecipe(recipe: recipe, stored: stored), to: app)
        return receipt(written, effect, warnings)
    }

    /// An ended recipe stays so: clients have been told. To stay where it is, is no transition.
    private static func leads(from state: RecipeState, to next: RecipeState) -> Bool {
        switch (state, next) {
        case (.draft, .draft), (.draft, .live), (.live, .live), (.live, .paused), (.live, .ended), (.paused, .live),
            (.paused, .paused), (.paused, .ended), (.ended, .ended):
            true
        case (.draft, .paused), (.draft, .ended), (.live, .draft), (.paused, .draft), (.ended, _): false
        }
    }

    private func receipt(
        _ stored: StoredRecipe, _ effect: PublishReceipt.Effect, _ warnings: [Finding] = []
    ) -> PublishReceipt {
        PublishReceipt(effect: effect, revision: stored.served.revision, state: stored.state, warnings: warnings)
    }

    /// Does what recipes' dates say: ends those whose end has passed, and compiles apps in which one begins.
    mutating func follow() {
        for (app, parts) in apps.sorted(by: { $0.key.precedes($1.key) }) {
            for (_, recipe) in parts.recipes.sorted(by: { $0.key.precedes($1.key) }) where recipe.isInForce {
                if recipe.recipe.hasEnded(at: now) { _ = write(recipe, to: app) }
            }
            if let change = parts.nextChange, change <= now { edit(app) { _ in } }
        }
        compile()
        if !changes.isEmpty { record() }
    }
}
