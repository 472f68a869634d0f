import BellwetherCore

/// Applies and commits batches of transactions, on the one thread that writes.
///
/// The client table is changed only after a write is durable. A conflict with another writer drops what the table
/// holds of the rows concerned and applies their transactions again, from fresh rows.
struct TransactionWriter {
    typealias Answer = Result<TransactionResult, StoreError>

    struct Pending: Sendable {
        let transaction: Transaction
        let completion: @Sendable (Answer) -> Void
    }

    /// How often a batch asks for more rows.
    private static let maximumRounds = 3
    /// How often a transaction is applied before it is refused: other writers have won each time.
    private static let maximumAttempts = 8

    let store: any Store
    let table: ClientTable
    let counts: StorageCounts

    /// Returns when every transaction of the batch is answered.
    func commit(_ batch: [Pending]) {
        var left = batch
        var apart: [[Pending]] = []
        for _ in 0..<Self.maximumAttempts where !left.isEmpty { left = attempt(left, &apart) }
        for pending in left { pending.completion(.failure(.overloaded)) }
        for batch in apart { commit(batch) }
    }

    /// Answers the transactions that have to be applied again. `apart` gets those that were refused together, where the
    /// content of one may be the reason.
    private func attempt(_ batch: [Pending], _ apart: inout [[Pending]]) -> [Pending] {
        var work = TransactionBatch(batch.map(\.transaction))
        do {
            let (query, ids) = work.query(table)
            if !query.isEmpty { work.enter(try store.read(query), for: query, ids: ids) }
        } catch {
            counts.addFailure()
            for pending in batch { pending.completion(.failure(error)) }
            return []
        }
        var results: [Int: TransactionResult] = [:]
        for (position, pending) in batch.enumerated() {
            switch apply(position, in: &work) {
            case .success(let result): results[position] = result
            case .failure(let error): pending.completion(.failure(error))
            }
        }
        var conflicts: [Int] = []
        for part in write(work.finished()[...]) {
            switch part.outcome {
            case .success(.written(let versions)):
                enter(part.group.write, versions)
                for position in part.group.transactions {
                    results[position].map { batch[position].completion(.success($0)) }
                }
            case .success(.conflict(let names)):
                for key in names.compactMap(\.tableKey) { table.forget(key) }
                conflicts += part.group.transactions
            case .failure(.rejected) where part.group.transactions.count > 1:
                let refused = part.group.transactions.map { batch[$0] }
                apart += [Array(refused[..<(refused.count / 2)]), Array(refused[(refused.count / 2)...])]
            case .failure(let error):
                for position in part.group.transactions { batch[position].completion(.failure(error)) }
            }
        }
        return conflicts.sorted().map { batch[$0] }
    }

    private func apply(_ position: Int, in work: inout TransactionBatch) -> Answer {
        var more: [RowName] = []
        for _ in 0...Self.maximumRounds {
            switch work.apply(position, more: more) {
            case .done(let result): return .success(result)
            case .failed(let error): return .failure(error)
            case .needs(let names):
                more += names
                let query = RowQuery(names: work.missing(names, table))
                guard !query.isEmpty else { continue }
                do { work.enter(try store.read(query), for: query) } catch { return .failure(error) }
            }
        }
        return .failure(.rejected("a transaction asked for rows too often"))
    }

    private typealias Group = (write: WriteGroup, transactions: [Int])
    private typealias Part = (group: Group, outcome: Result<WriteOutcome, StoreError>)

    /// Where one group's content may be the reason of a failure, the halves are tried apart.
    private func write(_ groups: ArraySlice<Group>) -> [Part] {
        guard !groups.isEmpty else { return [] }
        do {
            let outcomes = try store.write(groups.map(\.write))
            var commit = StorageCounts.Commit()
            for (group, outcome) in zip(groups, outcomes) {
                guard case .written = outcome else { continue }
                commit.transactions += group.transactions.count
                commit.records += group.write.records.count
                for record in group.write.records { commit.apps.insert(record.app) }
                commit.webhooks += group.write.outbox.count
            }
            counts.add(commit)
            return zip(groups, outcomes).map { ($0, .success($1)) }
        } catch {
            counts.addFailure()
            guard case .rejected = error, groups.count > 1 else { return groups.map { ($0, .failure(error)) } }
            let middle = groups.startIndex + groups.count / 2
            return write(groups[..<middle]) + write(groups[middle...])
        }
    }

    /// Enters what is durable now.
    private func enter(_ write: WriteGroup, _ versions: [UInt64]) {
        for (row, version) in zip(write.rows, versions) {
            if case .tally(let app, let key) = row.name, case .tally(let tally)? = row.value {
                counts.note(tally, version: version, of: key, in: app)
            }
            guard let key = row.name.tableKey, case .client(let state)? = row.value else { continue }
            table.commit(key, StoredClient(version: version, state: state))
        }
    }
}
