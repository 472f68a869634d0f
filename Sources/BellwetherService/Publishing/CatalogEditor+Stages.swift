internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The stages in which the share of a recipe grows (docs/reference/experiments.md#stages).
extension CatalogEditor {
    /// Publishes the larger share of a recipe: the same document with another count, as a new revision. It needs no
    /// approval, because the plan was published with the recipe.
    ///
    /// A draft of the recipe stays a draft. It gets a new revision with a count that is not smaller, so that its
    /// approval takes no client out.
    private mutating func advance(_ recipe: RecipeReference, to stage: RolloutStages.Stage) {
        let (app, slug) = (recipe.app, recipe.slug)
        guard let current = apps[app]?.recipes[slug], current.followsStages,
            let buckets = current.recipe.experiment?.bucketConfig, stage.count > buckets.count,
            let next = enlarged(current.stored.served, to: stage.count, revision: current.stored.document.revision + 1),
            let read = reread(next, of: slug, in: app)
        else { return }
        let stored = StoredRecipe(slug: slug, state: .live, document: next)
        _ = write(LoadedRecipe(recipe: read, stored: stored), to: app)
        if current.stored.isNewestDraft {
            var draft = current.stored.document
            draft = enlarged(draft, to: stage.count, revision: next.revision + 1) ?? draft.numbered(next.revision + 1)
            let beside = StoredRecipe(slug: slug, state: .live, document: draft, inForce: next)
            _ = write(LoadedRecipe(recipe: read, stored: beside), to: app)
        }
    }

    /// Publishes the next stage of a live recipe, whatever it waits for, because a person says so.
    mutating func advance(_ app: Identifier, _ slug: Identifier) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app, recipe: slug)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug] else { throw .notFound }
        try guardWrite(of: .recipe(slug: slug), in: app)
        try guardMeant(current.stored.served.revision, of: .recipe(slug: slug), in: app)
        guard !isReview else { throw .notAReview }
        guard current.followsStages, let stage = current.recipe.nextStage else { throw .noStage }
        advance(RecipeReference(app: app, slug: slug), to: stage)
        let revision = apps[app]?.recipes[slug]?.stored.served.revision ?? current.stored.served.revision
        return PublishReceipt(effect: .changed, revision: revision, state: .live, warnings: [])
    }

    /// Publishes the stage of a recipe whose guards hold, if it is still live in the revision that was judged.
    mutating func advance(_ recipe: RecipeReference, revision: Int, to stage: RolloutStages.Stage) {
        guard apps[recipe.app]?.recipes[recipe.slug]?.stored.served.revision == revision else { return }
        advance(recipe, to: stage)
        compile()
        if !changes.isEmpty { record() }
    }

    /// Publishes the stages that are due by time alone.
    mutating func followStages(in app: Identifier) {
        for (slug, recipe) in (apps[app]?.recipes ?? [:]).sorted(by: { $0.key < $1.key }) where recipe.followsStages {
            guard let stage = recipe.recipe.dueStage(at: now) else { continue }
            advance(RecipeReference(app: app, slug: slug), to: stage)
        }
    }

    /// The document with a count that is at least this one; nil if it has no such number.
    private func enlarged(_ document: StoredDocument, to count: UInt32, revision: Int) -> StoredDocument? {
        guard let value = try? JSONValue(parsing: document.text, limits: .kept),
            let now = value.object?["bucketConfig"]?.object?["count"]?.integer, now < Int64(count)
        else { return nil }
        let pointer = JSONPointer(tokens: ["bucketConfig", "count"])
        let text = JSONSourceMap(document.text).text(replacing: pointer, by: .integer(Int64(count)))
        return text.map { document.numbered(revision, text: $0, at: self.now) }
    }

    private func reread(_ document: StoredDocument, of slug: Identifier, in app: Identifier) -> Recipe? {
        guard let manifest = apps[app]?.manifest, let value = try? JSONValue(parsing: document.text, limits: .kept)
        else { return nil }
        return Recipe.read(
            value, slug: slug, revision: document.revision, manifest: manifest, findings: Findings())
    }
}

extension LoadedRecipe {
    /// Whether the daemon publishes its stages. The files of a recipe say themselves what its share is.
    var followsStages: Bool { isLive && stored.served.source == .api && recipe.stages != nil }

    /// Whether its next stage waits for nothing but its guards.
    func awaitsGuards(at now: Timestamp) -> Bool {
        guard followsStages, let stage = recipe.nextStage, stage.waitsForGuards else { return false }
        return stage.at.map { $0 <= now } ?? true
    }

    /// The next time at which the clock alone changes what is served; it may have passed.
    func nextChange(after now: Timestamp) -> Timestamp? {
        let stage = followsStages ? recipe.nextStage.flatMap { $0.waitsForGuards ? nil : $0.at } : nil
        return [recipe.nextChange(after: now), stage].compactMap(\.self).min()
    }
}

extension StoredDocument {
    /// The document as another revision by the same author.
    fileprivate func numbered(_ revision: Int, text: [UInt8]? = nil, at now: Timestamp? = nil) -> StoredDocument {
        var document = StoredDocument(
            revision: revision, source: source, text: text ?? self.text, publishedAt: now ?? publishedAt,
            author: author)
        document.approver = approver
        return document
    }
}
