internal import BellwetherBase
internal import BellwetherJSON
public import BellwetherService
internal import Surveys

/// The rows of an index (`RowIndex`): one range of one index of the database.
struct IndexRange {
    let table: StoreTable
    var conditions: [String]
    var values: [ColumnValue]
    let order: String

    private init(_ table: StoreTable, _ condition: String, _ values: [ColumnValue] = [], order: String) {
        (self.table, conditions, self.values, self.order) = (table, [condition], values, order)
    }

    private mutating func add(_ condition: String, _ bound: ColumnValue...) {
        conditions.append(condition)
        values += bound
    }

    var condition: String { conditions.joined(separator: " AND ") }

    init(_ index: RowIndex, _ dialect: Dialect) {
        let app = "t.app = \(dialect.app)"
        switch index {
        case .answers(let client):
            let key = dialect.client(client)
            self.init(.answer, app, [.text(client.app)], order: "t.message")
            conditions.append("t.client = \(key.sql)")
            values += key.values
        case .answersAfter(let id, let name):
            self.init(.answer, "\(app) AND t.id > ?", [.text(name), .text(id)], order: "t.id")
        case .currentRuns(let name, let respondent):
            self.init(
                .currentRun, "\(app) AND t.respondent = ?", [.text(name), .text(respondent)], order: "t.slug")
        case .replies(let person): self.init(.reply, app, person)
        case .repliesOfRun(let run):
            self.init(.reply, "\(app) AND t.run = ?", [.text(run.app), .text(run.id)], order: "t.key")
        case .revisions(let name, let slug):
            self.init(.revision, "\(app) AND t.slug = ?", [.text(name), .text(slug)], order: "t.revision")
        case .clients(let user):
            let start = SmallRow.aliases(of: user)
            self.init(.alias, app, user.app, "t.name >= ? AND t.name < ?", .text(start), .text("\(user.id)\u{20}"))
        case .users(let client): self.init(.alias, app, client.app, "t.client_id = ?", .text(client.id))
        case .small(let kind, let name, ""): self.init(kind, app, name)
        case .small(let kind, let name, let prefix):
            self.init(
                kind, app, name, "t.name >= ? AND t.name < ?", .text(prefix), .text(prefix.dropLast() + "\u{20}"))
        case .tokens:
            self.init(.small, "t.kind = 'token' AND t.app = \(dialect.noApp)", order: "t.name")
        case .runs, .deletedRuns, .runsWithFile: self.init(runs: index, app, dialect)
        case .webhooks, .webhooksAbout, .pendingWebhooks, .dueWebhooks, .deadWebhooks:
            self.init(webhooks: index, app)
        }
    }

    /// Small rows of a kind.
    private init(
        _ kind: SmallRow.Kind, _ app: String, _ name: Identifier, _ condition: String? = nil, _ values: ColumnValue...
    ) {
        self.init(.small, "t.kind = '\(kind.rawValue)' AND \(app)", [.text(name)] + values, order: "t.name")
        if let condition { conditions.append(condition) }
    }

    private init(_ table: StoreTable, _ app: String, _ person: Person) {
        let column = if case .client = person { "client_id" } else { "user_id" }
        self.init(table, "\(app) AND t.\(column) = ?", [.text(person.app), .text(person.id)], order: "t.key")
    }

    private init(runs index: RowIndex, _ app: String, _ dialect: Dialect) {
        switch index {
        case .runs(let query):
            self.init(.run, app, [.text(query.app)], order: "t.created_at DESC, t.id DESC")
            add(query)
        case .runsWithFile(let file):
            self.init(.run, dialect.refers(app), [.text(file.app), .text(file.sha256)], order: "t.id")
        case .deletedRuns(let time):
            self.init(
                .run, "t.deleted_at IS NOT NULL AND t.deleted_at < ?", [.integer(time.milliseconds)],
                order: "t.deleted_at")
        default: self.init(.run, "FALSE", order: "t.id")
        }
    }

