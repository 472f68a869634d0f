internal import PostgresWire

/// A row of table `batch`, which an attempt to write puts in beside what it writes: so that it can be asked afterwards
/// whether it was committed.
struct WriteBatch {
    private static let seconds = 5.0

    static let cleaning = PostgresStatement("DELETE FROM batch WHERE at < now() - interval '1 hour'")

    let id = (0..<16).map { _ in UInt8.random(in: 0...255) }

    /// Waits for a commit that is under way; one that comes later fails.
    func isCommitted(_ connection: PostgresConnection) throws -> Bool {
        let statements: [PostgresStatement] = [
            .numbering(
                "INSERT INTO batch (id, outcome) VALUES (?, 'abandoned') ON CONFLICT DO NOTHING", .bytes(id)),
            .numbering("SELECT outcome FROM batch WHERE id = ?", .bytes(id)),
        ]
        return try connection.run(statements, seconds: Self.seconds)[1].first { $0.text(0) == "committed" } ?? false
    }
}
