internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// Finds rows by an index.
extension MemoryStore.Content {
    typealias Found = [(RowName, StoredRow)]

    func found(_ index: RowIndex) -> Found {
        switch index {
        case .answers(let client):
            return sorted { name, _ in if case .answer(client, let key) = name { key } else { nil } }
        case .clients(let user): return sorted { name, _ in if case .alias(user, let id) = name { id } else { nil } }
        case .users(let client):
            return sorted { name, _ in
                guard case .alias(let user, let id) = name, id.hasSameBytes(as: client.id) else { return nil }
                return user.app == client.app ? user.id : nil
            }
        case .currentRuns(let app, let respondent):
            return sorted { name, _ in if case .currentRun(app, let slug, respondent) = name { slug } else { nil } }
        case .replies(let person): return filter { _, value in value.subject.map { $0.isAbout(person) } ?? false }
        case .repliesOfRun(let run):
            return filter { _, value in value.subject.map { $0.app == run.app && $0.runID == run.id } ?? false }
        case .runs(let query): return runs { $0 == query.app && query.means($1) }
        case .deletedRuns(let time): return runs { _, run in run.deletedAt.map { $0 < time } ?? false }
        case .runsWithFile(let file):
            return runs { app, run in
                app == file.app && run.flow?.files.contains { $0.sha256 == file.sha256 } ?? false
            }
        case .counts(let app, let prefix):
            return sorted { name, _ in
                guard case .counts(app, let key) = name else { return nil }
                return key.utf8.starts(with: prefix.utf8) ? key : nil
            }
        case .consumers(let app):
            return sorted { name, _ in if case .consumer(app, let name) = name { name } else { nil } }
        case .notes(let app):
            return sorted { name, _ in if case .note(app, let slug) = name { slug } else { nil } }
        case .tokens: return filter { name, _ in if case .token = name { true } else { false } }
        case .revisions(let app, let slug):
            let all = revisions.filter { row in
                guard case .revision(let itsApp, let itsSlug, _) = row.key else { return false }
                return itsApp.hasSameBytes(as: app) && itsSlug.hasSameBytes(as: slug)
            }
            return all.sorted { $0.value.revision < $1.value.revision }.map { name, document in
                (name, StoredRow(version: 1, value: .document(document)))
            }
        case .webhooks(let query):
            let rows = webhooks { row in
                row.app == query.app && (query.state == nil || (row.state == .pending) == (query.state == .pending))
                    && query.after.map { OutboxCursor(row).position < $0.position } ?? true
            }
            return rows.sorted { OutboxCursor($0.1).position > OutboxCursor($1.1).position }.map(\.0)
        case .webhooksAbout(let person):
            return webhooks { row in
                guard row.app == person.app else { return false }
                return if case .client = person { row.clientID == person.id } else { row.userID == person.id }
            }.map(\.0)
        case .pendingWebhooks: return webhooks { $0.state == .pending }.map(\.0)
        case .dueWebhooks(let hosts):
            let rows = webhooks { $0.state == .pending && !hosts.contains($0.host) }
            return rows.sorted { $0.1.nextAttempt < $1.1.nextAttempt }.map(\.0)
        case .deadWebhooks:
            return webhooks { $0.state != .pending }.sorted { $0.1.diedAt < $1.1.diedAt }.map(\.0)
        }
    }

    /// The rows that match. Their order has no meaning, but is always the same.
    private func filter(_ isMeant: (RowName, RowValue) -> Bool) -> Found {
        sorted { name, value in isMeant(name, value) ? "\(name)" : nil }
    }

    /// The rows that have a text, sorted by the bytes of the text.
    private func sorted(_ text: (RowName, RowValue) -> String?) -> Found {
        rows.compactMap { name, row in text(name, row.value).map { ($0, name, row) } }
            .sorted { $0.0.precedes($1.0) }.map { ($0.1, $0.2) }
    }

    /// The runs that match, newest first.
    private func runs(_ isMeant: (String, Run) -> Bool) -> Found {
        rows.compactMap { name, row -> (Run, RowName, StoredRow)? in
            guard case .run(let reference) = name, case .run(let run) = row.value, isMeant(reference.app, run) else {
                return nil
            }
            return (run, name, row)
        }.sorted { RunQuery.isBefore($0.0, $1.0) }.map { ($0.1, $0.2) }
    }

    /// The webhooks that match, in the order in which they were written.
    private func webhooks(_ isMeant: (OutboxRow) -> Bool) -> [((RowName, StoredRow), OutboxRow)] {
        webhooks.compactMap { id in
            guard let row = rows[.webhook(id)], case .webhook(let webhook, _) = row.value, isMeant(webhook) else {
                return nil
            }
            return ((.webhook(id), row), webhook)
        }
    }
}

extension RowValue {
    fileprivate var subject: ReplySubject? { if case .reply(let reply, _) = self { reply.subject } else { nil } }
}

extension ReplySubject {
    fileprivate func isAbout(_ person: Person) -> Bool {
        guard app == person.app else { return false }
        return if case .client = person { clientID == person.id } else { userID == person.id }
    }
}

extension OutboxCursor {
    fileprivate var position: (Int64, String) { (createdAt.milliseconds, id) }
}

extension OutboxRow {
    fileprivate var diedAt: Int64 { if case .dead(let time) = state { time.milliseconds } else { .max } }
}

extension RowName {
    /// The app that the name belongs to; nil if it belongs to none.
    var app: String? {
        switch self {
        case .client(let client), .answer(let client, _): client.app
        case .user(let user), .alias(let user, _): user.app
        case .run(let run): run.app
        case .currentRun(let app, _, _), .tally(let app, _), .counts(let app, _), .runList(let app, _),
            .consumer(let app, _), .note(let app, _):
            app
        default: nil
        }
    }
}

extension StoredCatalog {
    func value(of name: RowName) -> RowValue? {
        switch name {
        case .document(let app, .manifest): self[app]?.manifest.map { .document($0) }
        case .document(let app, .strings(let locale)): self[app]?.strings[locale].map { .document($0) }
        case .draft(let app, let name): self[app]?.drafts[name].map { .document($0) }
        case .recipe(let app, let slug): self[app]?.recipes.first { $0.slug == slug }.map { .recipe($0) }
        default: nil
        }
    }

    private subscript(_ app: String) -> StoredApp? { apps.first { $0.name == app } }
}
