internal import BellwetherBase
internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// Prepares a database that PostgreSQL's own tools have restored, so that daemons can use it
/// (docs/operators-guide.md#backups-of-postgresql).
///
/// The daemons of the lost database may have issued cursors above the last one in the backup. New records begin far
/// above those, as after `bellwether restore` of a folder.
struct Renewal {
    private static let seconds = 600.0
    /// The assumed maximum of cursors that the lost daemons issued after the backup.
    private static let skipped: Int64 = 1 << 32

    let database: Database
    let connection: PostgresConnection

    func run(_ webhooks: RestoredWebhooks) throws -> BackupReport {
        try database.checkNoDaemons(connection)
        let chain: AuditChain
        switch try LogReader(connection: connection).verifyAudit() {
        case .success(let found): chain = found
        case .failure(let fault): throw StoreError.unusable("the audit is not whole: \(fault)")
        }
        let numbers = PostgresStatement(
            """
            SELECT CASE WHEN is_called THEN last_value ELSE 0 END, (extract(epoch FROM now()) * 1000)::int8,
                pg_database_size(current_database()) FROM cursor
            """)
        let row = try connection.run([numbers], seconds: Self.seconds)[0][0]
        let (newest, now) = (row.integer(0), Timestamp(milliseconds: row.integer(1)))
        let (cursor, overflow) = newest.addingReportingOverflow(Self.skipped)
        guard !overflow else { throw StoreError.unusable("the log has no cursors left") }
        let identity = Database.newIdentity()
        _ = try connection.run(statements(cursor, identity, webhooks, chain, now), seconds: Self.seconds)
        let facts = BackupFacts(
            bytes: row.integer(2),
            cursor: TelemetryCursor(number: cursor, database: Int32(truncatingIfNeeded: identity)),
            audit: chain, auditFault: nil)
        return BackupReport(path: database.address.text, facts: facts, hasSecret: true)
    }

    private func statements(
        _ cursor: Int64, _ identity: Int64, _ webhooks: RestoredWebhooks, _ chain: AuditChain, _ now: Timestamp
    ) -> [PostgresStatement] {
        var chain = chain
        let entry = AuditEntry(
            restoreOf: chain.sequence, cursor: cursor, ChangeOrigin(author: ChangeAuthor.daemon, at: now))
        let record = chain.append(entry)
        var statements = [
            PostgresStatement("BEGIN"),
            .numbering("SELECT setval('cursor', ?)", .integer(cursor)),
            // The reported cursor is then the first one of the new range, and not the last one of the previous range.
            Database.range(of: identity, after: cursor - 1),
            .numbering(
                "INSERT INTO audit (sequence, text, hash) VALUES (?, ?, ?)", .integer(record.sequence),
                .bytes(record.text), .bytes(record.hash)),
            .numbering("UPDATE head SET version = ? WHERE name = 'audit'", .integer(record.sequence)),
        ]
        statements.append(Lineage.adoption)
        if webhooks == .giveUp {
            statements.append(
                .numbering(OutboxRow.giveUpAll, .integer(now.milliseconds), .text(OutboxRow.restored)))
        }
        return statements + [PostgresStatement("COMMIT")]
    }
}
