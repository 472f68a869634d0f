import GRDB

/// Deletes from the logs what is no longer kept: in each app from its oldest record up to the first that stays, so that
/// what is left of a log has no gaps; the highest cursor deleted is remembered for the app.
///
/// A record stays while it is young, and while a consumer of its app has not acknowledged it; the latter no longer than
/// the policy holds any. Times are when records were received.
struct LogRetention {
    let before: Int64
    let heldBefore: Int64

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
            let (cursor, receivedAt) = (row.integer(0), row.integer(1))
            let isDue = receivedAt < heldBefore || receivedAt < before && cursor <= acknowledged
            return (cursor: cursor, isDue: isDue)
        } isEnough: {
            !$0.isDue
        }
        guard let last = oldest.last(where: \.isDue) else { return 0 }
        try Prepared(database, "UPDATE app SET expired_cursor = ? WHERE key = ?")
            .run(.integer(last.cursor), .integer(app))
        return try Prepared(database, "DELETE FROM telemetry WHERE app = ? AND cursor <= ?")
            .run(.integer(app), .integer(last.cursor))
    }
}
