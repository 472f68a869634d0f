internal import BellwetherBase
import BellwetherCore
import BellwetherService
import SQLiteWire

/// Finds rows by an index (`RowIndex`). Each index is one range of one SQLite index.
struct IndexRows {
    private let database: SQLiteConnection
    private let apps: AppRows

    init(_ database: SQLiteConnection) throws { (self.database, apps) = (database, try AppRows(database)) }

    func find(_ index: RowIndex, limit: Int) throws -> [FoundRow] {
        guard let range = try range(of: index) else { return [] }
        let order = range.order.isEmpty ? "" : "ORDER BY \(range.order)"
        return try Prepared(
            database, "SELECT \(range.columns) FROM \(range.table) WHERE \(range.condition) \(order) LIMIT ?"
        ).all(range.values + [.integer(Int64(limit))], read: range.read)
    }

    func count(_ index: RowIndex, limit: Int) throws -> Int {
        guard let range = try range(of: index) else { return 0 }
        return try Prepared(
            database, "SELECT count(*) FROM (SELECT 1 FROM \(range.table) WHERE \(range.condition) LIMIT ?)"
        ).all(range.values + [.integer(Int64(limit))]) { Int($0.integer(0)) }.first ?? 0
    }

    private struct Range {
        let table: String
        let columns: String
        let condition: String
        let values: [SQLValue]
        var order = ""
        let read: (SQLRow) throws -> FoundRow
    }

    /// The range of an index; nil if the store never had data of the app or of the client.
    private func range(of index: RowIndex) throws -> Range? {
        switch index {
        case .answers(let client): return try answers(of: client)
        case .clients(let user):
            let start = SmallRow.aliases(of: user)
            return try shared(
                "kind = 'alias' AND name >= ? AND name < ?", user.app, .text(start), .text("\(user.id)\u{20}"))
        case .users(let client): return try shared("kind = 'alias' AND client_id = ?", client.app, .text(client.id))
        case .counts(let app, let prefix):
            return try shared(
                "kind = 'counts' AND name >= ? AND name < ?", app, .text(prefix), .text(prefix.dropLast() + "\u{20}"))
        case .consumers(let app): return try shared("kind = 'consumer'", app)
        case .notes(let app): return try shared("kind = 'note'", app)
        case .tokens: return try shared("kind = 'token'", nil)
        case .currentRuns(let app, let respondent): return try currentRuns(app, respondent)
        case .replies(let person):
            return try about(person, in: "idempotency").map { replies($0, $1) }
        case .repliesOfRun(let run):
            return try apps.find(run.app).map {
                replies("idempotency.app = ? AND run = ?", [.integer($0), .text(run.id)])
            }
        case .runs(let query):
            return try apps.find(query.app).map { app in
                let (condition, values) = RunRows.condition(query, app: app)
                return runs(condition, values, order: "created_at DESC, id DESC")
            }
        case .deletedRuns(let time):
            return runs(
                "deleted_at IS NOT NULL AND deleted_at < ?", [.integer(time.milliseconds)], order: "deleted_at")
        case .runsWithFile(let file): return try apps.find(file.app).map { runs(with: file.sha256, of: $0) }
        case .revisions(let app, let slug): return try revisions(app, slug)
        case .webhooks, .webhooksAbout, .pendingWebhooks, .dueWebhooks, .deadWebhooks: return try webhooks(index)
        }
    }

    private func runs(with sha256: String, of app: Int64) -> Range {
        let files = "SELECT run_file.run FROM run_file JOIN file ON file.key = run_file.file"
        return runs(
            "run.key IN (\(files) WHERE file.app = ? AND sha256 = ?)", [.integer(app), .text(sha256)], order: "")
    }

    private func answers(of client: ClientReference) throws -> Range? {
        guard let app = try apps.find(client.app),
            let key = try ClientRows(database).key(app: app, id: client.id)
        else { return nil }
        return Range(
            table: "response", columns: ResponseRows.columns, condition: "client = ? AND app = ?",
            values: [.integer(key), .integer(app)], order: "message"
        ) { row in
            let answer = ResponseRows.response(row, of: client.id)
            let name = RowName.answer(client, message: answer.message)
            return FoundRow(name: name, version: 1, value: .success(.answer(answer)))
        }
    }

