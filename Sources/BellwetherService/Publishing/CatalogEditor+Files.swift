internal import BellwetherCore
internal import BellwetherJSON

extension CatalogEditor {
    /// Makes the documents from files agree with the folders. An editor of another source puts the documents of the
    /// folders, and deletes nothing. An invalid file is skipped and named; its earlier content stays.
    ///
    /// Returns a sentence for each file that was refused.
    mutating func apply(_ files: FileCatalog) -> [String] {
        var failures = files.failures
        let vanished = source == .file ? vanishedSegments(files) : []
        if source == .file { removeVanished(files, &failures) }
        for (app, content) in files.apps.sorted(by: { $0.key < $1.key }) {
            if let file = content.manifest {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putManifest(app, file.text)
                }
            }
            for (locale, file) in content.strings.sorted(by: { $0.key < $1.key }) {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putStrings(app, locale, file.text)
                }
            }
            for (slug, file) in content.recipes.sorted(by: { $0.key < $1.key }) {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putRecipe(app, RecipeText(slug: slug, text: file.text, asDraft: false))
                }
            }
        }
        for (app, slug) in vanished where apps[app]?.recipes[slug] != nil {
            failures += attempt("\(app): \(slug)") { editor throws(PublishRefusal) in try editor.deleteRecipe(app, slug)
            }
        }
        compile()
        record()
        return failures
    }

    /// The segments whose file was removed, each after those that read it. They go last, when the files that read them
    /// have changed.
    private func vanishedSegments(_ files: FileCatalog) -> [(app: Identifier, slug: Identifier)] {
        apps.sorted { $0.key < $1.key }.flatMap { app, parts in
            let slugs = parts.recipes.filter { slug, recipe in
                recipe.recipe.segment != nil && isVanished(slug, recipe, of: app, in: files)
            }.keys
            let order = SegmentGraph(live: parts.recipes.values.filter(\.isLive).map(\.recipe)).readersFirst
            return slugs.sorted { (order[$0.text] ?? 0, $0) < (order[$1.text] ?? 0, $1) }.map { (app, $0) }
        }
    }

    /// Whether the file of a recipe was removed.
    private func isVanished(
        _ slug: Identifier, _ recipe: LoadedRecipe, of app: Identifier, in files: FileCatalog
    ) -> Bool {
        // A set of strings finds a name in each of its spellings.
        let names = Set((files.apps[app]?.recipes.keys).map { $0.map(\.text) } ?? [])
        return recipe.stored.document.source == .file && !names.contains(slug.text)
            && !files.isUnreadable("recipes", of: app, named: slug)
    }

    /// Tries an edit; a refused edit changes nothing. Returns a sentence for each fault, with the subject in front.
    private mutating func attempt(
        _ subject: String, _ change: (inout CatalogEditor) throws(PublishRefusal) -> Void
    ) -> [String] {
        do {
            try change(&self)
            return []
        } catch {
            return error.sentences.map { "\(subject): \($0)" }
        }
    }

    /// Deletes documents whose file was removed. A file whose name has another spelling now was not removed: the name
    /// keeps its first spelling. A manifest stays while documents from the API need it.
    private mutating func removeVanished(_ files: FileCatalog, _ failures: inout [String]) {
        for (app, parts) in apps.sorted(by: { $0.key < $1.key })
        where !files.apps.keys.contains(where: { $0.text == app.text && $0 != app }) {
            let content = files.apps[app] ?? FileCatalog.App()
            for (slug, recipe) in parts.recipes.sorted(by: { $0.key < $1.key })
            where recipe.recipe.segment == nil && isVanished(slug, recipe, of: app, in: files) {
                failures += attempt("\(app): \(slug)") { editor throws(PublishRefusal) in
                    try editor.deleteRecipe(app, slug)
                }
            }
            for (locale, strings) in parts.strings.sorted(by: { $0.key < $1.key })
            where strings.document.source == .file && content.strings[locale] == nil
                && !files.isUnreadable("strings", of: app, named: locale)
            {
                failures += attempt("\(app): \(locale)") { editor throws(PublishRefusal) in
                    try editor.deleteStrings(app, locale)
                }
            }
            if parts.manifestDocument.source == .file, content.manifest == nil,
                !files.isUnreadable("manifest", of: app)
            {
                removeManifest(of: app, &failures)
            }
        }
    }

    private mutating func removeManifest(of app: Identifier, _ failures: inout [String]) {
        guard let parts = apps[app] else { return }
        let needed =
            parts.recipes.values.contains { $0.stored.document.source == .api }
            || parts.strings.values.contains { $0.document.source == .api } || drafts[app] != nil
            || !parts.lists.isEmpty
        if needed {
            failures.append("\(app): its manifest's file is gone; it stays, for the API published documents under it")
        } else {
            failures += attempt(app.text) { editor throws(PublishRefusal) in try editor.deleteManifest(app) }
        }
    }
}

