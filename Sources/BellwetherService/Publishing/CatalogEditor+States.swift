internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The states of a recipe: `draft -> live <-> paused -> ended`.
extension CatalogEditor {
    /// Changes the state of a recipe (docs/reference/http-api.md#lifecycle). The revision that goes live is read again,
    /// because the manifest and the time may have changed.
    mutating func setState(_ app: Identifier, _ slug: Identifier, _ state: RecipeState) throws(PublishRefusal)
        -> PublishReceipt
    {
        try guardSpelling(of: app, recipe: slug)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug] else { throw .notFound }
        var stored = current.stored
        // A recipe from a file that a guard has paused is put live again by its owner.
        if state != .live || !isPausedByGuard(stored, in: app) { try guardWrite(of: .recipe(slug: slug), in: app) }
        let isSegment = current.recipe.segment != nil
        guard Self.leads(from: stored.state, to: state), !(isSegment && state == .paused) else {
            throw .noTransition(from: stored.state, to: state)
        }
        if state == .live {
            if try publishesDraft(of: .recipe(slug: slug), in: app) {
                stored.inForce = nil
                if stored.document.author != author { stored.document.approver = author }
            }
        } else if isReview {
            throw .notAReview
        } else {
            try guardMeant(stored.served.revision, of: .recipe(slug: slug), in: app)
        }
        stored.state = state
        guard stored != current.stored else { return receipt(stored, .unchanged) }
        var recipe = current.recipe
        var warnings: [Finding] = []
        if state == .live {
            var intake = RecipeIntake(slug: slug, manifest: parts.manifest, now: now)
            (intake.revision, intake.state) = (stored.served.revision, current.stored.state)
            (intake.inForce, intake.former, intake.isStored) = (current.contentInForce, current.recipe, true)
            let read = try read(stored.served.text, intake, of: slug, in: app)
            recipe = read.content
            warnings = read.warnings
        }
        let next = LoadedRecipe(recipe: recipe, stored: stored)
        try guardSegments(next, over: current, in: app)
        let (written, effect) = write(next, to: app)
        if written.document != current.stored.document { note(.approval(app: app, slug: slug, written.document)) }
        return receipt(written, effect, warnings)
    }

    /// Pauses a recipe whose guards have fired, if it is still live in that revision (docs/reference/goals.md#guards).
    mutating func pause(_ recipe: RecipeReference, revision: Int, _ fired: [FiredGuard], webhookID: Identifier) {
        let (app, slug) = (recipe.app, recipe.slug)
        guard let current = apps[app]?.recipes[slug], current.isLive, current.stored.served.revision == revision,
            var periods = apps[app]?.periods[slug], let first = fired.first
        else { return }
        periods.stored.fire(fired)
        edit(app) { $0.periods[slug] = periods }
        note(.periods(app: app, slug: slug, periods.stored))
        let notices = current.recipe.goals?.notify.map { notify in
            OutboxRow(
                id: webhookID, app: app, url: notify.url, secretName: notify.secretName,
                body: first.notice(of: slug, revision: revision, in: app).encoded, createdAt: now)
        }
        note(.pause(app: app, slug: slug, facts: first.facts, notices: notices.map { [$0] } ?? []))
        var stored = current.stored
        stored.state = .paused
        _ = write(LoadedRecipe(recipe: current.recipe, stored: stored), to: app)
        compile()
        record()
    }

    /// Whether a change to `live` publishes the draft of a document. Otherwise the revision in force is served. The
    /// draft is meant if the change names it. A change that names no revision means the draft, except that a paused
    /// recipe is resumed, and that a draft that needs approval has to be named
    /// (docs/reference/http-api.md#approval).
    func publishesDraft(of name: DocumentName, in app: Identifier) throws(PublishRefusal) -> Bool {
        let publishes = try meansDraft(of: name, in: app)
        guard publishes || !isReview else { throw .notAReview }
        return publishes
    }

    private func meansDraft(of name: DocumentName, in app: Identifier) throws(PublishRefusal) -> Bool {
        guard let version = version(of: name, in: app) else { throw .notFound }
        guard version.isNewestDraft else {
            try guardMeant(version.document.revision, of: name, in: app)
            return false
        }
        if let meantRevision, meantRevision == version.inForce?.revision { return false }
        if meantRevision == nil, version.state == .paused { return false }
        try guardMeant(version.document.revision, of: name, in: app)
        guard requiresApproval else { return true }
        if version.document.author == author { throw .ownRevision }
        guard meantRevision != nil else { throw .unnamedDraft }
        return true
    }

    /// Refuses a change of state that expects another revision than the present one, because a new one was put
    /// meanwhile (docs/reference/http-api.md#approval).
    func guardMeant(_ revision: Int, of name: DocumentName, in app: Identifier) throws(PublishRefusal) {
        guard let meantRevision, meantRevision != revision else { return }
        throw .preconditionFailed(current: version(of: name, in: app))
    }

    /// An ended recipe stays ended, because clients have unenrolled. To keep a state is no transition.
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

    /// Applies the dates of recipes: ends recipes whose end has passed, publishes due stages, and compiles apps where a
    /// recipe begins.
    mutating func follow() {
        for (app, parts) in apps.sorted(by: { $0.key < $1.key }) {
            for (_, recipe) in parts.recipes.sorted(by: { $0.key < $1.key }) where recipe.isInForce {
                if recipe.recipe.hasEnded(at: now) { _ = write(recipe, to: app) }
            }
            followStages(in: app)
            if let change = parts.nextChange, change <= now { edit(app) { _ in } }
        }
        compile()
        if !changes.isEmpty { record() }
    }
}
