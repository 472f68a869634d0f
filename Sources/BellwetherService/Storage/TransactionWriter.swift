import BellwetherCore

/// Passes the result of a transaction to its requester.
typealias ResultDelivery = @Sendable () -> Void

/// Applies and commits batches of transactions, on the only thread that writes.
///
/// The client table is changed only after a write is durable. A conflict with another writer drops the table's entries
/// of the rows concerned. Their transactions are applied again, from fresh rows.
struct TransactionWriter {
    /// A waiting transaction with a result of any type.
    struct Pending: Sendable {
        let transaction: Transaction<ResultDelivery>
        let fail: @Sendable (StoreError) -> Void

        init<Value>(
            _ transaction: Transaction<Value>, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
        ) {
            self.transaction = transaction.map { value in { completion(.success(value)) } }
            fail = { completion(.failure($0)) }
        }
    }

    let store: any Store
    let table: ClientTable
    let counts: StorageCounts
    let feed: ChangeFeed

    /// Commits a batch. Returns when every transaction has its result.
    func commit(_ batch: [Pending]) {
        var left = batch
        var apart: [[Pending]] = []
        for conflicts in 0..<Contention.maximumAttempts where !left.isEmpty {
            Contention.pause(after: conflicts)
            left = attempt(left, &apart)
        }
        for pending in left { pending.fail(.overloaded) }
        for batch in apart { commit(batch) }
    }

    /// Returns the transactions that have to be applied again. `apart` gets the transactions that were refused
    /// together, if the content of one may be the reason.
    private func attempt(_ batch: [Pending], _ apart: inout [[Pending]]) -> [Pending] {
        var completions: [() -> Void] = []
        let left = store.turn.take { write(batch, &apart, &completions) }
        for completion in completions { completion() }
        return left
    }

    /// Adds completions to `completions`, which are called after the turn.
    private func write(
        _ batch: [Pending], _ apart: inout [[Pending]], _ completions: inout [() -> Void]
    ) -> [Pending] {
        var work = TransactionBatch(batch.map(\.transaction))
        do {
            let (query, ids) = work.query(table)
            if !query.isEmpty { work.enter(try store.read(query), for: query, ids: ids) }
        } catch {
            counts.addFailure()
            completions.append { for pending in batch { pending.fail(error) } }
            return []
        }
        var applied: [Int] = []
        for (position, pending) in batch.enumerated() {
            if let error = apply(position, in: &work) {
                completions.append { pending.fail(error) }
            } else {
                applied.append(position)
            }
        }
        let groups = work.finished()
        if let difference = PreparedGroup.difference(in: groups, read: work.valueRead) {
            let error = fault(difference)
            completions.append { [applied] in for position in applied { batch[position].fail(error) } }
            return []
        }
        var conflicts: [Int] = []
        for (group, outcome) in write(groups[...]) {
            switch outcome {
            case .success(.written(let versions)):
                completions.append { finish(group, versions, batch) }
            case .success(.conflict(let names)):
                for key in names.compactMap(\.tableKey) { table.forget(key) }
                conflicts += group.positions
            case .failure(.rejected) where group.outcomes.count > 1:
                let refused = group.positions.map { batch[$0] }
                apart += [Array(refused[..<(refused.count / 2)]), Array(refused[(refused.count / 2)...])]
            case .failure(let error):
                completions.append { for position in group.positions { batch[position].fail(error) } }
            }
        }
        return conflicts.sorted().map { batch[$0] }
    }

    /// Completes the transactions of a group that the store reports as written.
    private func finish(_ group: PreparedGroup, _ versions: [UInt64], _ batch: [Pending]) {
        if let difference = group.difference(written: versions) {
            let error = fault(difference)
            for key in group.write.rows.compactMap(\.name.tableKey) { table.forget(key) }
            for position in group.positions { batch[position].fail(error) }
            return
        }
        let tallies = enter(group.write, versions)
        if feed.streams.isNeeded { feed.streams.note(group, versions) }
        feed.notify(tallies) {
            for (_, outcome) in group.outcomes { outcome.result() }
        }
    }

    /// Applies a transaction. Returns nil if it was applied.
    private func apply(_ position: Int, in work: inout TransactionBatch) -> StoreError? {
        var more: [RowName] = []
        for _ in 0...TransactionRows.maximumRounds {
            switch work.apply(position, more: more) {
            case .done: return nil
            case .failed(let error): return error
            case .fault(let reason): return fault(reason)
            case .needs(let names):
                more += names
                let query = RowQuery(names: work.missing(names, table))
                guard !query.isEmpty else { continue }
                do { work.enter(try store.read(query), for: query) } catch { return error }
            }
        }
        return fault("a transaction asked for rows \(TransactionRows.maximumRounds + 1) times")
    }

    /// Counts and logs a fault of the program. The transactions that it concerns fail.
    private func fault(_ reason: String) -> StoreError {
        counts.addFault(reason)
        return .rejected(reason)
    }

    private typealias Part = (group: PreparedGroup, outcome: Result<WriteOutcome, StoreError>)

    /// Writes groups. If the content of one group may be the reason of a failure, each half is tried separately.
    private func write(_ groups: ArraySlice<PreparedGroup>) -> [Part] {
        guard !groups.isEmpty else { return [] }
        do {
            let outcomes = try store.write(groups.map(\.write))
            guard outcomes.count == groups.count else {
                // The error is not `.rejected`, which would be tried again in halves.
                _ = fault("the store has not answered for each group")
                return groups.map { ($0, .failure(.unavailable("the store has not answered for each group"))) }
            }
            var commit = StorageCounts.Commit()
            var written: [WriteGroup] = []
            for (group, outcome) in zip(groups, outcomes) {
                guard case .written = outcome else { continue }
                written.append(group.write)
                commit.transactions += group.outcomes.count
                commit.records += group.write.records.count
                for record in group.write.records { commit.apps.insert(record.app) }
                commit.webhooks += group.write.outbox.count
            }
            counts.add(commit)
            feed.notify(records: commit.apps)
            feed.journal.note(written)
            feed.activity.note(written)
            feed.notify(cells: written)
            return zip(groups, outcomes).map { ($0, .success($1)) }
        } catch {
            counts.addFailure()
            guard case .rejected = error, groups.count > 1 else { return groups.map { ($0, .failure(error)) } }
            let middle = groups.startIndex + groups.count / 2
            return write(groups[..<middle]) + write(groups[middle...])
        }
    }

    /// Enters the client states that are durable now. Returns the tallies that are durable now.
    private func enter(_ write: WriteGroup, _ versions: [UInt64]) -> [CommittedTally] {
        var tallies: [CommittedTally] = []
        for (row, version) in zip(write.rows, versions) {
            switch (row.name, row.value) {
            case (.tally(let app, let key), .tally(let tally)?):
                tallies.append(CommittedTally(app: app, key: key, tally: tally, version: version))
            case (_, .client(let state)?):
                if let key = row.name.tableKey { table.commit(key, StoredClient(version: version, state: state)) }
            default: break
            }
        }
        return tallies
    }
}