extension PublishRefusal {
    /// The faults for logs, in one sentence each.
    public var sentences: [String] {
        switch self {
        case .malformed(let error): [error.message]
        case .faults(let faults, _), .envelope(let faults): faults.map { "\($0.pointer): \($0.message)" }
        case .unknownApp: ["there is no manifest for this app"]
        case .notFound: ["there is no such document"]
        case .readOnly: ["it comes from a file"]
        case .preconditionFailed: ["the document is another than the request expects"]
        case .publishedOverAPI:
            ["the file is skipped: a document of this name was published over the API; delete that, or rename the file"]
        case .noTransition(let state, let next): ["a recipe that is \(state.rawValue) cannot become \(next.rawValue)"]
        case .noStage: ["it is not live, or has no further stage"]
        case .inUse(let users): ["it is read by \(users.map { $0?.text ?? "the manifest" }.joined(separator: ", "))"]
        case .otherSubject(let subject): ["the list is of \(subject.rawValue)"]
        case .notAReview: ["a reviewer only puts drafts of others live, or discards them"]
        case .ownRevision: ["who wrote a revision cannot put it live"]
        case .tooLarge(let bound): ["the documents of all apps would have more than \(bound) bytes"]
        case .keyConflict: ["the idempotency key belongs to another body"]
        case .store(let error): ["\(error)"]
        }
    }
}

/// Many recipes in one publish. They are compiled, stored and delivered together.
extension CatalogEditor {
    /// The faults of an app's messages that existed before a batch.
    private struct Faults {
        let app: Identifier
        let malformed: Set<Identifier>
        let oversized: Set<Identifier>
    }

    /// The maximum number of compilations to find the recipes of a batch that must be refused. Other owners wait
    /// meanwhile.
    private static let trials = 100

    /// Puts each recipe like a PUT of its own, in the order of the batch. A refused recipe changes nothing.
    mutating func putRecipes(_ request: PublishRequest, _ text: [UInt8]) throws(PublishRefusal) -> [RecipeResult] {
        let app = request.app
        guard apps[app] != nil else { throw .unknownApp }
        let batch = try RecipeBatch(text, limits: request.limits)
        try guardActiveFlow(of: batch, in: app)
        let known = Faults(app: app, malformed: malformedKeys(of: app), oversized: oversizedKeys(of: app))
        var whole = self
        var results = whole.put(batch.entries, app)
        results += whole.activateFlow(of: batch, in: app, after: results)
        whole.compile()
        if whole.isSound(beside: known) {
            self = whole
        } else {
            var trials = Self.trials
            results = putHalves(of: batch.entries[...], beside: known, &trials)
            results += activateFlow(of: batch, in: app, after: results)
            compile()
        }
        return reading.isStrict ? results : warned(results, beside: known)
    }

    mutating func put(_ entries: some Sequence<RecipeBatch.Entry>, _ app: Identifier) -> [RecipeResult] {
        entries.map { entry in
            do throws(PublishRefusal) {
                if let refusal = entry.refusal { throw refusal }
                let incoming = RecipeText(
                    slug: entry.slug ?? "", text: entry.text, asDraft: entry.isDraft, isStored: entry.isStored,
                    author: entry.author)
                return RecipeResult(slug: entry.slug, outcome: .success(try putRecipe(app, incoming)))
            } catch {
                return RecipeResult(slug: entry.slug, outcome: .failure(error))
            }
        }
    }

    /// Whether the compiled messages have no new fault for which a PUT would be refused.
    private func isSound(beside known: Faults) -> Bool {
        oversizedKeys(of: known.app).isSubset(of: known.oversized)
            && (!reading.isStrict || malformedKeys(of: known.app).isSubset(of: known.malformed))
    }

