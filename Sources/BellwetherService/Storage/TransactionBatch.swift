import BellwetherCore
internal import BellwetherJSON

/// The transactions of one group commit. They are applied in order, each to the rows that the earlier ones have left.
///
/// Transactions that share a row form one group of the write. So a conflict with another writer repeats only the
/// transactions of one group. A transaction gets only the rows that it has named, and its group contains all of these
/// rows.
struct TransactionBatch {
    /// A row that was read.
    private struct Row {
        let read: RowValue?
        /// The version that was read; 0 for a row that does not exist.
        let version: UInt64
        /// The value that the transactions so far have left.
        var value: RowValue?

        init(_ row: StoredRow?) { (read, version, value) = (row?.value, row?.version ?? 0, row?.value) }
    }

    private var rows: [RowName: Row] = [:]
    private var unreadable: [RowName: StoreError] = [:]
    private var knownIDs: [[[Bool]]]
    /// The ids that transactions of this batch store.
    private var claimed: [ClientReference: Set<Identifier>] = [:]
    private let transactions: [Transaction<ResultDelivery>]
    private var groups: [Group] = []
    private var groupIndex: [RowName: Int] = [:]

    /// Transactions that are written together.
    struct Group {
        /// The outcomes of the transactions, with their positions in the batch.
        var outcomes: [(position: Int, outcome: TransactionOutcome<ResultDelivery>)] = []
        /// All rows that were read.
        var names: [RowName] = []
        var changed: Set<RowName> = []
        var eventIDs: [EventIDs] = []
        var records: [WriteGroup.LogRecord] = []
        var outbox: [OutboxRow] = []
        var files: [FileWrite] = []
        var audit: [AuditRecord] = []
    }

    enum Step {
        case done
        case needs([RowName])
        case failed(StoreError)
        /// A fault of the program.
        case fault(String)
    }

    init(_ transactions: [Transaction<ResultDelivery>]) {
        self.transactions = transactions
        knownIDs = transactions.map { $0.eventIDs.map { Array(repeating: false, count: $0.ids.count) } }
    }

    /// The rows that have to be read before any transaction is applied. The client table supplies the rows of the
    /// clients that it holds.
    mutating func query(_ table: ClientTable) -> (RowQuery, ids: [(transaction: Int, entry: Int)]) {
        var query = RowQuery()
        query.names = missing(transactions.lazy.flatMap(\.names), table)
        var ids: [(transaction: Int, entry: Int)] = []
        for (position, transaction) in transactions.enumerated() {
            for (entry, eventIDs) in transaction.eventIDs.enumerated() where !eventIDs.ids.isEmpty {
                // A client without a row has no ids.
                if rows[.client(eventIDs.client)]?.version == 0 { continue }
                query.eventIDs.append(eventIDs)
                ids.append((position, entry))
            }
        }
        return (query, ids)
    }

    /// The names of the rows that have to be read from the store, each once.
    mutating func missing(_ names: some Sequence<RowName>, _ table: ClientTable) -> [RowName] {
        var missing: [RowName] = []
        var seen: Set<RowName> = []
        for name in names where rows[name] == nil && unreadable[name] == nil {
            if let key = name.tableKey, let row = table.row(of: key) {
                rows[name] = Row(row)
            } else if seen.insert(name).inserted {
                missing.append(name)
            }
        }
        return missing
    }

    mutating func enter(_ reading: RowReading, for query: RowQuery, ids: [(transaction: Int, entry: Int)] = []) {
        for (name, row) in zip(query.names, reading.rows) {
            switch row {
            case .success(let row): rows[name] = Row(row)
            case .failure(let error): unreadable[name] = error
            }
        }
        for ((transaction, entry), known) in zip(ids, reading.knownIDs) { knownIDs[transaction][entry] = known }
    }

    /// Applies the transaction at a position. `more` are the rows that it has requested beside the named ones. All of
    /// these rows have been read.
    mutating func apply(_ position: Int, more: [RowName]) -> Step {
        var names = transactions[position].names + more
        var given = TransactionRows(capacity: names.count, knownIDs: knownIDs(of: position))
        for name in names {
            guard let row = rows[name] else {
                return .failed(unreadable[name] ?? .unavailable("the row was not read"))
            }
            given.enter(name, row.value)
        }
        switch transactions[position].apply(given) {
        case .needs(let names): return .needs(names)
        case .done(var outcome):
            guard given.readUnnamed.isEmpty else { return .needs(given.readUnnamed) }
            let counting = CommitCounting(outcome.rows, given)
            for name in counting.names where !given.isLoaded(name) {
                guard let row = rows[name] else { return .needs(counting.names.filter { rows[$0] == nil }) }
                given.enter(name, row.value)
                names.append(name)
            }
            outcome.rows += counting.rows(given)
            // All transactions of the batch that write records of the audit are one group.
            if !outcome.audit.isEmpty, !given.isLoaded(.audit) { return .needs([.audit]) }
            guard outcome.names.allSatisfy(given.isLoaded) else {
                return .fault("a transaction writes a row that it has not named")
            }
            guard outcome.rows.count < 2 || Set(outcome.rows.map(\.name)).count == outcome.rows.count else {
                return .fault("a transaction writes a row twice")
            }
            outcome.rows = marked(outcome.rows, by: transactions[position], given)
            enter(outcome, of: position, names: names)
            return .done
        }
    }

