internal import PostgresWire

/// A row of table `batch`, which a write attempt inserts together with its other rows. Afterwards it shows whether the
/// attempt was committed.
struct WriteBatch {
    private static let seconds = 5.0

    static let cleaning = PostgresStatement("DELETE FROM batch WHERE at < now() - interval '1 hour'")

    let id = (0..<16).map { _ in UInt8.random(in: 0...255) }

    /// Waits for a commit in progress; a commit that comes later fails.
    ///
    /// The query itself writes, so its own commit has the durability that the operator requires. If the wait for the
    /// standby was interrupted, a commit is visible before the standby has it; this query waits for the standby.
    func isCommitted(_ connection: PostgresConnection) throws -> Bool {
        let statement = PostgresStatement.numbering(
            """
            INSERT INTO batch (id, outcome) VALUES (?, 'abandoned') ON CONFLICT (id) DO UPDATE SET at = now()
            RETURNING outcome
            """, .bytes(id))
        return try connection.run([statement], seconds: Self.seconds)[0].first { $0.text(0) == "committed" } ?? false
    }
}
