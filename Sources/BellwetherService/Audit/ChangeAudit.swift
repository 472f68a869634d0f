internal import BellwetherBase
import BellwetherCore
import BellwetherJSON

/// Makes the audit's entries for the changes of a publish, from the documents that the changes replace
/// (docs/decisions/0077-rules-stand-above-the-store.md).
struct ChangeAudit {
    private let author: String
    private let now: Timestamp
    /// The documents that the changes replace, as they are after the changes so far.
    private var standing: [RowName: RowValue] = [:]
    /// The facts of the guard that pauses a recipe, by the recipe's row.
    private var pauses: [RowName: JSONObject] = [:]

    init(author: String, now: Timestamp) { (self.author, self.now) = (author, now) }

    /// The rows that changes may replace.
    static func names(of changes: [CatalogChange]) -> [RowName] {
        var seen: Set<RowName> = []
        return changes.flatMap(\.replaced).filter { seen.insert($0).inserted }
    }

    mutating func enter(_ name: RowName, _ value: RowValue?) { standing[name] = value }

    /// Returns the entry of a change; nil for a change that no person decides. Later entries assume that the change was
    /// made.
    mutating func record(_ change: CatalogChange) -> AuditEntry? {
        var entry = entry(for: change)
        switch change {
        case .pause(let app, let slug, let facts, _): pauses[.recipe(app: app, slug: slug)] = facts
        case .recipe(let app, let recipe):
            if let facts = pauses[.recipe(app: app, slug: recipe.slug)] { entry?.facts["guard"] = .object(facts) }
        default: break
        }
        if !change.isDraft { for name in change.replaced { standing[name] = nil } }
        if let (name, value) = change.entered { standing[name] = value }
        return entry
    }

    private func entry(for change: CatalogChange) -> AuditEntry? {
        switch change {
        case .manifest(let app, let document):
            put(.manifest, app, nil, document, over: current(app, .manifest))
        case .deleteManifest(let app):
            current(app, .manifest).map { deletion(.manifest, app, nil, of: $0) }
        case .strings(let app, let locale, let document):
            put(.strings, app, locale, document, over: current(app, .strings(locale: locale)))
        case .deleteStrings(let app, let locale):
            current(app, .strings(locale: locale)).map { deletion(.strings, app, locale, of: $0) }
        case .draft(let app, let name, let document): draft(name, app, document)
        case .recipe(let app, let recipe): put(recipe, app, over: current(app, recipe.slug))
        case .deleteRecipe(let app, let slug): current(app, slug).map { deletion(.recipe, app, slug, of: $0) }
        case .list(let app, let write): list(write, app)
        // These follow from other changes, or no person decides them.
        case .approval, .message, .record, .revision, .periods, .definitions, .pause, .reply, .notices: nil
        }
    }

    private func put(
        _ kind: AuditEntry.Kind, _ app: Identifier, _ name: Identifier?, _ document: StoredDocument,
        over current: Current?
    ) -> AuditEntry {
        let revision = Int64(document.revision)
        let isDraftPutLive = current?.isDraft == true && current?.revision == revision
        var entry = self.entry(isDraftPutLive ? .state : current == nil ? .create : .change, kind, app, name)
        entry.facts["revision"] = .integer(revision)
        if current?.isDraft == true {
            entry.facts["state"] = .string(RecipeState.live.rawValue)
            entry.facts["previous_state"] = .string(RecipeState.draft.rawValue)
            entry.facts["in_force"] = .integer(revision)
            entry.facts["previous_in_force"] =
                inForce(app, name.map { .strings(locale: $0) } ?? .manifest).map(JSONValue.integer) ?? .null
            note(current?.author, isDraftPutLive, &entry)
        }
        entry.before = current?.digest
        entry.after = Digest.sha256(document.text)
        return entry
    }

