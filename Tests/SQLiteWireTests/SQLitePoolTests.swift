import Dispatch
import SQLiteWire
import Synchronization
import TestSupport
import Testing

/// One writer, and readers beside it (docs/decisions/0132-sqlite-is-used-through-a-wire-of-our-own.md).
@Suite struct SQLitePoolTests {
    private let directory: TemporaryDirectory
    private let pool: SQLitePool

    init() throws {
        directory = try TemporaryDirectory()
        pool = try SQLitePool(path: directory.path + "/test.sqlite", readers: 2)
        try pool.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
    }

    private final class End: Sendable {
        let isReached = Atomic<Bool>(false)
    }

    private static func sum(_ connection: SQLiteConnection) throws -> Int64? {
        try connection.integer("SELECT coalesce(sum(a), 0) FROM t")
    }

    @Test func `A read keeps its view while others write`() throws {
        try pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
        let views = try pool.read { reader in
            let before = try Self.sum(reader)
            try pool.write { try $0.execute("INSERT INTO t VALUES (10)") }
            return (before, try Self.sum(reader))
        }
        #expect(views.0 == 1 && views.1 == 1)
        #expect(try pool.read(Self.sum) == 11)
    }

    /// Each transfer keeps the sum: a read that saw half of one would see another sum.
    @Test func `Reads beside writes see whole transactions`() throws {
        try pool.write { try $0.execute("INSERT INTO t VALUES (50), (50)") }
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for amount in 0..<50 {
                do {
                    if thread < 2 {
                        try pool.write {
                            try $0.execute("UPDATE t SET a = a - \(amount) WHERE rowid = 1")
                            try $0.execute("UPDATE t SET a = a + \(amount) WHERE rowid = 2")
                        }
                    } else if try pool.read(Self.sum) != 100 {
                        wrong.add(1, ordering: .relaxed)
                    }
                } catch {
                    wrong.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(try pool.read(Self.sum) == 100)
    }

    @Test func `A reader cannot write, and serves the next read`() throws {
        for _ in 0..<4 {
            #expect(throws: SQLiteError.self) { try pool.read { try $0.execute("DELETE FROM t") } }
        }
        #expect(try pool.read(Self.sum) == 0)
    }

    @Test func `An interruption ends a read`() throws {
        let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let error = #expect(throws: SQLiteError.self) {
            try pool.read { reader in
                // Interrupts until the statement has begun and ended.
                let end = End()
                defer { end.isReached.store(true, ordering: .relaxed) }
                DispatchQueue.global().async { [pool] in
                    while !end.isReached.load(ordering: .relaxed) { pool.interrupt() }
                }
                return try reader.integer(endless)
            }
        }
        #expect(error?.primary == .interrupted)
    }

    @Test func `A closed pool refuses everything`() throws {
        _ = try pool.read(Self.sum)
        pool.close()
        pool.close()
        #expect(throws: SQLiteError.self) { try pool.read(Self.sum) }
        #expect(throws: SQLiteError.self) { try pool.write { try $0.execute("SELECT 1") } }
        pool.interrupt()
    }
}
