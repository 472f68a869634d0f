internal import BellwetherCore

/// A change of the row of a client or a user that a commit has made, for the streams of that person.
struct PersonChange: Sendable {
    /// The key of the row in the client table.
    let key: ClientReference
    /// The new version of the row; 0 if it was erased.
    let version: UInt64
    /// The user that the client is identified with, if the row is a client's.
    let user: UserReference?
    /// Whether streams tell it. What a poll or an evaluation does to a client is not told.
    let isTold: Bool
    /// The streams that know the change already, because their reader has made it: their name, and whose they are.
    var writer: (name: String, clients: [ClientReference])?

    /// The changes that a group of transactions has made durable.
    static func changes(of group: PreparedGroup, _ versions: [UInt64], _ batch: [TransactionWriter.Pending]) -> [Self] {
        var written: [RowName: UInt64] = [:]
        for (row, version) in zip(group.write.rows, versions) where row.value != nil && row.name.tableKey != nil {
            written[row.name] = version
        }
        guard !written.isEmpty else { return [] }
        return group.outcomes.flatMap { position, outcome -> [PersonChange] in
            let transaction = batch[position].transaction
            let writer = transaction.stream.map { ($0, transaction.names.compactMap(\.client)) }
            return outcome.rows.compactMap { name, value -> PersonChange? in
                guard let version = written[name], let key = name.tableKey, case .client(let state) = value else {
                    return nil
                }
                return PersonChange(
                    key: key, version: version,
                    user: state.userID.map { UserReference(app: key.app, id: $0) },
                    isTold: !transaction.isEffect, writer: writer)
            }
        }
    }
}

extension RowName {
    /// The client whose row it is; nil for another row.
    fileprivate var client: ClientReference? { if case .client(let client) = self { client } else { nil } }
}
