internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

extension PublishedCatalog {
    /// Reads a stored catalog. A document that can no longer be read (a rule became stricter) is left out and named in
    /// `failures`; the rest is served.
    static func load(
        _ stored: StoredCatalog, listKey: ListKey? = nil, at now: Timestamp, failures: inout [String],
        revisions: (_ slug: Identifier, _ app: Identifier) -> [StoredDocument] = { _, _ in [] }
    ) -> PublishedCatalog {
        var catalog = PublishedCatalog()
        catalog.records = RecordLedger(stored)
        catalog.listKey = listKey
        for app in stored.apps {
            var retired = RetiredApp(app)
            (retired.periods, retired.lists) = (app.periods, app.lists)
            for (slug, periods) in app.periods where !periods.isReadable {
                failures.append("stored goals \(app.name)/\(slug) can not be read")
            }
            let drafts = app.drafts.filter { !$1.isDiscarded }
            if !drafts.isEmpty { catalog.drafts[app.name] = drafts }
            catalog.discarded[app.name] = app.drafts.filter { $1.isDiscarded }.mapValues(\.revision)
            guard let document = app.manifest,
                let manifest = read(document, "\(app.name)/manifest", &failures, Manifest.read)
            else {
                catalog.retired[app.name] = retired
                continue
            }
            var parts = EditableApp(name: app.name, manifest: manifest, document: document, retired: retired)
            parts.definitions = app.definitions
            parts.loadStrings(app.strings, &failures)
            parts.loadRecipes(app.recipes, &failures) { revisions($0, app.name) }
            parts.publishedAt = parts.newestDocument
            // Messages that are new here stay new, because the next publish stores them.
            var compiled = parts
            catalog.snapshots[app.name] = compiled.compile(at: now).snapshot
            compiled.known = parts.known
            catalog.apps[app.name] = compiled
            catalog.snapshots[app.name] = catalog.snapshots[app.name]?.with(compiled.lists, listKey)
        }
        catalog.records.match(catalog.snapshots)
        return catalog
    }

    static func read<Content>(
        _ document: StoredDocument, _ name: String, _ failures: inout [String],
        _ read: (JSONValue, Findings) -> Content?
    ) -> Content? {
        let findings = Findings()
        guard let value = try? JSONValue(parsing: document.text, limits: .kept), let content = read(value, findings)
        else {
            let first = findings.faults.first.map { ": \($0.pointer) \($0.message)" } ?? ""
            failures.append("stored document \(name) can not be read\(first)")
            return nil
        }
        return content
    }
}

extension EditableApp {
    /// The time of the newest document. A store does not keep the time at which the last document was deleted.
    var newestDocument: Timestamp {
        let times = strings.values.map(\.document.publishedAt) + recipes.values.map(\.stored.document.publishedAt)
        return times.reduce(manifestDocument.publishedAt) { max($0, $1) }
    }

    mutating func loadStrings(_ documents: [Identifier: StoredDocument], _ failures: inout [String]) {
        for (locale, document) in documents {
            let tables = PublishedCatalog.read(document, "\(name)/strings/\(locale)", &failures) {
                StringTables.read($0, locale: locale.text, findings: $1)
            }
            if let tables { strings[locale] = PublishedStrings(tables: tables, document: document) }
        }
    }

    /// Reads recipes. Questions of earlier revisions of a questionnaire or survey are read from its `revisions`.
    mutating func loadRecipes(
        _ stored: [StoredRecipe], _ failures: inout [String], revisions: (_ slug: Identifier) -> [StoredDocument]
    ) {
        for recipe in stored {
            let slug = recipe.slug
            let document = recipe.served
            let content = PublishedCatalog.read(document, "\(name)/recipes/\(slug)", &failures) {
                Recipe.read($0, slug: slug, revision: document.revision, manifest: manifest, findings: $1)
            }
            if let content {
                let isChanged = content.content?.keepsAnswersOfEarlierRevisions == true && document.revision > 1
                let retired = isChanged ? SurveyContent.questionIDs(of: revisions(slug)) : []
                recipes[slug] = LoadedRecipe(recipe: content, stored: recipe, retiredIDs: retired)
                if retiredRevisions[slug] ?? 0 <= recipe.document.revision { retiredRevisions[slug] = nil }
            }
        }
    }
}

/// The apps as they were before a publish, kept until no worker serves them. A compiled app has tens of thousands of
/// objects, and the thread that releases it last frees them all.
struct ReplacedApps {
    private var apps: [AppSnapshot] = []

    var count: Int { apps.count }

    /// Adds the old apps that are replaced or deleted.
    mutating func add(_ old: [Identifier: AppSnapshot], after new: [Identifier: AppSnapshot]) {
        apps += old.filter { new[$0.key] !== $0.value }.values
    }

    /// Returns and removes the apps that have no other owner.
    mutating func takeUnused() -> [AppSnapshot] {
        var unused: [AppSnapshot] = []
        for index in apps.indices.reversed() where isKnownUniquelyReferenced(&apps[index]) {
            unused.append(apps.remove(at: index))
        }
        return unused
    }
}
