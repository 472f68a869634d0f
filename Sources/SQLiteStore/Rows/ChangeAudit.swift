internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import GRDB

/// Writes the audit's record of each change of a publish, inside its transaction: what stands in the tables is what is
/// replaced, so no caller can forget the record or tell another story.
struct ChangeAudit {
    private let database: Database
    private let author: String
    private let now: Timestamp

    init(_ database: Database, author: String, now: Timestamp) {
        self.database = database
        self.author = author
        self.now = now
    }

    /// Before the change is applied.
    func record(_ change: CatalogChange) throws {
        guard let entry = try entry(for: change) else { return }
        try AuditRows(database).append(entry)
    }

    /// Of a token's last use nothing is told: nobody decided it.
    func record(_ change: TokenChange) throws {
        switch change {
        case .issue(let token): try AuditRows(database).append(entry(.create, token))
        case .revoke(let token, _): try AuditRows(database).append(entry(.revoke, token))
        case .use: break
        }
    }

    private func entry(for change: CatalogChange) throws -> AuditEntry? {
        switch change {
        case .manifest(let app, let document):
            put(.manifest, app, nil, document, over: try manifest(app))
        case .deleteManifest(let app):
            try manifest(app).map { deletion(.manifest, app, nil, of: $0) }
        case .strings(let app, let locale, let document):
            put(.strings, app, locale, document, over: try strings(app, locale))
        case .deleteStrings(let app, let locale):
            try strings(app, locale).map { deletion(.strings, app, locale, of: $0) }
        case .draft(let app, let name, let document): try draft(name, app, document)
        case .recipe(let app, let recipe): put(recipe, app, over: try self.recipe(app, recipe.slug))
        case .deleteRecipe(let app, let slug):
            try recipe(app, slug).map { deletion(.recipe, app, slug, of: $0) }
        // Follow from other changes, or are nobody's decision.
        case .message, .record, .revision, .reply: nil
        }
    }

    private func put(
        _ kind: AuditEntry.Kind, _ app: String, _ name: String?, _ document: StoredDocument, over current: Current?
    ) -> AuditEntry {
        let revision = Int64(document.revision)
        let isDraftPutLive = current?.isDraft == true && current?.revision == revision
        var entry = self.entry(isDraftPutLive ? .state : current == nil ? .create : .change, kind, app, name)
        entry.facts["revision"] = .integer(revision)
        if current?.isDraft == true {
            entry.facts["state"] = .string(RecipeState.live.rawValue)
            entry.facts["previous_state"] = .string(RecipeState.draft.rawValue)
        }
        entry.before = current?.digest
        entry.after = Digest.sha256(document.text)
        return entry
    }

    private func draft(_ name: DocumentName, _ app: String, _ document: StoredDocument) throws -> AuditEntry {
        let current = try name.locale.map { try strings(app, $0) } ?? manifest(app)
        var entry = self.entry(
            current == nil ? .create : .change, name == .manifest ? .manifest : .strings, app, name.locale)
        entry.facts["revision"] = .integer(Int64(document.revision))
        entry.facts["state"] = .string(RecipeState.draft.rawValue)
        entry.before = current?.digest
        entry.after = Digest.sha256(document.text)
        return entry
    }

    private func put(_ recipe: StoredRecipe, _ app: String, over current: Current?) -> AuditEntry {
        let revision = Int64(recipe.document.revision)
        var action = AuditEntry.Action.create
        if let current { action = current.revision == revision ? .state : .change }
        var entry = self.entry(action, .recipe, app, recipe.slug)
        entry.facts["revision"] = .integer(revision)
        entry.facts["state"] = .string(recipe.state.rawValue)
        entry.facts["in_force"] =
            recipe.state == .draft ? .null : .integer(recipe.inForce.map { Int64($0.revision) } ?? revision)
        if let life = current?.life { entry.tell(previous: life) }
        entry.before = current?.digest
        entry.after = Digest.sha256(recipe.document.text)
        return entry
    }

    private func deletion(
        _ kind: AuditEntry.Kind, _ app: String, _ name: String?, of current: Current
    ) -> AuditEntry {
        var entry = self.entry(.delete, kind, app, name)
        entry.facts["revision"] = .integer(current.revision)
        if let life = current.life { entry.tell(previous: life) }
        entry.before = current.digest
        return entry
    }

    /// Never of its text, nor of the digest that it is found by.
    private func entry(_ action: AuditEntry.Action, _ token: StoredToken) -> AuditEntry {
        var entry = self.entry(action, .token, token.app, token.name)
        entry.facts["scope"] = .string(token.scope.rawValue)
        if token.isWeb { entry.facts["web"] = true }
        if let expires = token.expiresAt { entry.facts["expires"] = .string(expires.rfc3339) }
        return entry
    }

    private func entry(
        _ action: AuditEntry.Action, _ kind: AuditEntry.Kind, _ app: String, _ name: String?
    ) -> AuditEntry {
        AuditEntry(at: now, author: author, action: action, kind: kind, app: app, name: name)
    }
}

/// What a change replaces.
private struct Current {
    let revision: Int64
    let digest: [UInt8]
    /// Whether it is the draft of a manifest or of strings.
    let isDraft: Bool
    /// A recipe's.
    let life: Life?

    struct Life {
        let state: String
        /// The revision in force; of a draft, nothing.
        let inForce: Int64
    }

    /// Columns revision, text and, for recipes, state and in_force.
    init(_ row: SQLRow, isRecipe: Bool = false, isDraft: Bool = false) {
        revision = row.integer(0)
        self.isDraft = isDraft
        digest = Digest.sha256(row.bytes(1))
        life = isRecipe ? Life(state: row.text(2), inForce: row.optionalInteger(3) ?? revision) : nil
    }
}

extension AuditEntry {
    fileprivate mutating func tell(previous life: Current.Life) {
        facts["previous_state"] = .string(life.state)
        facts["previous_in_force"] = life.state == RecipeState.draft.rawValue ? .null : .integer(life.inForce)
    }
}

extension ChangeAudit {
    /// The newest revision, draft or not.
    private func manifest(_ app: String) throws -> Current? {
        try draft(app, "")
            ?? Prepared(
                database,
                "SELECT revision, text FROM manifest WHERE app = (SELECT key FROM app WHERE name = ?)"
            ).first(.text(app)) { Current($0) }
    }

    private func draft(_ app: String, _ locale: String) throws -> Current? {
        try Prepared(
            database,
            "SELECT revision, text FROM draft WHERE app = (SELECT key FROM app WHERE name = ?) AND locale = ?"
        ).first(.text(app), .text(locale)) { Current($0, isDraft: true) }
    }

    /// The newest revision, draft or not.

    private func strings(_ app: String, _ locale: String) throws -> Current? {
        try draft(app, locale)
            ?? Prepared(
                database,
                "SELECT revision, text FROM strings WHERE app = (SELECT key FROM app WHERE name = ?) AND locale = ?"
            ).first(.text(app), .text(locale)) { Current($0) }
    }

    private func recipe(_ app: String, _ slug: String) throws -> Current? {
        try Prepared(
            database,
            """
            SELECT history.revision, history.text, recipe.state, recipe.in_force FROM recipe JOIN recipe_revision AS history
                ON history.app = recipe.app AND history.slug = recipe.slug AND history.revision = recipe.revision
            WHERE recipe.app = (SELECT key FROM app WHERE name = ?) AND recipe.slug = ?
            """
        ).first(.text(app), .text(slug)) { Current($0, isRecipe: true) }
    }
}
