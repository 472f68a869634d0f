extension Migrations {
    /// `audit` takes records at its end and gives none back: not even `INSERT OR REPLACE`, which fires no trigger of
    /// DELETE. AUTOINCREMENT keeps the highest number beside the table, so that missing records at its end show.
    static let tokensAndAudit = """
        CREATE TABLE token (
            key INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            scope TEXT NOT NULL,
            app TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER,
            revoked_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX token_living ON token (name) WHERE revoked_at IS NULL;
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            text TEXT NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER audit_insert BEFORE INSERT ON audit
        WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
        BEGIN SELECT RAISE(ABORT, 'the audit takes records at its end only'); END;
        CREATE TRIGGER audit_update BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'a record of the audit is never changed'); END;
        CREATE TRIGGER audit_delete BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'a record of the audit is never deleted'); END;
        """
}
