internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import Surveys

/// One write of groups: a transaction of two messages.
///
/// The first locks the rows and reads their versions, in one order for all writers. The second has all that the groups
/// write whose rows have the expected versions, and the commit; before that the lane of the log is locked, so that
/// records are numbered in the order of their commits
/// (docs/decisions/0102-a-write-to-postgresql-is-a-transaction-of-two-messages.md).
final class GroupWriting {
    private static let seconds = 10.0
    /// A daemon that stops in between holds rows no longer.
    private static let begin = [
        PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
        PostgresStatement("SET LOCAL idle_in_transaction_session_timeout = 1000"),
        PostgresStatement("SET LOCAL lock_timeout = 8000"),
    ]
    /// Room for the writes of a row below the number of its epoch.
    private static let epochBits: UInt64 = 23

    private let groups: [WriteGroup]
    private let durability: StoreDurability
    private let batch: [UInt8]
    /// The outcomes of the write, once it was sent. Before that nothing can have been written.
    private(set) var outcomes: [WriteOutcome]?

    /// - Parameter batch: drawn for this attempt. A row of table `batch` says whether it was committed.
    init(_ groups: [WriteGroup], batch: [UInt8], durability: StoreDurability = .local) {
        (self.groups, self.batch, self.durability) = (groups, batch, durability)
    }

    /// - Parameter isKnown: whether an app has a row.
    func write(
        on connection: PostgresConnection, isKnown: (String) -> Bool
    ) throws -> (outcomes: [WriteOutcome], apps: Set<[UInt8]>) {
        let names = groups.flatMap { $0.rows.map(\.name) }
        let places = RowReader.Places(names, isSorted: true)
        let (versions, epoch, references) = try lock(places, count: names.count, connection)
        var position = 0
        var planned: [WriteOutcome] = []
        var plan = WritePlan()
        for group in groups {
            let found = versions[position..<position + group.rows.count]
            position += group.rows.count
            let conflicts = zip(group.rows, found).filter { $0.expected != $1 }.map(\.0.name)
            guard conflicts.isEmpty else {
                planned.append(.conflict(conflicts))
                continue
            }
            let next = group.rows.map { row in
                let mark = VersionMark(connection, RowPlace(row.name).table)
                return (mark, Self.version(after: row, mark.stored(row.expected), in: group, epoch))
            }
            planned.append(.written(next.map { mark, version in mark.told(version) }))
            try plan.add(group, next.map(\.1), epoch)
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

    /// A revision or a message never changes: it is not published again with another text.
    private func checkHistory(_ connection: PostgresConnection) throws {
        let statements = CatalogHistory(groups.flatMap(\.catalog)).conflicts
        guard !statements.isEmpty else { return }
        for answer in try connection.run(statements, seconds: Self.seconds) {
            if let name = answer.first({ $0.text(0) }) { throw RowFault("\(name) exists with another text") }
        }
    }

    /// Locks the rows that are there. Answers their versions, 0 for one that is not; the number of the epoch, in which
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
        let runs = places.tables.first { $0.table == .run }?.keys ?? []
        if !runs.isEmpty {
            statements.append(
                .numbering(
                    "SELECT t.app, t.sha256 FROM unnest(?::text[], ?::text[]) u(app, run) JOIN run_file t USING (app, run)",
                    RowTable.run.arrays(runs)))
        }
        let answers = try connection.run(statements, seconds: Self.seconds)
        if let fault = durability.fault(answers[start - 2][0]) { throw StoreError.unavailable(fault) }
        var versions = [UInt64](repeating: 0, count: count)
        for ((table, _, positions), answer) in zip(places.tables, answers[start...]) {
            let mark = VersionMark(connection, table)
            for index in 0..<answer.count {
                versions[positions[Int(answer[index].integer(0)) - 1]] = mark.told(answer[index].version(1))
            }
        }
        let references =
            runs.isEmpty ? [] : answers[answers.count - 1].map { FileName(app: $0.text(0), sha256: $0.text(1)) }
        return (versions, UInt64(bitPattern: answers[start - 1][0].integer(0)), references)
    }

    /// A new row begins with the number of the epoch, which is drawn for each transaction and never again: so an erased
    /// row's versions do not return.
    ///
    /// - Parameter expected: the version that the row is expected to have, as it is stored.
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
        guard RowPlace(row.name).table.hasVersion else { return 1 }
        return expected == 0 ? epoch << epochBits : expected + 1
    }

    /// The first version of webhooks, which are new.
    static func firstVersion(_ epoch: UInt64) -> UInt64 { epoch << epochBits }
}

/// Clients that are identified while others write for them.
///
/// A row that is not there cannot be locked. A write that found a client without a user, and one that gives it a user,
/// could both commit, and what the first wrote would stay the client's. So the first takes a shared lock in the
/// client's name, and the second an exclusive one, before versions are read. Names are gathered in 256 locks: a server
/// has room for some ten thousand.
extension GroupWriting {
    /// The first half of the locks' keys, by which others of the database can tell them apart.
    private static let claimClass = 0x42_57

    private static func claims(of groups: [WriteGroup]) -> PostgresStatement? {
        var found: [UInt8: Bool] = [:]
        for row in groups.lazy.flatMap(\.rows) where row.expected == 0 {
            guard case .client(let client) = row.name else { continue }
            var isIdentified = false
            if let value = row.value {
                // A client who is new and stays without a user changes nothing for others.
                guard case .client(let state) = value, state.userID != nil else { continue }
                isIdentified = true
            }
            let key = Digest.sha256(Array("\(client.app)/\(client.id)".utf8)).first ?? 0
            found[key] = isIdentified || found[key] == true
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
}
