import BellwetherCore
internal import BellwetherJSON

/// The transactions of one group commit: they are applied in turn, each to the rows that those before it have left.
///
/// Transactions that share a row form one group of the write. So a conflict with another writer sends back the
/// transactions of one group and no others.
struct TransactionBatch {
    private var values: [RowName: RowValue] = [:]
    /// As they were read; 0 for rows that do not exist.
    private var versions: [RowName: UInt64] = [:]
    private var unreadable: [RowName: StoreError] = [:]
    private var knownIDs: [[[Bool]]]
    /// Ids that transactions of this batch remember.
    private var claimed: [ClientReference: Set<ByteKey>] = [:]
    private let transactions: [Transaction]
    private var groups: [Group] = []
    private var groupIndex: [RowName: Int] = [:]

    /// Transactions that are written together, by position.
    struct Group {
        var transactions: [Int] = []
        /// All that were read.
        var names: [RowName] = []
        var changed: Set<RowName> = []
        var eventIDs: [EventIDs] = []
        var records: [WriteGroup.LogRecord] = []
        var outbox: [OutboxRow] = []
        var files: [FileWrite] = []
    }

    enum Step {
        case done(TransactionResult)
        case needs([RowName])
        case failed(StoreError)
    }

    init(_ transactions: [Transaction]) {
        self.transactions = transactions
        knownIDs = transactions.map { $0.eventIDs.map { Array(repeating: false, count: $0.ids.count) } }
    }

    /// What has to be read before anything is applied. The table answers for the clients that it holds.
    mutating func query(_ table: ClientTable) -> (RowQuery, ids: [(transaction: Int, entry: Int)]) {
        var query = RowQuery()
        for transaction in transactions { query.names += missing(transaction.names, table) }
        var ids: [(transaction: Int, entry: Int)] = []
        for (position, transaction) in transactions.enumerated() {
            for (entry, eventIDs) in transaction.eventIDs.enumerated() where !eventIDs.ids.isEmpty {
                // A client without a row has no ids.
                if versions[.client(eventIDs.client)] == 0 { continue }
                query.eventIDs.append(eventIDs)
                ids.append((position, entry))
            }
        }
        return (query, ids)
    }

    /// Those of the names that have to be read from the store.
    mutating func missing(_ names: [RowName], _ table: ClientTable) -> [RowName] {
        var missing: [RowName] = []
        for name in names where versions[name] == nil && unreadable[name] == nil {
            if let key = name.tableKey, let row = table.row(of: key) {
                enter(name, .success(row))
            } else {
                missing.append(name)
                // So that the name is asked for once.
                unreadable[name] = .unavailable("the row was not read")
            }
        }
        return missing
    }

    mutating func enter(_ reading: RowReading, for query: RowQuery, ids: [(transaction: Int, entry: Int)] = []) {
        for (name, row) in zip(query.names, reading.rows) {
            unreadable[name] = nil
            enter(name, row)
        }
        for ((transaction, entry), known) in zip(ids, reading.knownIDs) { knownIDs[transaction][entry] = known }
    }

    private mutating func enter(_ name: RowName, _ row: Result<StoredRow?, StoreError>) {
        switch row {
        case .success(let row):
            versions[name] = row?.version ?? 0
            if let row { values[name] = row.value }
        case .failure(let error): unreadable[name] = error
        }
    }

    /// Applies the transaction at a position, where all is read that it has named. `more`: the rows that it has asked
    /// for since.
    mutating func apply(_ position: Int, more: [RowName]) -> Step {
        let transaction = transactions[position]
        let names = transaction.names + more
        if !unreadable.isEmpty {
            for name in names { if let failure = unreadable[name] { return .failed(failure) } }
        }
        switch step(of: position) {
        case .needs(let names): return .needs(names)
        case .done(let outcome):
            guard outcome.rows.allSatisfy({ versions[$0.name] != nil }) else {
                return .failed(.rejected("a transaction writes a row that it has not named"))
            }
            enter(outcome, of: position, names: names)
            return .done(outcome.result)
        }
    }

    /// The transaction's rows are gone when this returns: the dictionaries are changed next, and must not be copied.
    private func step(of position: Int) -> TransactionStep {
        transactions[position].apply(
            TransactionRows(values: values, versions: versions, knownIDs: knownIDs(of: position)))
    }

    /// With those that transactions before this one remember.
    private func knownIDs(of position: Int) -> [[Bool]] {
        guard !claimed.isEmpty else { return knownIDs[position] }
        return zip(transactions[position].eventIDs, knownIDs[position]).map { eventIDs, known in
            guard let claimed = claimed[eventIDs.client] else { return known }
            return zip(eventIDs.ids, known).map { $1 || claimed.contains(ByteKey(text: $0)) }
        }
    }

    private mutating func enter(_ outcome: TransactionOutcome, of position: Int, names: [RowName]) {
        let index = group(of: names)
        groups[index].transactions.append(position)
        for (name, value) in outcome.rows where isChange(of: name, to: value) {
            values[name] = value
            groups[index].changed.insert(name)
            if case .answer(let client, _) = name { markChanged(client, in: index) }
        }
        for eventIDs in outcome.eventIDs {
            claimed[eventIDs.client, default: []].formUnion(eventIDs.ids.map { ByteKey(text: $0) })
            markChanged(eventIDs.client, in: index)
        }
        groups[index].eventIDs += outcome.eventIDs
        groups[index].outbox += outcome.outbox
        groups[index].files += outcome.files
        let now = transactions[position].now
        groups[index].records += outcome.records.map {
            WriteGroup.LogRecord(app: $0.app, record: $0.record, receivedAt: now)
        }
    }

    /// A client without a row has an empty state.
    private func isChange(of name: RowName, to value: RowValue) -> Bool {
        guard let known = values[name] else {
            if case .client(let state) = value { return state != ClientState() }
            return true
        }
        return known != value
    }

    /// The client's row is written whenever something of the client is: see `RowName.client`.
    private mutating func markChanged(_ client: ClientReference, in index: Int) {
        let name = RowName.client(client)
        if values[name] == nil { values[name] = .client(ClientState()) }
        groups[index].changed.insert(name)
    }

    /// The one group that has all the names from now on.
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
        groups[index].transactions = (groups[index].transactions + moved.transactions).sorted()
        groups[index].changed.formUnion(moved.changed)
        groups[index].eventIDs = moved.eventIDs + groups[index].eventIDs
        groups[index].records = moved.records + groups[index].records
        groups[index].outbox = moved.outbox + groups[index].outbox
        groups[index].files += moved.files
        return index
    }

    /// What is to be written, with the transactions of each group.
    func finished() -> [(write: WriteGroup, transactions: [Int])] {
        groups.compactMap { group in
            guard !group.transactions.isEmpty else { return nil }
            var write = WriteGroup()
            write.rows = group.names.map { name in
                RowWrite(
                    name: name, expected: versions[name] ?? 0,
                    value: group.changed.contains(name) ? values[name] : nil)
            }
            write.eventIDs = group.eventIDs
            write.records = group.records
            write.outbox = group.outbox
            write.files = group.files
            return (write, group.transactions)
        }
    }
}