    private func draft(_ name: DocumentName, _ app: Identifier, _ document: StoredDocument) -> AuditEntry? {
        if document.isDiscarded { return nil }
        let current = current(app, name)
        var entry = self.entry(
            current == nil ? .create : .change, name == .manifest ? .manifest : .strings, app, name.locale)
        entry.facts["revision"] = .integer(Int64(document.revision))
        entry.facts["state"] = .string(RecipeState.draft.rawValue)
        entry.before = current?.digest
        entry.after = Digest.sha256(document.text)
        return entry
    }

    private func put(_ recipe: StoredRecipe, _ app: Identifier, over current: Current?) -> AuditEntry {
        let revision = Int64(recipe.document.revision)
        var action = AuditEntry.Action.create
        if let current { action = current.revision == revision ? .state : .change }
        var entry = self.entry(action, .recipe, app, recipe.slug)
        entry.facts["revision"] = .integer(revision)
        entry.facts["state"] = .string(recipe.state.rawValue)
        entry.facts["in_force"] =
            recipe.state == .draft ? .null : .integer(recipe.inForce.map { Int64($0.revision) } ?? revision)
        if let life = current?.life {
            entry.note(previous: life)
            let wasDraft = current?.revision == revision && (life.state == .draft || life.inForce != revision)
            note(current?.author, wasDraft && recipe.state == .live && recipe.inForce == nil, &entry)
        }
        entry.before = current?.digest
        entry.after = Digest.sha256(recipe.document.text)
        return entry
    }

    /// Names the author of a draft that another person puts live.
    private func note(_ draftAuthor: String?, _ isPutLive: Bool, _ entry: inout AuditEntry) {
        guard isPutLive, let draftAuthor, !draftAuthor.isEmpty, draftAuthor != author else { return }
        entry.facts["written_by"] = .string(draftAuthor)
    }

    /// The numbers of ids, and no id.
    private func list(_ write: ListWrite, _ app: Identifier) -> AuditEntry {
        let action: AuditEntry.Action = write.before == nil ? .create : write.after == nil ? .delete : .change
        var entry = entry(action, .list, app, write.name)
        entry.facts["revision"] = (write.after ?? write.before).map { .integer(Int64($0.revision)) }
        entry.facts["before"] = write.before.map { .integer(Int64($0.count)) } ?? .null
        entry.facts["after"] = write.after.map { .integer(Int64($0.count)) } ?? .null
        entry.facts["added"] = .integer(Int64(write.added))
        entry.facts["removed"] = .integer(Int64(write.removed))
        return entry
    }

    private func deletion(
        _ kind: AuditEntry.Kind, _ app: Identifier, _ name: Identifier?, of current: Current
    ) -> AuditEntry {
        var entry = self.entry(.delete, kind, app, name)
        entry.facts["revision"] = .integer(current.revision)
        if let life = current.life { entry.note(previous: life) }
        entry.before = current.digest
        return entry
    }

    private func entry(
        _ action: AuditEntry.Action, _ kind: AuditEntry.Kind, _ app: Identifier, _ name: Identifier?
    ) -> AuditEntry {
        AuditEntry(at: now, author: author, action: action, kind: kind, app: app, name: name)
    }

    /// The revision of a manifest or of strings in force; nil if there is none.
    private func inForce(_ app: Identifier, _ name: DocumentName) -> Int64? {
        guard case .document(let document)? = standing[.document(app: app, name)] else { return nil }
        return Int64(document.revision)
    }

    /// The newest revision, whether it is a draft or not.
    private func current(_ app: Identifier, _ name: DocumentName) -> Current? {
        if case .document(let draft)? = standing[.draft(app: app, name)], !draft.isDiscarded {
            return Current(draft, isDraft: true)
        }
        guard case .document(let document)? = standing[.document(app: app, name)] else { return nil }
        return Current(document, isDraft: false)
    }

