internal import PostgresWire

/// A row of table `batch`, which an attempt to write puts in beside what it writes: so that it can be asked afterwards
/// whether it was committed.
struct WriteBatch {
    private static let seconds = 5.0

    static let cleaning = PostgresStatement("DELETE FROM batch WHERE at < now() - interval '1 hour'")

    let id = (0..<16).map { _ in UInt8.random(in: 0...255) }

    /// Waits for a commit that is under way; one that comes later fails.
    ///
    /// The question writes, so that its own commit is where the operator wants commits to be: on the standby, too. A
    /// commit that PostgreSQL broke off while it waited for the standby is seen before the standby has it.
    func isCommitted(_ connection: PostgresConnection) throws -> Bool {
        let statement = PostgresStatement.numbering(
            """
            INSERT INTO batch (id, outcome) VALUES (?, 'abandoned') ON CONFLICT (id) DO UPDATE SET at = now()
            RETURNING outcome
            """, .bytes(id))
        return try connection.run([statement], seconds: Self.seconds)[0].first { $0.text(0) == "committed" } ?? false
    }
}