    private mutating func add(_ query: RunQuery) {
        if !query.includesDeleted { add("t.deleted_at IS NULL") }
        if let slug = query.slug { add("t.slug = ?", .text(slug)) }
        if let status = query.status { add("t.status = ?", .text(status.rawValue)) }
        if query.isSubmittedOnly { add("t.submitted_at IS NOT NULL") }
        if let isDevelopment = query.isDevelopment { add("t.is_dev = ?", .integer(isDevelopment ? 1 : 0)) }
        if let user = query.userID {
            if query.includesMerged {
                add("(t.user_id = ? OR t.merged_user = ?)", .text(user), .text(user))
            } else {
                add("t.user_id = ?", .text(user))
            }
        }
        if let client = query.clientID { add("t.client_id = ?", .text(client)) }
        if query.isWithoutUser { add("t.user_id IS NULL") }
        if let time = query.untouchedSince { add("t.updated_at < ?", .integer(time.milliseconds)) }
        if let cursor = query.after {
            add("(t.created_at, t.id) < (?, ?)", .integer(cursor.createdAt.milliseconds), .text(cursor.id))
        }
    }

    private init(webhooks index: RowIndex, _ app: String) {
        switch index {
        case .webhooks(let query):
            self.init(.webhook, app, [.text(query.app)], order: "t.created_at DESC, t.id DESC")
            if let state = query.state { add("t.dead_at IS \(state == .dead ? "NOT " : "")NULL") }
            if let after = query.after {
                add("(t.created_at, t.id) < (?, ?)", .integer(after.createdAt.milliseconds), .text(after.id))
            }
        case .webhooksAbout(let person): self.init(.webhook, app, person)
        case .dueWebhooks(let hosts):
            self.init(.webhook, "t.dead_at IS NULL", order: "t.next_attempt, t.key")
            if !hosts.isEmpty {
                conditions.append("t.host NOT IN (\(hosts.map { _ in "?" }.joined(separator: ", ")))")
                values += hosts.sorted().map { .text($0) }
            }
        case .deadWebhooks: self.init(.webhook, "t.dead_at IS NOT NULL", order: "t.dead_at, t.key")
        default: self.init(.webhook, "t.dead_at IS NULL", order: "t.key")
        }
    }
}

extension Dialect {
    /// The value of column `app` of rows that belong to no app.
    fileprivate var noApp: String { self == .sqlite ? "0" : "''" }

    /// The condition that run `t` refers to a file. The parameters are its app and its digest.
    fileprivate func refers(_ app: String) -> String {
        switch self {
        case .sqlite:
            """
            t.key IN (SELECT r.run FROM run_file r JOIN file t ON t.key = r.file WHERE \(app) AND t.sha256 = ?)
            """
        case .postgres:
            """
            EXISTS (SELECT 1 FROM run_file f WHERE f.app = ? AND f.sha256 = ? AND f.app = t.app AND f.run = t.id)
            """
        }
    }
}

/// Finds rows by an index.
extension SQLSession {
    public func find(_ index: RowIndex, limit: Int) throws -> [FoundRow] {
        let range = IndexRange(index, dialect)
        let table = range.table
        let names = table.columns.prefix(table.keyCount).map { column in
            let expression = dialect.expression(column.name, of: table)
            return column.kind == .text ? expression : "CAST(\(expression) AS text)"
        }
        let sql = """
            SELECT \(names.joined(separator: ", ")), \(table.version), \(table.selection(dialect))
            FROM \(dialect.source(table)) \(table.joins(dialect))
            WHERE \(range.condition) ORDER BY \(range.order) LIMIT ?
            """
        return try all(sql, range.values + [.integer(Int64(limit))]) { row in
            let keys = names.indices.map { row.identifier($0) }
            guard let name = table.rowName(keys) else { throw RowFault("the name of a row cannot be read") }
            return FoundRow(
                name: name, version: row.version(keys.count),
                value: readable { try table.value(row, at: keys.count + 1, keys) })
        }
    }

    public func count(_ index: RowIndex, limit: Int) throws -> Int {
        let range = IndexRange(index, dialect)
        let sql = """
            SELECT count(*) FROM (SELECT 1 FROM \(dialect.source(range.table)) WHERE \(range.condition) LIMIT ?) found
            """
        return try all(sql, range.values + [.integer(Int64(limit))]) { Int($0.integer(0)) }.first ?? 0
    }
}
