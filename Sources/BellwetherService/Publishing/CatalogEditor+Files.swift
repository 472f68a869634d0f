internal import BellwetherCore
internal import BellwetherJSON

extension CatalogEditor {
    /// Makes the file-borne part of the catalog agree with the folders. A bad file is skipped and named; what it held
    /// before stays. Returns a sentence for each file that was refused.
    mutating func apply(_ files: FileCatalog) -> [String] {
        var failures = files.failures
        removeVanished(files, &failures)
        for (app, content) in files.apps.sorted(by: { $0.key.precedes($1.key) }) {
            if let file = content.manifest {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putManifest(app, file.text)
                }
            }
            for (locale, file) in content.strings.sorted(by: { $0.key.precedes($1.key) }) {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putStrings(app, locale, file.text)
                }
            }
            for (slug, file) in content.recipes.sorted(by: { $0.key.precedes($1.key) }) {
                failures += attempt(file.path) { editor throws(PublishRefusal) in
                    _ = try editor.putRecipe(app, RecipeText(slug: slug, text: file.text, asDraft: false))
                }
            }
        }
        compile()
        record()
        return failures
    }

    /// A refused edit has changed nothing. Returns a sentence for each fault of it, under what it was about.
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

    /// What came from a file that is no longer there is gone; but a manifest stays while documents published over the
    /// API need it.
    private mutating func removeVanished(_ files: FileCatalog, _ failures: inout [String]) {
        for (app, parts) in apps.sorted(by: { $0.key.precedes($1.key) }) {
            let content = files.apps[app] ?? FileCatalog.App()
            for (slug, recipe) in parts.recipes.sorted(by: { $0.key.precedes($1.key) })
            where recipe.stored.document.source == .file && content.recipes[slug] == nil
                && !files.isUnreadable("recipes", of: app, named: slug)
            {
                failures += attempt("\(app): \(slug)") { editor throws(PublishRefusal) in
                    try editor.deleteRecipe(app, slug)
                }
            }
            for (locale, strings) in parts.strings.sorted(by: { $0.key.precedes($1.key) })
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

    private mutating func removeManifest(of app: String, _ failures: inout [String]) {
        guard let parts = apps[app] else { return }
        let needed =
            parts.recipes.values.contains { $0.stored.document.source == .api }
            || parts.strings.values.contains { $0.document.source == .api } || drafts[app] != nil
        if needed {
            failures.append("\(app): its manifest's file is gone; it stays, for the API published documents under it")
        } else {
            failures += attempt(app) { editor throws(PublishRefusal) in try editor.deleteManifest(app) }
        }
    }
}

extension PublishRefusal {
    /// What is wrong, one sentence a fault, for logs.
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
        case .ownRevision: ["who wrote a revision cannot put it live"]
        case .keyConflict: ["the idempotency key belongs to another body"]
        case .store(let error): ["\(error)"]
        }
    }
}