    /// Puts the recipes that leave the catalog sound, and refuses the others. All entries together do not leave it
    /// sound, so the function halves them. Recipes of one half may depend on one another.
    private mutating func putHalves(
        of entries: ArraySlice<RecipeBatch.Entry>, beside known: Faults, _ trials: inout Int
    ) -> [RecipeResult] {
        let middle = entries.startIndex + (entries.count + 1) / 2
        var results: [RecipeResult] = []
        for half in [entries[..<middle], entries[middle...]] where !half.isEmpty {
            guard trials > 0 else {
                results += half.map { RecipeResult(slug: $0.slug, outcome: .failure($0.refusal ?? Self.undecided)) }
                continue
            }
            trials -= 1
            var trial = self
            let tried = trial.put(half, known.app)
            var compiled = trial
            compiled.compile()
            if compiled.isSound(beside: known) {
                self = trial
                results += tried
            } else if half.count == 1 {
                results += tried.map { compiled.refused($0, beside: known) }
            } else {
                results += putHalves(of: half, beside: known, &trials)
            }
        }
        return results
    }

    private static let undecided = PublishRefusal.faults(
        [
            Finding(
                pointer: .root, code: "undecided",
                message: "too many recipes of the request were refused for what they do to messages; send it again")
        ], warnings: [])

    /// The result of a single recipe that does not leave the catalog sound.
    private func refused(_ result: RecipeResult, beside known: Faults) -> RecipeResult {
        checked(result, known) { request, receipt throws(PublishRefusal) in
            try refuseOversized(request, before: known.oversized)
            return try warned(receipt, request, malformedBefore: known.malformed)
        }
    }

    /// Adds one warning for each message that has become malformed, to the last recipe that contains the message. If
    /// none contains it, the warning goes to the last changed recipe: a recipe of the batch removed something.
    private func warned(_ results: [RecipeResult], beside known: Faults) -> [RecipeResult] {
        let malformed = malformedKeys(of: known.app)
        var open = malformed.subtracting(known.malformed)
        guard let snapshot = snapshots[known.app], !open.isEmpty else { return results }
        var results = results
        var shares: [(index: Int, keys: Set<Identifier>)] = []
        for index in results.indices.reversed() {
            guard let slug = results[index].slug, results[index].isChange else { continue }
            let locations = MessageLocations(.putRecipe(slug: slug, [], asDraft: false), in: snapshot)
            let own = open.filter { locations.holds($0) }
            open.subtract(own)
            shares.append((index, own))
        }
        if !shares.isEmpty { shares[0].keys.formUnion(open) }
        for (index, keys) in shares where !keys.isEmpty {
            results[index] = checked(results[index], known) { request, receipt throws(PublishRefusal) in
                try warned(receipt, request, malformedBefore: malformed.subtracting(keys))
            }
        }
        return results
    }

    /// Checks a result again, as if its recipe had come alone.
    private func checked(
        _ result: RecipeResult, _ known: Faults,
        _ check: (PublishRequest, PublishReceipt) throws(PublishRefusal) -> PublishReceipt
    ) -> RecipeResult {
        guard let slug = result.slug, case .success(let receipt) = result.outcome else { return result }
        let request = PublishRequest(app: known.app, change: .putRecipe(slug: slug, [], asDraft: false))
        do throws(PublishRefusal) {
            return RecipeResult(slug: slug, outcome: .success(try check(request, receipt)))
        } catch {
            return RecipeResult(slug: slug, outcome: .failure(error))
        }
    }
}

extension RecipeResult {
    fileprivate var isChange: Bool {
        guard case .success(let receipt) = outcome else { return false }
        return receipt.effect != .unchanged
    }
}

extension CatalogEditor {
    /// Publishes the documents of an app that come from files again, as revisions that are edited over the API. Their
    /// content stays the same, so it needs no approval. From then on their files are skipped, with a warning
    /// (docs/reference/http-api.md#files-that-the-daemon-reads).
    mutating func takeOver(_ app: Identifier) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        guard let parts = apps[app] else { throw .unknownApp }
        var warnings: [Finding] = []
        let before = changes.count
        takesOver = true
        defer { takesOver = false }
        if parts.manifestDocument.source == .file {
            warnings += try putManifest(app, parts.manifestDocument.text).warnings
        }
        for (locale, strings) in parts.strings.sorted(by: { $0.key < $1.key })
        where strings.document.source == .file {
            warnings += try putStrings(app, locale, strings.document.text).warnings
        }
        for (slug, recipe) in parts.recipes.sorted(by: { $0.key < $1.key })
        where recipe.stored.document.source == .file {
            let text = RecipeText(slug: slug, text: recipe.stored.document.text, asDraft: false, isStored: true)
            warnings += try putRecipe(app, text).warnings
        }
        return PublishReceipt(
            effect: changes.count == before ? .unchanged : .changed,
            revision: apps[app]?.manifestDocument.revision ?? 1, state: nil,
            warnings: Array(warnings.prefix(Findings.maximum)))
    }
}
