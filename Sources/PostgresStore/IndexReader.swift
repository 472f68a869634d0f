internal import BellwetherBase
internal import BellwetherService
internal import PostgresWire
internal import Surveys

/// Finds rows by an index (`RowIndex`). Each query reads one range of one PostgreSQL index.
struct IndexReader {
    private static let seconds = 30.0

    private struct Range {
        let table: RowTable
        let condition: String
        let values: [PostgresValue]
        let order: String

        init(_ table: RowTable, _ condition: String, _ values: [PostgresValue], order: String) {
            (self.table, self.condition, self.values, self.order) = (table, condition, values, order)
        }
    }

    let connection: PostgresConnection

    func find(_ index: RowIndex, limit: Int) throws -> [FoundRow] {
        let range = range(of: index)
        let table = range.table
        let keys = table.keys.map { "t.\($0)::text" }.joined(separator: ", ")
        let statement = PostgresStatement.numbering(
            """
            SELECT \(keys), \(table.version), \(table.columns) FROM \(table.name) t \(table.joins)
            WHERE \(range.condition) ORDER BY \(range.order) LIMIT ?
            """, range.values + [.integer(Int64(limit))])
        let count = table.keys.count
        let mark = VersionMark(connection, table)
        return try connection.run([statement], seconds: Self.seconds)[0].map { row in
            let keys = (0..<count).map { row.text($0) }
            guard let name = table.rowName(keys) else { throw RowFault("the name of a row cannot be read") }
            let value = readable { try table.value(row, at: count + 1, keys) }
            return FoundRow(name: name, version: mark.told(row.version(count)), value: value)
        }
    }

    func count(_ index: RowIndex, limit: Int) throws -> Int {
        let range = range(of: index)
        let statement = PostgresStatement.numbering(
            "SELECT count(*) FROM (SELECT 1 FROM \(range.table.name) t WHERE \(range.condition) LIMIT ?) found",
            range.values + [.integer(Int64(limit))])
        return try connection.run([statement], seconds: Self.seconds)[0].first { Int($0.integer(0)) } ?? 0
    }

    private func range(of index: RowIndex) -> Range {
        switch index {
        case .answers(let client):
            return Range(
                .answer, "t.app = ? AND t.client = ?", [.text(client.app), .text(client.id)], order: "t.message")
        case .currentRuns(let app, let respondent):
            return Range(
                .currentRun, "t.app = ? AND t.respondent = ?", [.text(app), .text(respondent)], order: "t.slug")
        case .replies(let person): return about(person, in: .reply)
        case .repliesOfRun(let run):
            return Range(.reply, "t.app = ? AND t.run = ?", [.text(run.app), .text(run.id)], order: "t.key")
        case .revisions(let app, let slug):
            return Range(.revision, "t.app = ? AND t.slug = ?", [.text(app), .text(slug)], order: "t.revision")
        case .clients, .users, .counts, .consumers, .notes, .tokens: return small(index)
        case .runs, .deletedRuns, .runsWithFile: return runs(index)
        case .webhooks, .webhooksAbout, .pendingWebhooks, .dueWebhooks, .deadWebhooks: return webhooks(index)
        }
    }

    private func about(_ person: Person, in table: RowTable) -> Range {
        let column = if case .client = person { "client_id" } else { "user_id" }
        return Range(
            table, "t.app = ? AND t.\(column) = ?", [.text(person.app), .text(person.id)], order: "t.key")
    }

    private func small(_ index: RowIndex) -> Range {
        func range(_ condition: String, _ app: String, _ values: PostgresValue...) -> Range {
            Range(.small, "t.app = ? AND \(condition)", [.text(app)] + values, order: "t.name")
        }
        switch index {
        case .clients(let user):
            return range(
                "t.kind = 'alias' AND t.name >= ? AND t.name < ?", user.app, .text(SmallRow.aliases(of: user)),
                .text("\(user.id)\u{20}"))
        case .users(let client): return range("t.kind = 'alias' AND t.client_id = ?", client.app, .text(client.id))
        case .counts(let app, let prefix):
            return range(
                "t.kind = 'counts' AND t.name >= ? AND t.name < ?", app, .text(prefix),
                .text(prefix.dropLast() + "\u{20}"))
        case .consumers(let app): return range("t.kind = 'consumer'", app)
        case .notes(let app): return range("t.kind = 'note'", app)
        default: return range("t.kind = 'token'", "")
        }
    }

    private func runs(_ index: RowIndex) -> Range {
        switch index {
        case .runs(let query):
            let (condition, values) = Self.condition(query)
            return Range(.run, condition, values, order: "t.created_at DESC, t.id DESC")
        case .runsWithFile(let file):
            let condition = """
                EXISTS (SELECT 1 FROM run_file f
                    WHERE f.app = ? AND f.sha256 = ? AND f.app = t.app AND f.run = t.id)
                """
            return Range(.run, condition, [.text(file.app), .text(file.sha256)], order: "t.id")
        case .deletedRuns(let time):
            return Range(
                .run, "t.deleted_at IS NOT NULL AND t.deleted_at < ?", [.integer(time.milliseconds)],
                order: "t.deleted_at")
        default: return Range(.run, "FALSE", [], order: "t.id")
        }
    }

    private static func condition(_ query: RunQuery) -> (String, [PostgresValue]) {
        var conditions = ["t.app = ?"]
        var values: [PostgresValue] = [.text(query.app)]
        func add(_ condition: String, _ bound: PostgresValue...) {
            conditions.append(condition)
            values += bound
        }
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
        return (conditions.joined(separator: " AND "), values)
    }

    private func webhooks(_ index: RowIndex) -> Range {
        switch index {
        case .webhooks(let query):
            var (conditions, values) = (["t.app = ?"], [PostgresValue.text(query.app)])
            if let state = query.state { conditions.append("t.dead_at IS \(state == .dead ? "NOT " : "")NULL") }
            if let after = query.after {
                conditions.append("(t.created_at, t.id) < (?, ?)")
                values += [.integer(after.createdAt.milliseconds), .text(after.id)]
            }
            let order = "t.created_at DESC, t.id DESC"
            return Range(.webhook, conditions.joined(separator: " AND "), values, order: order)
        case .webhooksAbout(let person): return about(person, in: .webhook)
        case .dueWebhooks(let hosts):
            let condition = "t.dead_at IS NULL AND t.host <> ALL (?::text[])"
            return Range(.webhook, condition, [.texts(hosts.sorted())], order: "t.next_attempt, t.key")
        case .deadWebhooks: return Range(.webhook, "t.dead_at IS NOT NULL", [], order: "t.dead_at, t.key")
        default: return Range(.webhook, "t.dead_at IS NULL", [], order: "t.key")
        }
    }
}
