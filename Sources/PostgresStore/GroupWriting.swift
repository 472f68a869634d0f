internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import StoreTables
internal import Surveys

/// One write of groups: a transaction of two messages.
///
/// The first message locks the rows, in one order for all writers, and reads their versions. The second contains the
/// writes of the groups whose rows have the expected versions, and the commit. Before the commit it locks the lane of
/// the log, so that records are numbered in the order of their commits
/// (docs/decisions/archive/0102-a-write-to-postgresql-is-a-transaction-of-two-messages.md).
final class GroupWriting {
    private static let seconds = 10.0
    /// If a daemon stops between the messages, the server soon ends the transaction and releases the row locks.
    private static let begin = [
        PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
        PostgresStatement("SET LOCAL idle_in_transaction_session_timeout = 1000"),
        PostgresStatement("SET LOCAL lock_timeout = 8000"),
    ]
    /// The number of low bits of a version, which count the writes of a row. The number of its epoch is above them.
    private static let epochBits: UInt64 = 23

    private let groups: [WriteGroup]
    private let durability: StoreDurability
    private let batch: [UInt8]
    /// The outcomes of the write; nil until it was sent. Until then nothing can have been written.
    private(set) var outcomes: [WriteOutcome]?

    /// - Parameter batch: a random id of this attempt. A row of table `batch` records whether the attempt was
    ///   committed.
    init(_ groups: [WriteGroup], batch: [UInt8], durability: StoreDurability = .local) {
        (self.groups, self.batch, self.durability) = (groups, batch, durability)
    }

    /// - Parameter isKnown: whether an app has a row.
    func write(
        on connection: PostgresConnection, isKnown: (Identifier) -> Bool
    ) throws -> (outcomes: [WriteOutcome], apps: Set<Identifier>) {
        let names = groups.flatMap { $0.rows.map(\.name) }
        // Records are encoded before rows are locked, because a busy machine may need more than a second for it.
        let extras = groups.map { $0.records.map(\.extraText) }
        let places = RowReader.Places(names, isSorted: true)
        let (versions, epoch, references) = try lock(places, count: names.count, connection)
        var position = 0
        var planned: [WriteOutcome] = []
        var plan = WritePlan()
        for (group, extras) in zip(groups, extras) {
            let found = versions[position..<position + group.rows.count]
            position += group.rows.count
            let conflicts = zip(group.rows, found).filter { $0.expected != $1 }.map(\.0.name)
            guard conflicts.isEmpty else {
                planned.append(.conflict(conflicts))
                continue
            }
            let next = group.rows.map { row in
                let mark = VersionMark(connection, RowAddress(row.name).table)
                return (mark, Self.version(after: row, mark.stored(row.expected), in: group, epoch))
            }
            planned.append(.written(next.map { mark, version in mark.told(version) }))
            try plan.add(group, next.map(\.1), extras: extras, epoch)
        }
        guard !plan.isEmpty else {
            _ = try connection.run([PostgresStatement("ROLLBACK")], seconds: Self.seconds)
            return (planned, [])
        }
        try checkHistory(connection)
        plan.unused += references
        outcomes = planned
        let statements = plan.statements(isKnown: isKnown) + [PostgresStatement("COMMIT")]
        _ = try connection.run(statements, seconds: Self.seconds)
        return (planned, plan.apps)
    }

    /// Throws if a group would write a stored revision or message again with another text: both never change.
    private func checkHistory(_ connection: PostgresConnection) throws {
        let statements = CatalogHistory(groups.flatMap(\.catalog)).conflicts
        guard !statements.isEmpty else { return }
        for answer in try connection.run(statements, seconds: Self.seconds) {
            if let name = answer.first({ $0.text(0) }) { throw RowFault("\(name) exists with another text") }
        }
    }