    private func current(_ app: Identifier, _ slug: Identifier) -> Current? {
        guard case .recipe(let recipe)? = standing[.recipe(app: app, slug: slug)] else { return nil }
        return Current(recipe)
    }
}

/// The document that a change replaces.
private struct Current {
    let revision: Int64
    let digest: [UInt8]
    /// Whether it is the draft of a manifest or of strings.
    let isDraft: Bool
    /// The author of the newest revision.
    let author: String
    /// The life of a recipe; nil for other documents.
    let life: Life?

    struct Life {
        let state: RecipeState
        /// The revision in force. It has no meaning for a draft.
        let inForce: Int64
    }

    init(_ document: StoredDocument, isDraft: Bool) {
        (revision, digest) = (Int64(document.revision), Digest.sha256(document.text))
        (self.isDraft, author, life) = (isDraft, document.author, nil)
    }

    init(_ recipe: StoredRecipe) {
        (revision, digest) = (Int64(recipe.document.revision), Digest.sha256(recipe.document.text))
        (isDraft, author) = (false, recipe.document.author)
        life = Life(state: recipe.state, inForce: Int64(recipe.served.revision))
    }
}

extension AuditEntry {
    fileprivate mutating func note(previous life: Current.Life) {
        facts["previous_state"] = .string(life.state.rawValue)
        facts["previous_in_force"] = life.state == .draft ? .null : .integer(life.inForce)
    }

    /// A change of a token. The entry contains neither the token's text nor its digest.
    init(_ action: Action, _ token: StoredToken, _ origin: ChangeOrigin) {
        self.init(
            at: origin.at, author: origin.author, action: action, kind: Kind(token.kind),
            app: token.roles.app ?? Roles.allApps, name: token.name)
        if let scope = token.roles.scope {
            facts["scope"] = .string(scope.rawValue)
        } else {
            facts["roles"] = token.roles.json
        }
        if token.isWeb { facts["web"] = true }
        if let session = token.session { facts["session"] = .string(session.id) }
        if let expires = token.expiresAt { facts["expires"] = .string(expires.rfc3339) }
    }
}

extension AuditEntry.Kind {
    fileprivate init(_ kind: StoredToken.Kind) {
        self =
            switch kind {
            case .token: .token
            case .account: .account
            case .link: .link
            case .session: .session
            }
    }
}

extension CatalogChange {
    /// The rows that the change may replace.
    fileprivate var replaced: [RowName] {
        switch self {
        case .manifest(let app, _), .deleteManifest(let app): Self.names(app, .manifest)
        case .strings(let app, let locale, _), .deleteStrings(let app, let locale):
            Self.names(app, .strings(locale: locale))
        case .draft(let app, let name, _): Self.names(app, name)
        case .recipe(let app, let recipe): [.recipe(app: app, slug: recipe.slug)]
        case .deleteRecipe(let app, let slug): [.recipe(app: app, slug: slug)]
        case .approval, .message, .record, .revision, .periods, .definitions, .pause, .reply, .list, .notices: []
        }
    }

    private static func names(_ app: Identifier, _ name: DocumentName) -> [RowName] {
        [.draft(app: app, name), .document(app: app, name)]
    }

    /// A draft leaves the document in force as it is. A document that comes into force ends a draft.
    fileprivate var isDraft: Bool { if case .draft = self { true } else { false } }

    fileprivate var entered: (RowName, RowValue)? {
        switch self {
        case .manifest(let app, let document): (.document(app: app, .manifest), .document(document))
        case .strings(let app, let locale, let document):
            (.document(app: app, .strings(locale: locale)), .document(document))
        case .draft(let app, let name, let document): (.draft(app: app, name), .document(document))
        case .recipe(let app, let recipe): (.recipe(app: app, slug: recipe.slug), .recipe(recipe))
        case .approval, .deleteManifest, .deleteStrings, .deleteRecipe, .message, .record, .revision, .periods,
            .definitions, .pause, .reply, .list, .notices:
            nil
        }
    }
}
