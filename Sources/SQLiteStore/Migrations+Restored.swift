extension Migrations {
    /// One row for each time that the database came out of a backup: behind `cursor` its records begin anew.
    static let restored = """
        CREATE TABLE restored (
            cursor INTEGER PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT;
        """
}