    /// Locks the rows that exist. Returns their versions, with 0 for a missing row; the number of the epoch, from which
    /// new rows get their versions; and the files that runs among the rows refer to.
    private func lock(
        _ places: RowReader.Places, count: Int, _ connection: PostgresConnection
    ) throws -> (versions: [UInt64], epoch: UInt64, references: [FileName]) {
        var statements = Self.begin
        statements.append(
            .numbering("INSERT INTO batch (id, outcome) VALUES (?, 'committed')", .bytes(batch)))
        statements += [durability.question, PostgresStatement("SELECT nextval('epoch')")]
        if let claims = Self.claims(of: groups) { statements.insert(claims, at: Self.begin.count) }
        let start = statements.count
        statements += places.tables.map { $0.table.versions($0.keys, locking: true) }
        let runs = places.tables.first { $0.table.table == .run }?.keys ?? []
        if !runs.isEmpty {
            statements.append(
                .numbering(
                    "SELECT t.app, t.sha256 FROM unnest(?::text[], ?::text[]) u(app, run) JOIN run_file t USING (app, run)",
                    RowTable(.run).arrays(runs)))
        }
        let answers = try connection.run(statements, seconds: Self.seconds)
        if let fault = durability.fault(answers[start - 2][0]) { throw StoreError.unavailable(fault) }
        var versions = [UInt64](repeating: 0, count: count)
        for ((table, _, positions), answer) in zip(places.tables, answers[start...]) {
            let mark = VersionMark(connection, table.table)
            for index in 0..<answer.count {
                versions[positions[Int(answer[index].integer(0)) - 1]] = mark.told(answer[index].version(1))
            }
        }
        let references =
            runs.isEmpty
            ? [] : answers[answers.count - 1].map { FileName(app: $0.identifier(0), sha256: $0.identifier(1)) }
        return (versions, UInt64(bitPattern: answers[start - 1][0].integer(0)), references)
    }

    /// The version of a new row begins with the number of the epoch. Each transaction draws a new number, so the
    /// versions of an erased row never occur again.
    ///
    /// - Parameter expected: the expected version of the row, in its stored form.
    private static func version(
        after row: RowWrite, _ expected: UInt64, in group: WriteGroup, _ epoch: UInt64
    ) -> UInt64 {
        guard let value = row.value else { return expected }
        switch row.name {
        case .audit: return group.audit.last.map { UInt64($0.sequence) } ?? expected
        case .catalog: return expected + 1
        default: break
        }
        if value.isEmpty { return 0 }
        guard RowAddress(row.name).table?.hasVersion ?? true else { return 1 }
        return expected == 0 ? epoch << epochBits : expected + 1
    }

    /// The first version of a new webhook.
    static func firstVersion(_ epoch: UInt64) -> UInt64 { epoch << epochBits }
}

extension WriteGroup.LogRecord {
    fileprivate var extraText: String {
        var extra: [UInt8] = []
        record.extra.write(to: &extra)
        return String(decoding: extra, as: UTF8.self)
    }
}

/// Locks on names, for rows that may not exist.
///
/// A row that does not exist cannot be locked. Two writes that find the same row absent can then both commit, although
/// the second would have another outcome after the first:
///
/// - One write finds a client without a user, and another one assigns a user to the client. The data of the first would
///   stay with the client. So the first takes a shared lock on the client's name, and the second an exclusive lock.
/// - A write that takes a lease finds no run. Before it locks the lease, another one ends its own lease and creates the
///   run. So each write that reads a lease takes an exclusive lock on the lease's name.
///
/// These locks come before the versions are read. All names share 256 locks, because a server has room for only some
/// ten thousand.
extension GroupWriting {
    /// The first half of the lock keys. It separates these locks from other locks in the database.
    private static let claimClass = 0x42_57

    private static func claims(of groups: [WriteGroup]) -> PostgresStatement? {
        /// Whether the lock with this key is exclusive.
        var found: [UInt8: Bool] = [:]
        for row in groups.lazy.flatMap(\.rows) {
            guard let (name, isExclusive) = claim(of: row) else { continue }
            let key = Digest.sha256(Array(name.utf8)).first ?? 0
            found[key] = isExclusive || found[key] == true
        }
        guard !found.isEmpty else { return nil }
        let claims = found.sorted { $0.key < $1.key }
        return .numbering(
            """
            SELECT CASE WHEN exclusive = 1 THEN pg_advisory_xact_lock(\(claimClass), key::int4) IS NULL
                ELSE pg_advisory_xact_lock_shared(\(claimClass), key::int4) IS NULL END
            FROM unnest(?::int8[], ?::int8[]) AS u(key, exclusive)
            """, .integers(claims.map { Int64($0.key) }), .integers(claims.map { $0.value ? 1 : 0 }))
    }

    /// The name that a write locks because of a row, and whether exclusively.
    private static func claim(of row: RowWrite) -> (name: String, isExclusive: Bool)? {
        switch row.name {
        case .lease(let lease): return ("\(lease)", true)
        case .client(let client) where row.expected == 0:
            let name = "\(client.app)/\(client.id)"
            guard let value = row.value else { return (name, false) }
            // A new client without a user does not affect other writes.
            guard case .client(let state) = value, state.userID != nil else { return nil }
            return (name, true)
        default: return nil
        }
    }
}
