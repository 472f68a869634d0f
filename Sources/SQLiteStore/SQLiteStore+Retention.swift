public import BellwetherCore
public import BellwetherService
import GRDB
import Synchronization

/// Deletes what the policy no longer keeps: slice by slice, each a transaction between two batches of the writer.
extension SQLiteStore {
    public func enforceRetention(_ policy: RetentionPolicy, now: Timestamp) {
        enforceRetention(policy, now: now) {}
    }

    /// A run that finds another under way does nothing. The completion comes when all is deleted or a slice failed.
    func enforceRetention(_ policy: RetentionPolicy, now: Timestamp, _ completion: @escaping @Sendable () -> Void) {
        guard !isEnforcingRetention.exchange(true, ordering: .acquiringAndReleasing) else { return completion() }
        let steps: [RetentionStep] = [
            .telemetry(before: now.adding(seconds: -policy.telemetrySeconds)),
            .eventIDs(before: now.adding(seconds: -policy.eventIDSeconds)),
            .replies(before: now.adding(seconds: -policy.idempotencySeconds)),
        ]
        runNextSlice(of: steps[...]) { [self] in
            isEnforcingRetention.store(false, ordering: .releasing)
            completion()
        }
    }

    private func runNextSlice(of steps: ArraySlice<RetentionStep>, _ completion: @escaping @Sendable () -> Void) {
        guard let step = steps.first else { return completion() }
        database.asyncWriteWithoutTransaction { [self] database in
            guard !submissions.isClosed else { return completion() }
            do {
                var deleted = 0
                try database.inTransaction(.immediate) {
                    deleted = try step.deleteSlice(database, limit: settings.retentionSlice)
                    return .commit
                }
                runNextSlice(of: deleted < settings.retentionSlice ? steps.dropFirst() : steps, completion)
            } catch {
                note(StoreError(error))
                completion()
            }
        }
    }
}

enum RetentionStep: Sendable {
    case telemetry(before: Timestamp)
    case eventIDs(before: Timestamp)
    case replies(before: Timestamp)

    /// Answers how many rows were deleted; fewer than the limit: no more are due.
    func deleteSlice(_ database: Database, limit: Int) throws -> Int {
        switch self {
        case .telemetry(let time): return try Self.deleteTelemetry(database, before: time, limit: limit)
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
        }
    }

    /// From the oldest cursor up to the first record that was received later than the limit, so that what is left of
    /// the log has no gaps; the highest cursor deleted is remembered for each app.
    private static func deleteTelemetry(_ database: Database, before time: Timestamp, limit: Int) throws -> Int {
        let oldest = try Prepared(
            database, "SELECT cursor, app, received_at FROM telemetry ORDER BY cursor LIMIT ?"
        ).all(.integer(Int64(limit))) { (cursor: $0.integer(0), app: $0.integer(1), receivedAt: $0.integer(2)) }
        let due = oldest.prefix { $0.receivedAt < time.milliseconds }
        guard let last = due.last else { return 0 }
        let expired = Dictionary(due.map { ($0.app, $0.cursor) }) { max($0, $1) }
        let remember = try Prepared(database, "UPDATE app SET expired_cursor = ? WHERE key = ?")
        for (app, cursor) in expired { try remember.run(.integer(cursor), .integer(app)) }
        return try Prepared(database, "DELETE FROM telemetry WHERE cursor <= ?").run(.integer(last.cursor))
    }
}
