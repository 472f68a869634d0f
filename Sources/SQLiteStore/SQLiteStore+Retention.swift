public import BellwetherBase
internal import BellwetherCore
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
            .telemetry(
                before: now.adding(seconds: -policy.telemetrySeconds),
                unacknowledgedBefore: now.adding(seconds: -max(policy.telemetrySeconds, policy.telemetryHoldSeconds)),
                now: now),
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
    /// What a consumer has not acknowledged goes later.
    case telemetry(before: Timestamp, unacknowledgedBefore: Timestamp, now: Timestamp)
    case eventIDs(before: Timestamp)
    case replies(before: Timestamp)

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
        }
    }
}
