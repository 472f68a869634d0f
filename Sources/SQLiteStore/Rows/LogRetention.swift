import BellwetherBase
import BellwetherCore
import GRDB

/// Deletes from the logs what is no longer kept: in each app from its oldest record up to the first that stays, so that
/// what is left of a log has no gaps; the highest cursor deleted is remembered for the app.
///
/// A record stays while it is young, and while a consumer of its app has not acknowledged it; the latter no longer than
/// the policy holds any. Times are when records were received.
///
/// A record of a clock that was ahead says nothing of its age: it goes with a later one whose time is over, and holds
/// nothing back.
struct LogRetention {
    let before: Int64
    let heldBefore: Int64
    let now: Int64

    /// Answers how many records were deleted; fewer than the limit: no more are due.
    func deleteSlice(_ database: Database, limit: Int) throws -> Int {
        var left = limit
        for app in try Prepared(database, "SELECT key FROM app ORDER BY key").all(read: { $0.integer(0) }) {
            guard left > 0 else { break }
            left -= try delete(app: app, database, limit: left)
        }
        return limit - left
    }

    private func delete(app: Int64, _ database: Database, limit: Int) throws -> Int {
        let acknowledged = try ConsumerRows(database).acknowledged(app: app) ?? .max
        let oldest = try Prepared(
            database, "SELECT cursor, received_at FROM telemetry WHERE app = ? ORDER BY cursor LIMIT ?"
        ).all(.integer(app), .integer(Int64(limit))) { row in
            record(row, acknowledged)
        } isEnough: {
            !$0.isDue && $0.receivedAt <= now
        }
        guard let last = try lastDue(oldest, app: app, acknowledged, database) else { return 0 }
        try Prepared(
            database,
            """
            UPDATE app SET expired_cursor = ?2, expired_until = max(
                coalesce(expired_until, 0),
                coalesce((SELECT max(received_at) FROM telemetry
                    WHERE app = ?1 AND cursor <= ?2 AND received_at <= ?3), 0))
            WHERE key = ?1
            """
        ).run(.integer(app), .integer(last), .integer(now))
        return try Prepared(database, "DELETE FROM telemetry WHERE app = ? AND cursor <= ?")
            .run(.integer(app), .integer(last))
    }

    private typealias Record = (cursor: Int64, receivedAt: Int64, isDue: Bool)

    private func record(_ row: SQLRow, _ acknowledged: Int64) -> Record {
        let (cursor, receivedAt) = (row.integer(0), row.integer(1))
        let isDue = receivedAt < heldBefore || receivedAt < before && cursor <= acknowledged
        return (cursor, receivedAt, isDue)
    }

    /// The last record of the oldest that goes. Where they end with some of a clock that was ahead, the first behind
    /// them of a clock that was not tells.
    private func lastDue(
        _ oldest: [Record], app: Int64, _ acknowledged: Int64, _ database: Database
    ) throws -> Int64? {
        if let last = oldest.last, last.receivedAt > now {
            let next = try Prepared(
                database,
                """
                SELECT cursor, received_at FROM telemetry WHERE app = ? AND cursor > ? AND received_at <= ?
                ORDER BY cursor LIMIT 1
                """
            ).first(.integer(app), .integer(last.cursor), .integer(now)) { record($0, acknowledged) }
            if next?.isDue == true { return last.cursor }
        }
        return oldest.last { $0.isDue }?.cursor
    }
}

/// One kind of row that retention deletes.
enum RetentionStep: Sendable {
    /// What a consumer has not acknowledged goes later.
    case telemetry(before: Timestamp, unacknowledgedBefore: Timestamp, now: Timestamp)
    case eventIDs(before: Timestamp)
    case replies(before: Timestamp)
    /// Webhooks that were given up.
    case deadWebhooks(before: Timestamp)
    /// Runs that were deleted.
    case runs(deletedBefore: Timestamp)

    /// Answers how many rows were deleted; fewer than the limit: no more are due.
    func deleteSlice(_ database: Database, limit: Int) throws -> Int {
        switch self {
        case .telemetry(let time, let heldTime, let now):
            return try LogRetention(
                before: time.milliseconds, heldBefore: heldTime.milliseconds, now: now.milliseconds
            ).deleteSlice(database, limit: limit)
        case .eventIDs(let time):
            return try Prepared(
                database,
                """
                DELETE FROM event_id WHERE (client, id) IN
                    (SELECT client, id FROM event_id WHERE at < ? ORDER BY at LIMIT ?)
                """
            ).run(.integer(time.seconds), .integer(Int64(limit)))
        case .replies(let time):
            return try Prepared(
                database,
                """
                DELETE FROM idempotency WHERE key IN
                    (SELECT key FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)
                """
            ).run(.integer(time.milliseconds), .integer(Int64(limit)))
        case .runs(let time):
            return try RunRows(database).deleteSlice(deletedBefore: time.milliseconds, limit: limit)
        case .deadWebhooks(let time): return try OutboxRows(database).deleteDead(before: time, limit: limit)
        }
    }
}
