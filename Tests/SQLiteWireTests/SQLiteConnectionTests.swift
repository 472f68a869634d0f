import SQLiteWire
import TestSupport
import Testing

/// One connection (docs/decisions/0132-sqlite-is-used-through-a-wire-of-our-own.md).
@Suite struct SQLiteConnectionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/test.sqlite"
    }

    private func made() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        try connection.execute("CREATE TABLE t (a TEXT, b INTEGER); CREATE TABLE u (c BLOB)")
        return connection
    }

    @Test func `Values come back as they were bound`() throws {
        let connection = try made()
        let insert = try Prepared(connection, "INSERT INTO t VALUES (?, ?)")
        #expect(try insert.run(.text("a\0b"), .integer(.min)) == 1)
        #expect(try insert.run(.null, .null) == 1)
        let rows = try Prepared(connection, "SELECT a, b FROM t ORDER BY rowid").all {
            "\($0.optionalText(0) ?? "null") \($0.optionalInteger(1) ?? 0)"
        }
        #expect(rows == ["a\0b \(Int64.min)", "null 0"])
        #expect(connection.lastInsertedRow == 2)
        try Prepared(connection, "INSERT INTO u VALUES (?)").run(.blob([]))
        #expect(try Prepared(connection, "SELECT c FROM u").first { $0.bytes(0) } == [])
    }

    @Test func `A body that fails takes its transaction back`() throws {
        let connection = try made()
        #expect(throws: CancellationError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES ('x', 1)")
                throw CancellationError()
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        // The next transaction begins as if nothing had been.
        try connection.transaction { try connection.execute("INSERT INTO t VALUES ('y', 2)") }
        #expect(try connection.texts("SELECT a FROM t") == ["y"])
    }

    /// A deferred constraint fails at the commit.
    @Test func `A commit that fails takes its transaction back`() throws {
        let connection = try made()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.execute("INSERT INTO child VALUES (7)") }
        }
        #expect(error?.primary == .constraint)
        try connection.transaction { try connection.execute("INSERT INTO parent VALUES (1)") }
        #expect(try connection.integer("SELECT count(*) FROM child") == 0)
    }

    @Test func `An error has its code, its sentence and no value`() throws {
        let connection = try made()
        try connection.execute("CREATE TABLE one (id TEXT PRIMARY KEY)")
        let insert = try Prepared(connection, "INSERT INTO one VALUES (?)")
        try insert.run(.text("secret"))
        let error = #expect(throws: SQLiteError.self) { try insert.run(.text("secret")) }
        #expect(error?.primary == .constraint && error?.code == 1555)
        #expect(error?.message == "UNIQUE constraint failed: one.id")
        // A statement that failed can run again.
        #expect(try insert.run(.text("other")) == 1)
        #expect(throws: SQLiteError.self) { try connection.execute("SELEC 1") }
    }

    @Test func `A second writer is refused while the first writes`() throws {
        let (first, second) = (try made(), try SQLiteConnection(path: path))
        try first.transaction {
            let error = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
            #expect(error?.primary == .busy)
        }
        try second.transaction {}
    }

    @Test func `A reader does not write`() throws {
        try made().close()
        for access in [SQLiteConnection.Access.readingOnly, .fileReadOnly] {
            let reader = try SQLiteConnection(path: path, access)
            #expect(try reader.hasTable("t") && reader.hasColumn("b", of: "t"))
            #expect(try !reader.hasTable("b") && !reader.hasColumn("c", of: "t"))
            #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES ('x', 1)") }
        }
        #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path + "-none", .fileReadOnly) }
    }

    @Test func `A copy has everything, and reports each step`() throws {
        let connection = try made()
        for _ in 0..<50 { try connection.execute("INSERT INTO u VALUES (randomblob(4000))") }
        let target = try SQLiteConnection(path: path + "-copy")
        var steps: [Int] = []
        try connection.copy(to: target, pagesPerStep: 10) { done, all in
            steps.append(done)
            #expect(done <= all)
        }
        #expect(steps.count > 4 && steps == steps.sorted())
        #expect(try target.integer("SELECT count(*) FROM u") == 50)
        #expect(try target.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `A closed connection refuses everything`() throws {
        let connection = try made()
        connection.close()
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        #expect(throws: SQLiteError.self) { try connection.integer("SELECT 1") }
        #expect(throws: SQLiteError.self) { try connection.checkpoint(.passive) }
        connection.interrupt()
    }
}
