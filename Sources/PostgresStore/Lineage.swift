internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// The lineage of the server at the other end of a connection. PostgreSQL begins a new timeline with each promotion of
/// a standby, and another server has another identifier.
///
/// A promoted server may lack cursors and row versions that the lost server has shown. The first daemon that reaches it
/// moves new numbers far above them, as after a restore (`Renewal`). From then on, reported row versions contain a mark
/// of this change. So no process mistakes a row that it read from the lost server for the present row
/// (docs/decisions/archive/0122-a-promoted-server-begins-new-numbers.md).
struct Lineage {
    private static let seconds = 5.0
    /// The assumed maximum of numbers that the lost server issued and that the present one does not know.
    private static let skippedCursors: Int64 = 1 << 32
    private static let skippedNumbers: Int64 = 1 << 20

    /// The timeline that the server writes. The control file contains only the timeline of the last checkpoint.
    static let timeline = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int8"
    private static let system = "(SELECT system_identifier FROM pg_control_system())"
    private static let present = PostgresStatement(
        """
        SELECT \(timeline), \(system), l.timeline, l.system, coalesce(l.renewals, 0)
        FROM (SELECT) here LEFT JOIN lineage l ON true
        """)

    private let timeline: Int64
    private let system: Int64
    private let isKnown: Bool
    private let isSame: Bool
    private let renewals: Int64

    private init(_ row: PostgresRow) {
        (timeline, system) = (row.integer(0), row.integer(1))
        isKnown = !row.isNull(2) && !row.isNull(3)
        isSame = row.integer(2) == timeline && row.integer(3) == system
        renewals = row.integer(4)
    }

    /// Compares the server with the one that wrote the database before, and sets the mark of the connection. The schema
    /// exists.
    static func follow(_ connection: PostgresConnection) throws {
        var lineage = try Lineage(connection.run([present], seconds: seconds)[0][0])
        if !lineage.isKnown {
            _ = try connection.run(lineage.naming, seconds: seconds)
        } else if !lineage.isSame {
            try lineage.renew(connection)
            lineage = try Lineage(connection.run([present], seconds: seconds)[0][0])
        }
        connection.mark = lineage.renewals
    }

    /// Records the lineage of the first server. Several daemons may do so at once.
    private var naming: [PostgresStatement] {
        [
            .numbering(
                "INSERT INTO lineage (timeline, system) VALUES (?, ?) ON CONFLICT DO NOTHING", .integer(timeline),
                .integer(system))
        ]
    }

    /// Moves the numbers forward. One daemon does it; others that reach the server at the same time wait for its
    /// commit.
    private func renew(_ connection: PostgresConnection) throws {
        let begin = [
            PostgresStatement("BEGIN"), PostgresStatement("SELECT 1 FROM log_lane WHERE lane = 1 FOR UPDATE"),
            PostgresStatement("SELECT 1 FROM lineage FOR UPDATE"), Self.present,
            PostgresStatement("SELECT last_value FROM cursor"), PostgresStatement("SELECT last_value FROM epoch"),
        ]
        let answers = try connection.run(begin, seconds: Self.seconds)
        guard !Lineage(answers[3][0]).isSame else {
            _ = try connection.run([PostgresStatement("ROLLBACK")], seconds: Self.seconds)
            return
        }
        let cursor = answers[4][0].integer(0) + Self.skippedCursors
        let statements: [PostgresStatement] = [
            .numbering("SELECT setval('cursor', ?)", .integer(cursor)),
            .numbering("SELECT setval('epoch', ?)", .integer(answers[5][0].integer(0) + Self.skippedNumbers)),
            Database.range(of: Database.newIdentity(), after: cursor - 1),
            .numbering(
                "UPDATE head SET version = version + ? WHERE name IN ('catalog', 'tokens')",
                .integer(Self.skippedNumbers)),
            Self.adoption, PostgresStatement("COMMIT"),
        ]
        _ = try connection.run(statements, seconds: Self.seconds)
    }

    /// Records the present server as the writer of the database. Other statements have moved its numbers forward.
    static let adoption = PostgresStatement(
        "UPDATE lineage SET timeline = \(timeline), system = \(system), renewals = renewals + 1")
}

/// The row versions that a store reports: the stored number, with a mark of the server's lineage in the highest byte.
/// The version 0 means "no row" in every lineage.
struct VersionMark {
    private static let bits: UInt64 = 56
    private let offset: UInt64

    init(_ connection: PostgresConnection, _ table: StoreTable?) {
        // The versions of heads are sequence numbers, and rows that are written once have no version.
        let isMarked = table?.hasVersion ?? false
        offset = isMarked ? UInt64(truncatingIfNeeded: connection.mark) << Self.bits : 0
    }

    func told(_ stored: UInt64) -> UInt64 { stored == 0 ? 0 : stored &+ offset }

    func stored(_ told: UInt64) -> UInt64 { told == 0 ? 0 : told &- offset }
}