    /// The rows, in which the changed states of people have another mark: for the streams of these people
    /// (docs/reference/streams.md#who-is-notified).
    private func marked(
        _ rows: [(name: RowName, value: RowValue)], by transaction: Transaction<ResultDelivery>,
        _ given: TransactionRows
    ) -> [(name: RowName, value: RowValue)] {
        rows.map { name, value in
            guard name.tableKey != nil, case .client(var state) = value else { return (name, value) }
            let before = if case .client(let state)? = given[name] { state } else { ClientState() }
            state.changes = before.changes
            if !transaction.isEffect, state != before {
                state.changes.advance(at: transaction.now, by: transaction.streamKey(of: name))
            }
            return (name, .client(state))
        }
    }

    /// The known ids, including those that earlier transactions store.
    private func knownIDs(of position: Int) -> [[Bool]] {
        guard !claimed.isEmpty else { return knownIDs[position] }
        return zip(transactions[position].eventIDs, knownIDs[position]).map { eventIDs, known in
            guard let claimed = claimed[eventIDs.client] else { return known }
            return zip(eventIDs.ids, known).map { $1 || claimed.contains($0) }
        }
    }

    private mutating func enter(_ outcome: TransactionOutcome<ResultDelivery>, of position: Int, names: [RowName]) {
        let index = group(of: names)
        groups[index].outcomes.append((position, outcome))
        for (name, value) in outcome.rows where isChange(of: name, to: value) {
            rows[name]?.value = value
            groups[index].changed.insert(name)
            if case .answer(let client, _) = name { markChanged(client, in: index) }
        }
        for eventIDs in outcome.eventIDs {
            claimed[eventIDs.client, default: []].formUnion(eventIDs.ids)
            markChanged(eventIDs.client, in: index)
        }
        groups[index].eventIDs += outcome.eventIDs
        groups[index].outbox += outcome.outbox
        groups[index].files += outcome.files
        groups[index].audit += appended(outcome.audit, in: index)
        let now = transactions[position].now
        groups[index].records += outcome.records.map {
            WriteGroup.LogRecord(app: $0.app, record: $0.record, receivedAt: now)
        }
    }

    /// Appends entries to the audit, and returns their records.
    private mutating func appended(_ entries: [AuditEntry], in index: Int) -> [AuditRecord] {
        guard !entries.isEmpty else { return [] }
        var chain = if case .audit(let chain)? = rows[.audit]?.value { chain } else { AuditChain() }
        let records = entries.map { chain.append($0) }
        rows[.audit]?.value = .audit(chain)
        groups[index].changed.insert(.audit)
        return records
    }

    private func isChange(of name: RowName, to value: RowValue) -> Bool {
        guard let known = rows[name]?.value else { return !value.isAsNoRow }
        return known != value
    }

    /// Marks the client's row as changed. It is written with every write about the client: see `RowName.client`.
    private mutating func markChanged(_ client: ClientReference, in index: Int) {
        let name = RowName.client(client)
        if rows[name]?.value == nil { rows[name]?.value = .client(ClientState()) }
        groups[index].changed.insert(name)
    }

    /// The group that contains all the names. It merges groups if necessary.
    private mutating func group(of names: [RowName]) -> Int {
        var found: Int?
        for name in names {
            guard let other = groupIndex[name], other != found else { continue }
            found = found.map { merge(other, into: $0) } ?? other
        }
        let index = found ?? groups.count
        if index == groups.count { groups.append(Group()) }
        for name in names where groupIndex[name] == nil {
            groupIndex[name] = index
            groups[index].names.append(name)
        }
        return index
    }

    private mutating func merge(_ other: Int, into index: Int) -> Int {
        let moved = groups[other]
        groups[other] = Group()
        for name in moved.names { groupIndex[name] = index }
        groups[index].names += moved.names
        groups[index].outcomes = (groups[index].outcomes + moved.outcomes).sorted { $0.position < $1.position }
        groups[index].changed.formUnion(moved.changed)
        groups[index].eventIDs = moved.eventIDs + groups[index].eventIDs
        groups[index].records = moved.records + groups[index].records
        groups[index].outbox = moved.outbox + groups[index].outbox
        groups[index].files += moved.files
        groups[index].audit = moved.audit + groups[index].audit
        return index
    }

    /// The groups to write, with the outcomes of the transactions of each group.
    func finished() -> [PreparedGroup] {
        groups.compactMap { group in
            guard !group.outcomes.isEmpty else { return nil }
            var write = WriteGroup()
            write.rows = group.names.map { name in
                RowWrite(
                    name: name, expected: rows[name]?.version ?? 0,
                    value: group.changed.contains(name) ? rows[name]?.value : nil)
            }
            write.eventIDs = group.eventIDs
            write.records = group.records
            write.outbox = group.outbox
            write.files = group.files
            write.audit = group.audit
            let marks = group.names.map { rows[$0]?.value?.mark ?? 0 }
            return PreparedGroup(write: write, outcomes: group.outcomes, marks: marks)
        }
    }

    /// The value that the store had when the row was read.
    func valueRead(_ name: RowName) -> RowValue? { rows[name]?.read }
}

extension TransactionOutcome {
    /// The rows that the outcome writes. An answer, or an event's id, is written with its client's row.
    var names: [RowName] {
        rows.flatMap { row in
            if case .answer(let client, _) = row.name { [row.name, .client(client)] } else { [row.name] }
        } + eventIDs.map { .client($0.client) }
    }
}

extension RowValue {
    /// Whether a row that does not exist reads as this value: an empty state, or a value that is stored as no row.
    var isAsNoRow: Bool { if case .client(let state) = self { state == ClientState() } else { isEmpty } }
}
