/// A group that is about to be written, and the rows that its transactions want to write.
///
/// The two are made independently, and compared before and after the write. So no requester gets a result that was not
/// written (docs/decisions/archive/0073-what-is-written-is-compared-with-what-was-wanted.md).
struct PreparedGroup {
    let write: WriteGroup
    /// The outcomes, each with its position in the batch, in order.
    let outcomes: [(position: Int, outcome: TransactionOutcome<ResultDelivery>)]
    /// Parallel to the rows: the last change of each person among them, as the transactions have left it.
    var marks: [UInt64] = []

    var positions: [Int] { outcomes.map(\.position) }

    /// Compares a batch. A row belongs to one group.
    ///
    /// - Parameter read: the value that the store had when the row was read.
    /// - Returns: a difference between the transactions and the groups; nil if they agree.
    static func difference(in groups: [PreparedGroup], read: (RowName) -> RowValue?) -> String? {
        var all: Set<RowName> = []
        for group in groups {
            for row in group.write.rows where !all.insert(row.name).inserted { return "a row stands in two groups" }
            if let difference = group.difference(read: read) { return difference }
        }
        return nil
    }

    private func difference(read: (RowName) -> RowValue?) -> String? {
        var wanted: [RowName: RowValue] = [:]
        for (_, outcome) in outcomes { for (name, value) in outcome.rows { wanted[name] = value } }
        for row in write.rows {
            guard let value = wanted.removeValue(forKey: row.name) else { continue }
            // A row without a new value stays as it was read.
            guard let written = row.value ?? read(row.name) else {
                if value.isAsNoRow { continue }
                return "a row that a transaction writes is left out"
            }
            if written != value { return "a row gets another value than a transaction wants" }
        }
        guard wanted.isEmpty else { return "a row that a transaction writes is not in its group" }
        let counts = outcomes.reduce(into: (ids: 0, records: 0, outbox: 0, files: 0, audit: 0)) { counts, entry in
            counts.ids += entry.outcome.eventIDs.count
            counts.records += entry.outcome.records.count
            counts.outbox += entry.outcome.outbox.count
            counts.files += entry.outcome.files.count
            counts.audit += entry.outcome.audit.count
        }
        guard counts.ids == write.eventIDs.count, counts.records == write.records.count,
            counts.outbox == write.outbox.count, counts.files == write.files.count, counts.audit == write.audit.count
        else { return "event ids, records, webhooks, files or audit of a transaction are left out" }
        return nil
    }

    /// Compares the versions that a store reports after a write. Nil if the store has written the group.
    func difference(written versions: [UInt64]) -> String? {
        guard versions.count == write.rows.count else { return "the store has not answered for each row" }
        let agrees = zip(write.rows, versions).allSatisfy { row, version in
            guard let value = row.value else { return version == row.expected }
            return value.isEmpty ? version == 0 : version != row.expected
        }
        return agrees ? nil : "the store has not written each row"
    }
}
