internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import Surveys

// Statements that write one row.

extension PostgresStatement {
    static func insertion(of answer: SurveyResponse, _ keys: [String]) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO answer (app, client, message, \(RowTable.answerColumns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            keys.map { .text($0) } + [
                .text(answer.id), .text(answer.requestID), .integer(Int64(answer.optionIndex)),
                .text(answer.optionStringID), .text(answer.text), .text(answer.locale),
                .integer(Int64(answer.revision)), .integer(answer.submittedAt.milliseconds),
                .text(answer.enrollment?.slug), .text(answer.enrollment?.branch),
            ])
    }

    static func insertion(of reply: StoredReply, _ keys: [String], _ at: Timestamp) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO reply (token, path, name, digest, status, body, entity_tag, at, app, client_id, user_id, run)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            keys.map { .text($0) } + [
                .bytes(reply.bodyDigest), .integer(Int64(reply.status)), .bytes(reply.body), .text(reply.entityTag),
                .integer(at.milliseconds), .text(reply.subject?.app), .text(reply.subject?.clientID),
                .text(reply.subject?.userID), .text(reply.subject?.runID),
            ])
    }

    static func current(_ keys: [String], _ run: String?, _ version: UInt64, isNew: Bool) -> PostgresStatement {
        .numbering(
            isNew
                ? "INSERT INTO current_run (run, version, app, slug, respondent) VALUES (?, ?, ?, ?, ?)"
                : "UPDATE current_run SET run = ?, version = ? WHERE app = ? AND slug = ? AND respondent = ?",
            [.text(run), .version(version)] + keys.map { .text($0) })
    }

    static func writing(_ run: Run, app: String, _ version: UInt64, isNew: Bool) -> PostgresStatement {
        let time = { (time: Timestamp?) in PostgresValue.integer(time?.milliseconds) }
        let columns = [
            "version", "slug", "user_id", "client_id", "merged_user", "status", "is_dev", "created_at", "updated_at",
            "submitted_at", "deleted_at", "body",
        ]
        let values: [PostgresValue] = [
            .version(version), .text(run.slug), .text(run.respondent.userID), .text(run.clientID),
            .text(run.mergedUserID), .text(run.status.rawValue), .integer(run.isDevelopment ? 1 : 0),
            .integer(run.createdAt.milliseconds), .integer(run.updatedAt.milliseconds), time(run.submittedAt),
            time(run.deletedAt), .bytes(JSONValue.object(run.json).encoded), .text(app), .text(run.id),
        ]
        let list = columns.joined(separator: ", ")
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        let settings = columns.map { "\($0) = ?" }.joined(separator: ", ")
        return .numbering(
            isNew
                ? "INSERT INTO run (\(list), app, id) VALUES (\(marks))"
                : "UPDATE run SET \(settings) WHERE app = ? AND id = ?", values)
    }

    /// Inserts a webhook, unless its id exists already.
    static func insertion(of row: OutboxRow, version: UInt64) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO outbox
                (id, version, app, url, host, secret_name, body, client_id, user_id, created_at, next_attempt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """, .text(row.id), .version(version), .text(row.app), .text(row.url), .text(row.host),
            .text(row.secretName), .bytes(row.body), .text(row.clientID), .text(row.userID),
            .integer(row.createdAt.milliseconds), .integer(row.nextAttempt.milliseconds))
    }

    /// Updates the delivery of a webhook. Its receiver, its body and its user never change.
    static func update(of row: OutboxRow, _ owner: String?, _ version: UInt64) -> PostgresStatement {
        let dead =
            if case .dead(let time) = row.state { PostgresValue.integer(time.milliseconds) } else { PostgresValue.null }
        return .numbering(
            """
            UPDATE outbox SET client_id = ?, attempts = ?, next_attempt = ?, owner = ?, dead_at = ?, last_failure = ?,
                version = ? WHERE id = ?
            """, .text(row.clientID), .integer(Int64(row.attempts)), .integer(row.nextAttempt.milliseconds),
            .text(owner), dead, .text(row.lastFailure), .version(version), .text(row.id))
    }

    /// Inserts a file. If the app has a file with this digest, that file keeps its type, and is locked: no other
    /// transaction deletes it before this one has referred to it.
    static func insertion(of file: FileWrite) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO file (app, sha256, type, content) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, sha256) DO UPDATE SET type = file.type
            """, .text(file.app), .text(file.file.reference.sha256), .text(file.file.reference.type),
            .bytes(file.file.content))
    }
}
