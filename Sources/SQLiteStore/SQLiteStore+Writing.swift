import BellwetherCore
public import BellwetherService
import GRDB
import Synchronization

/// Group commit.
extension SQLiteStore {
    public func submit(_ submission: Submission) {
        switch submissions.add(submission, weight: submission.weight) {
        case .waiting: break
        case .first: wakeWriter()
        case .full:
            counts.withLock { $0.refusals += 1 }
            submission.completion(.failure(.overloaded))
        case .closed: submission.completion(.failure(.closed))
        }
    }

    /// One batch a turn, so that a publish or a slice of retention that waits for the writer gets its own. Polls come
    /// first: what waits longer is gathered into fewer commits
    /// (docs/decisions/0029-the-writer-thread-runs-at-background-priority.md).
    private func wakeWriter() {
        database.asyncWriteWithoutTransaction { [self] database in
            GivingWay.fromNowOn()
            commitNext(database)
            if submissions.rest() { wakeWriter() }
        }
    }

    func commitNext(_ database: Database) {
        let batch = submissions.take(weight: settings.eventsPerCommit)
        guard !batch.isEmpty else { return }
        commit(batch, database)
    }

    /// Commits and answers. Where one submission may be the reason of a failure, the halves are tried apart.
    private func commit(_ batch: [Submission], _ database: Database, isSecondTry: Bool = false) {
        let results: [SubmissionResult]
        do {
            results = try transact(batch, database)
        } catch {
            counts.withLock { $0.failures += 1 }
            if case .versionConflict(let client)? = error as? RowFault, !isSecondTry {
                table.forget(client)
                return commit(batch, database, isSecondTry: true)
            }
            let isOfOne = StoreError.isOfOneSubmission(error)
            if isOfOne, batch.count > 1 {
                let half = batch.count / 2
                commit(Array(batch[..<half]), database)
                return commit(Array(batch[half...]), database)
            }
            let failure = StoreError(error)
            if !isOfOne { note(failure) }
            for submission in batch { submission.completion(.failure(failure)) }
            return
        }
        for (submission, result) in zip(batch, results) { submission.completion(.success(result)) }
    }

    /// The table is changed only after COMMIT has returned.
    private func transact(_ batch: [Submission], _ database: Database) throws -> [SubmissionResult] {
        var results: [SubmissionResult] = []
        var durable: [(client: ClientReference, stored: StoredClient)] = []
        var work = try WriteBatch(database, table: table, erasedVersion: erasedVersion.withLock { $0 })
        var timing = StoreTiming()
        try database.inTransaction(.immediate) {
            results = try batch.map { try work.apply($0) }
            durable = try work.finish()
            timing.commitBegins()
            return .commit
        }
        timing.ends()
        for (client, stored) in durable { table.commit(client, stored) }
        noteSuccess()
        counts.withLock { counts in
            counts.commits += 1
            counts.submissions += batch.count
            counts.changes += work.changes
            counts.telemetryRecords += work.telemetryRecords
            counts.add(timing, submissions: batch.count)
        }
        if !work.telemetryApps.isEmpty, let observer = telemetryObserver.withLock({ $0 }) {
            observer(work.telemetryApps)
        }
        return results
    }
}

extension Submission {
    /// Its events, and one for each change without any.
    fileprivate var weight: Int {
        changes.reduce(0) { $0 + max(1, $1.eventIDs.count) }
    }
}
