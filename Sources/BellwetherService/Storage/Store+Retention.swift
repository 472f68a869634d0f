public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Retention over a store's rows and logs.
extension Store {
    /// Deletes a part of the rows and records that the policy no longer keeps. Returns true if there are more.
    ///
    /// Each kind has its own slices, which block no other writer for long.
    public func deleteExpired(_ policy: RetentionPolicy, now: Timestamp) throws(StoreError) -> Bool {
        if try deleteRecords(policy, now) { return true }
        let ids = LogRange.eventIDs(before: now.adding(seconds: -policy.eventIDSeconds))
        if try delete(ids, limit: policy.slice) >= policy.slice { return true }
        let replies = LogRange.replies(before: now.adding(seconds: -policy.idempotencySeconds))
        if try delete(replies, limit: policy.slice) >= policy.slice { return true }
        if try deleteDeadWebhooks(policy, now) { return true }
        return try deleteRuns(policy, now)
    }

    /// Deletes dead webhooks that are too old, and the oldest ones beyond the bound.
    private func deleteDeadWebhooks(_ policy: RetentionPolicy, _ now: Timestamp) throws(StoreError) -> Bool {
        let limit = min(policy.slice, 1000)
        let time = now.adding(seconds: -policy.deadWebhookSeconds)
        let excess = try count(.deadWebhooks, limit: OutboxRow.deadBound + limit) - OutboxRow.deadBound
        let due = try find(.deadWebhooks, limit: limit).enumerated().filter { index, row in
            guard index >= excess else { return true }
            guard case .success(.webhook(let webhook, _)) = row.value, case .dead(let at) = webhook.state else {
                return false
            }
            return at < time
        }
        return try deleteEach(due.map(\.element)) && due.count >= limit
    }

    /// Deletes the runs that were marked as deleted, with their files. The bytes of files in a slice are bounded,
    /// because a store may overwrite them.
    private func deleteRuns(_ policy: RetentionPolicy, _ now: Timestamp) throws(StoreError) -> Bool {
        let limit = min(policy.slice, 500)
        let time = now.adding(seconds: -policy.deletedRunSeconds)
        let found = try find(.deletedRuns(before: time), limit: limit)
        var (due, bytes): ([FoundRow], Int) = ([], 0)
        for row in found where bytes < Self.sliceBytes {
            due.append(row)
            if case .success(.run(let run)) = row.value { for file in run.flow?.files ?? [] { bytes += file.bytes } }
        }
        return try deleteEach(due) && (due.count < found.count || found.count >= limit)
    }

    private static var sliceBytes: Int { 16 << 20 }

    /// Deletes the rows that no other writer changes meanwhile. Returns whether there were any.
    private func deleteEach(_ rows: [FoundRow]) throws(StoreError) -> Bool {
        guard !rows.isEmpty else { return false }
        let outcomes = try write(rows.map { WriteGroup([$0.write(.nothing)]) })
        return outcomes.contains { if case .written = $0 { true } else { false } }
    }

    private func deleteRecords(_ policy: RetentionPolicy, _ now: Timestamp) throws(StoreError) -> Bool {
        var left = policy.slice
        for log in try logs(LogQuery(app: nil)).logs {
            guard left > 0 else { break }
            let expiry = RecordExpiry(
                policy, now: now, acknowledged: try acknowledged(of: log.app) ?? .max, app: log.app, store: self)
            left -= try expiry.deleteSlice(limit: left)
        }
        return left <= 0
    }
}

/// Deletes the oldest of an app's records up to the first that stays, so that the rest of the log has no gaps.
///
/// A record stays while it is young. It also stays while a consumer of its app has not acknowledged it, but at most for
/// the hold time of the policy. All times are the times at which records were received.
///
/// A record of a clock that was ahead has an unknown age. It is deleted with a later record that is due, and keeps no
/// other record.
private struct RecordExpiry {
    private static let page = 500

    private let before: Timestamp
    private let heldBefore: Timestamp
    private let now: Timestamp
    private let acknowledged: Int64
    private let app: Identifier
    private let store: any Store

    init(_ policy: RetentionPolicy, now: Timestamp, acknowledged: Int64, app: Identifier, store: any Store) {
        before = now.adding(seconds: -policy.telemetrySeconds)
        heldBefore = now.adding(seconds: -max(policy.telemetrySeconds, policy.telemetryHoldSeconds))
        (self.now, self.acknowledged, self.app, self.store) = (now, acknowledged, app, store)
    }

    /// Returns the number of records that were deleted. If it is below the limit, no more records are due.
    func deleteSlice(limit: Int) throws(StoreError) -> Int {
        let oldest = try oldest(limit)
        guard let last = try lastDue(oldest) else { return 0 }
        let deleted = oldest.prefix { $0.cursor.number <= last }
        let until = deleted.map(\.receivedAt).filter { $0 <= now }.max()
        return try store.delete(.records(app: app, through: last, until: until), limit: limit)
    }

    /// The oldest records, up to the first that stays.
    private func oldest(_ limit: Int) throws(StoreError) -> [TelemetryRow] {
        var rows: [TelemetryRow] = []
        while rows.count < limit {
            let after = rows.last?.cursor.number ?? 0
            let page = try store.records(
                RecordRange(app: app, after: after, limit: min(Self.page, limit - rows.count)))
            for row in page.rows {
                rows.append(row)
                if !isDue(row), row.receivedAt <= now { return rows }
            }
            if page.isAtEnd { break }
        }
        return rows
    }

    private func isDue(_ row: TelemetryRow) -> Bool {
        row.receivedAt < heldBefore || row.receivedAt < before && row.cursor.number <= acknowledged
    }

    /// The last record to delete of the oldest ones. If they end with records of a clock that was ahead, the first
    /// later record of a correct clock decides.
    private func lastDue(_ oldest: [TelemetryRow]) throws(StoreError) -> Int64? {
        if let last = oldest.last, last.receivedAt > now, let next = try next(after: last), isDue(next) {
            return last.cursor.number
        }
        return oldest.last(where: isDue)?.cursor.number
    }

    /// The first later record of a clock that was not ahead.
    private func next(after row: TelemetryRow) throws(StoreError) -> TelemetryRow? {
        var after = row.cursor.number
        while true {
            let page = try store.records(RecordRange(app: app, after: after, limit: Self.page))
            if let next = page.rows.first(where: { $0.receivedAt <= now }) { return next }
            guard !page.isAtEnd, let last = page.rows.last else { return nil }
            after = last.cursor.number
        }
    }
}
