import BellwetherCore

/// A change of the row of a client or a user, for the streams of that person.
struct PersonChange: Sendable {
    let row: RowName
    /// The version of the row before the change; nil if it is not known.
    let before: UInt64?
    /// The new version; 0 if the row was erased.
    let version: UInt64
    /// The user that the client is identified with now, if the row is a client's.
    var user: UserReference?
    /// The version of that user's row; nil if it is not known.
    var userVersion: UInt64?
    /// Whether it is only the effect of a poll or an evaluation, which does not notify streams.
    var isEffect = false
    /// The streams whose reader has made the change: their name, and their clients.
    var writer: (name: String, clients: [ClientReference])?

    /// Whether the change notifies a stream of the person (docs/reference/streams.md#who-is-notified).
    func concerns(_ client: ClientReference, named name: String?) -> Bool {
        guard !isEffect else { return false }
        guard let writer else { return true }
        return writer.name != name || !writer.clients.contains(client)
    }
}

extension PersonChange {
    /// An erasure.
    init(erasing row: RowName) { self.init(row: row, before: nil, version: 0) }

    /// A change that another node has made.
    ///
    /// - Parameter value: the value of the row in the store; nil if there is none.
    init(of row: RowName, from before: UInt64?, to version: UInt64, _ value: RowValue?) {
        self.init(row: row, before: before, version: version)
        user = value?.user(in: row)
    }

    /// The changes that a group of transactions has made durable, in the order of the transactions.
    static func changes(of group: PreparedGroup, _ versions: [UInt64], _ batch: [TransactionWriter.Pending]) -> [Self] {
        // A row has one new version, even if several transactions of the group have changed it.
        var known: [RowName: UInt64] = [:]
        var written: [RowName: (version: UInt64, value: RowValue)] = [:]
        for (row, version) in zip(group.write.rows, versions) where row.name.tableKey != nil {
            known[row.name] = row.expected
            if let value = row.value { written[row.name] = (version, value) }
        }
        guard !written.isEmpty else { return [] }
        var changes: [PersonChange] = []
        for (position, outcome) in group.outcomes {
            let transaction = batch[position].transaction
            let writer = transaction.stream.map { ($0, transaction.names.compactMap(\.client)) }
            for name in outcome.names {
                guard let (version, value) = written[name] else { continue }
                var change = PersonChange(row: name, before: known[name], version: version)
                change.user = value.user(in: name)
                change.userVersion = change.user.flatMap { known[.user($0)] }
                (change.isEffect, change.writer) = (transaction.isEffect, writer)
                changes.append(change)
                known[name] = version
            }
        }
        return changes
    }
}

extension RowValue {
    /// The user that the client is identified with, if the row is a client's.
    fileprivate func user(in row: RowName) -> UserReference? {
        guard case .client(let state) = self, case .client(let client) = row else { return nil }
        return state.userID.map { UserReference(app: client.app, id: $0) }
    }
}

extension RowName {
    /// The client whose row it is; nil for another row.
    fileprivate var client: ClientReference? { if case .client(let client) = self { client } else { nil } }
}
