public import BellwetherBase
public import BellwetherJSON

/// The owners' note on a recipe: the responsible person, labels, the time of archiving, and the comment with which its
/// draft was sent back (docs/reference/http-api.md#notes). It is not part of the document, makes no revision, and
/// affects no decision.
public struct RecipeNote: Sendable, Hashable {
    /// The person who is responsible for the recipe: a name, which need not be that of a token.
    public var owner: Identifier?
    public var labels: [Identifier] = []
    /// The time at which the ended recipe was archived; nil if it was not.
    public var archivedAt: Timestamp?
    public var sentBack: SentBack?

    /// The maximum number of labels of a recipe.
    public static let maximumLabels = 20

    /// The comment with which a draft was sent back. It is about one revision; another draft waits again.
    public struct SentBack: Sendable, Hashable {
        public let revision: Int
        public let comment: String
        /// The author of the comment: the name of a token.
        public let author: String
        public let at: Timestamp

        public init(revision: Int, comment: String, author: String, at: Timestamp) {
            (self.revision, self.comment, self.author, self.at) = (revision, comment, author, at)
        }
    }

    public init() {}

    public var isEmpty: Bool { self == RecipeNote() }

    /// The stored form of the note.
    public var json: JSONObject {
        var json: JSONObject = [:]
        if let owner { json["owner"] = .string(owner) }
        if !labels.isEmpty { json["labels"] = .array(labels.map { .string($0) }) }
        if let archivedAt { json["archived_at"] = .integer(archivedAt.milliseconds) }
        if let sentBack {
            json["sent_back"] = [
                "revision": .integer(Int64(sentBack.revision)), "comment": .string(sentBack.comment),
                "author": .string(sentBack.author), "at": .integer(sentBack.at.milliseconds),
            ]
        }
        return json
    }

    public init(_ json: JSONObject) {
        owner = json["owner"]?.identifier
        labels = json["labels"]?.array?.compactMap(\.identifier) ?? []
        archivedAt = json["archived_at"]?.integer.map { Timestamp(milliseconds: $0) }
        guard let sent = json["sent_back"]?.object, let revision = sent["revision"]?.integer,
            let comment = sent["comment"]?.string, let author = sent["author"]?.string, let at = sent["at"]?.integer
        else { return }
        sentBack = SentBack(
            revision: Int(clamping: revision), comment: comment, author: author, at: Timestamp(milliseconds: at))
    }
}

/// Changes the note on a recipe. Members that no edit names stay the same.
public struct ChangeNote: Sendable {
    public enum Edit: Sendable, Hashable {
        /// The responsible person; nil if there is none.
        case owner(Identifier?)
        case labels([Identifier])
        case archived(Bool)
        case sendBack(revision: Int, comment: String)
        case withdrawComment
    }

    public let app: Identifier
    public let slug: Identifier
    public let edits: [Edit]
    public let origin: ChangeOrigin

    public init(_ edits: [Edit], of slug: Identifier, in app: Identifier, _ origin: ChangeOrigin) {
        (self.app, self.slug, self.edits, self.origin) = (app, slug, edits, origin)
    }

    /// Completes with the note after the change.
    public func run(
        in store: Persistence, _ completion: @escaping @Sendable (Result<RecipeNote, StoreError>) -> Void
    ) {
        store.submit(transaction, completion)
    }

    var transaction: Transaction<RecipeNote> {
        let name = RowName.note(app: app, slug: slug)
        return Transaction(names: [name], now: origin.at) { rows in
            let before = if case .note(let note)? = rows[name] { note } else { RecipeNote() }
            let note = edits.reduce(into: before) { apply($1, to: &$0) }
            var outcome = TransactionOutcome(result: note)
            guard note != before else { return .done(outcome) }
            outcome.rows = [(name, .note(note))]
            outcome.audit = [entry(of: note, before)]
            return .done(outcome)
        }
    }

    private func apply(_ edit: Edit, to note: inout RecipeNote) {
        switch edit {
        case .owner(let owner): note.owner = owner
        case .labels(let labels): note.labels = labels
        case .archived(let isArchived): note.archivedAt = isArchived ? note.archivedAt ?? origin.at : nil
        case .sendBack(let revision, let comment):
            note.sentBack = RecipeNote.SentBack(
                revision: revision, comment: comment, author: origin.author, at: origin.at)
        case .withdrawComment: note.sentBack = nil
        }
    }

    /// The audit's entry of the change. Of a comment it contains only the revision.
    private func entry(of note: RecipeNote, _ before: RecipeNote) -> AuditEntry {
        var entry = AuditEntry(
            at: origin.at, author: origin.author, action: .change, kind: .note, app: app, name: slug)
        if note.owner != before.owner { entry.facts["owner"] = note.owner.map { .string($0) } ?? .null }
        if note.labels != before.labels { entry.facts["labels"] = .array(note.labels.map { .string($0) }) }
        if note.archivedAt != before.archivedAt { entry.facts["archived"] = .bool(note.archivedAt != nil) }
        if note.sentBack != before.sentBack {
            entry.facts["sent_back"] = note.sentBack.map { .integer(Int64($0.revision)) } ?? .null
        }
        return entry
    }
}

extension Persistence {
    /// Reads the notes on an app's recipes, by slug. Queued with reads of telemetry.
    public func readNotes(
        of app: Identifier, _ completion: @escaping @Sendable (Result<[Identifier: RecipeNote], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in
            var notes: [Identifier: RecipeNote] = [:]
            for row in try store.find(.small(.note, app: app), limit: .max) {
                if case .note(_, let slug) = row.name, case .note(let note) = try row.value.get() { notes[slug] = note }
            }
            return notes
        }
    }
}