    private func shared(_ condition: String, _ app: String?, _ values: SQLValue...) throws -> Range? {
        guard let key = try app.map({ try apps.find($0) }) ?? 0 else { return nil }
        return Range(
            table: "shared", columns: SharedRows.columns, condition: "app = ? AND \(condition)",
            values: [.integer(key)] + values, order: "name"
        ) { try SharedRows.found($0, app: app ?? "") }
    }

    private func currentRuns(_ app: String, _ respondent: String) throws -> Range? {
        guard let key = try apps.find(app) else { return nil }
        return Range(
            table: "current_run", columns: "slug, version, run", condition: "app = ? AND respondent = ?",
            values: [.integer(key), .text(respondent)], order: "slug"
        ) { row in
            FoundRow(
                name: .currentRun(app: app, slug: row.text(0), respondent: respondent), version: row.version(1),
                value: .success(.currentRun(row.optionalText(2))))
        }
    }

    private func about(_ person: Person, in table: String) throws -> (String, [SQLValue])? {
        guard let app = try apps.find(person.app) else { return nil }
        let column = if case .client = person { "client_id" } else { "user_id" }
        return ("\(table).app = ? AND \(column) = ?", [.integer(app), .text(person.id)])
    }

    private func replies(_ condition: String, _ values: [SQLValue]) -> Range {
        Range(
            table: IdempotencyRows.table, columns: IdempotencyRows.columns,
            condition: condition, values: values,
            order: "idempotency.key", read: IdempotencyRows.found)
    }

    private func runs(_ condition: String, _ values: [SQLValue], order: String) -> Range {
        Range(
            table: RunRows.table, columns: RunRows.columns, condition: condition, values: values, order: order,
            read: RunRows.found)
    }

    private func revisions(_ app: String, _ slug: String) throws -> Range? {
        guard let key = try apps.find(app) else { return nil }
        return Range(
            table: "recipe_revision", columns: CatalogRows.revisionColumns, condition: "app = ? AND slug = ?",
            values: [.integer(key), .text(slug)], order: "revision"
        ) { row in
            FoundRow(
                name: .revision(app: app, slug: slug, Int(row.integer(0))), version: 1,
                value: readable { .document(try StoredDocument(row, from: 0, hasAuthor: true)) })
        }
    }

    private func webhooks(_ index: RowIndex) throws -> Range? {
        func range(_ condition: String, _ values: [SQLValue], order: String) -> Range {
            Range(
                table: OutboxRows.table, columns: OutboxRows.columns, condition: condition, values: values,
                order: order, read: OutboxRows.found)
        }
        switch index {
        case .webhooks(let query):
            guard let app = try apps.find(query.app) else { return nil }
            var (conditions, values) = (["outbox.app = ?"], [SQLValue.integer(app)])
            if let state = query.state { conditions.append("dead_at IS \(state == .dead ? "NOT " : "")NULL") }
            if let after = query.after {
                conditions.append("(created_at, id) < (?, ?)")
                values += [.integer(after.createdAt.milliseconds), .text(after.id)]
            }
            return range(conditions.joined(separator: " AND "), values, order: "created_at DESC, id DESC")
        case .webhooksAbout(let person):
            return try about(person, in: "outbox").map { range($0, $1, order: "outbox.key") }
        case .dueWebhooks(let hosts):
            let values = hosts.sorted().map { SQLValue.text($0) }
            let list = values.map { _ in "?" }.joined(separator: ", ")
            return range(
                "dead_at IS NULL AND host NOT IN (\(list))", values, order: "next_attempt, outbox.key")
        case .deadWebhooks: return range("dead_at IS NOT NULL", [], order: "dead_at, outbox.key")
        default: return range("dead_at IS NULL", [], order: "outbox.key")
        }
    }
}
