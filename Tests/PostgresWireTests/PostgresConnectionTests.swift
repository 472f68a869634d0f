import Dispatch
import Foundation
import PostgresSupport
import PostgresWire
import Synchronization
import TestSupport
import Testing

/// Connections to a real server.
@Suite struct PostgresConnectionTests {
    private func connect() throws -> PostgresConnection {
        try PostgresConnection(PostgresAddress(PostgresServer.shared.get().uri()))
    }

    @Test func `Values come back as they were sent`() throws {
        let connection = try connect()
        let texts = ["", "a", "\u{0}", "\u{1}", "a\u{0}\u{1}\u{2}b", "\u{e9}", "e\u{301}", "😀", "{\"a\",b}", "NULL"]
        let bytes: [[UInt8]?] = [[], [0], [255, 0, 1], nil]
        let numbers: [Int64?] = [.min, -1, 0, 1, .max, nil]
        let rows = try connection.run(
            [
                PostgresStatement("SELECT unnest($1::text[])", .texts(texts)),
                PostgresStatement("SELECT unnest($1::bytea[])", .byteArrays(bytes)),
                PostgresStatement("SELECT unnest($1::int8[])", .integers(numbers)),
                PostgresStatement("SELECT unnest($1::text[])", .texts([])),
                PostgresStatement(
                    "SELECT $1, $2::bytea, $3, $4::text, $5::bytea", .text(texts[4]), .bytes([]), .integer(-7), .null,
                    .bytes([0, 1])),
                PostgresStatement("SELECT 7::int2, -8::int4, true, false"),
            ], seconds: longestWait)
        #expect(rows[0].map { Array($0.text(0).utf8) } == texts.map { Array($0.utf8) })
        #expect(rows[1].map { $0.isNull(0) ? nil : $0.bytes(0) } == bytes)
        #expect(rows[2].map { $0.optionalInteger(0) } == numbers)
        #expect(rows[3].count == 0)
        let row = rows[4][0]
        #expect(row.text(0) == texts[4] && row.bytes(1) == [] && !row.isNull(1) && row.integer(2) == -7)
        #expect(row.optionalText(3) == nil && row.bytes(4) == [0, 1])
        #expect((0..<4).map { rows[5][0].integer($0) } == [7, -8, 1, 0])
    }

    /// The order of the escaped form is the order of the texts.
    @Test func `Texts with U+0000 are sorted by their bytes`() throws {
        let texts = ["a", "a\u{0}", "a\u{0}b", "a\u{1}", "a\u{1}b", "a\u{2}", "ab", "b"]
        let statement = PostgresStatement(
            "SELECT t FROM unnest($1::text[]) t ORDER BY t COLLATE \"C\"", .texts(texts.shuffled()))
        #expect(try connect().run([statement], seconds: longestWait)[0].map { $0.text(0) } == texts)
    }

    @Test func `A failure leaves nothing of its transaction, and the connection is used on`() throws {
        let connection = try connect()
        #expect(throws: PostgresError.refused(state: "22012", message: "division by zero")) {
            try connection.run(
                [
                    PostgresStatement("BEGIN"), PostgresStatement("CREATE TABLE left_over (a int8)"),
                    PostgresStatement("SELECT 1 / 0"), PostgresStatement("COMMIT"),
                ], seconds: longestWait)
        }
        #expect(!connection.isLost && !connection.isInTransaction)
        let table = PostgresStatement("SELECT to_regclass('left_over') IS NULL")
        #expect(try connection.run([table], seconds: longestWait)[0][0].integer(0) == 1)
    }

    @Test func `An answer that does not come in time ends the connection`() throws {
        let lock = PostgresStatement("SELECT pg_advisory_lock(1)")
        let (holder, connection) = (try connect(), try connect())
        _ = try holder.run([lock], seconds: longestWait)
        // The server cannot answer while the other connection has the lock.
        #expect(throws: PostgresError.lost("no answer came in time")) {
            try withExtendedLifetime(holder) { try connection.run([lock], seconds: 0.05) }
        }
        #expect(connection.isLost)
        #expect(throws: PostgresError.lost("the connection was lost")) {
            try connection.run([PostgresStatement("SELECT 1")], seconds: longestWait)
        }
    }

    @Test func `A connection that the server ends is lost`() throws {
        let connection = try connect()
        let statement = PostgresStatement("SELECT pg_backend_pid()")
        let id = try connection.run([statement], seconds: longestWait)[0][0].integer(0)
        try PostgresServer.shared.get().run("SELECT pg_terminate_backend(\(id))")
        #expect(throws: PostgresError.self) {
            _ = try connection.run([PostgresStatement("SELECT 1")], seconds: longestWait)
            _ = try connection.run([PostgresStatement("SELECT 1")], seconds: longestWait)
        }
        #expect(connection.isLost)
    }

    @Test func `A statement is ended from another thread`() throws {
        let (holder, connection) = (try connect(), try connect())
        _ = try holder.run([PostgresStatement("SELECT pg_advisory_lock(2)")], seconds: longestWait)
        let refusal = Mutex<PostgresError?>(nil)
        let ended = DispatchSemaphore(value: 0)
        // A separate thread, because waiting tests may block all threads that run tasks.
        Thread.detachNewThread {
            // It waits as long as the other connection has the lock.
            let statement = PostgresStatement("SELECT pg_advisory_lock(2), 'to be ended'")
            do throws(PostgresError) { _ = try connection.run([statement], seconds: longestWait) } catch {
                refusal.withLock { $0 = error }
            }
            ended.signal()
        }
        let server = try PostgresServer.shared.get()
        let isUnderWay = eventually {
            let sql = """
                SELECT count(*) FROM pg_stat_activity
                WHERE query LIKE '%to be ended%' AND state = 'active' AND pid <> pg_backend_pid()
                """
            return (try? server.run(sql)[0].integer(0)) ?? 0 > 0
        }
        #expect(isUnderWay)
        connection.cancel()
        withExtendedLifetime(holder) { ended.wait() }
        #expect(refusal.withLock { $0 } != nil && !connection.isLost)
    }

    /// Values larger than the buffers of a socket, in both directions.
    @Test func `Large values do not block each other`() throws {
        let bytes = [UInt8](repeating: 7, count: 4_000_000)
        let statements = (0..<5).map { _ in PostgresStatement("SELECT $1::bytea", .bytes(bytes)) }
        let rows = try connect().run(statements, seconds: longestWait)
        #expect(rows.allSatisfy { $0[0].bytes(0) == bytes })
    }

    @Test func `A notification ends a wait`() throws {
        let connection = try connect()
        _ = try connection.run([PostgresStatement("LISTEN wire")], seconds: longestWait)
        #expect(try !connection.waitForNotification(seconds: 0))
        try PostgresServer.shared.get().run("NOTIFY wire")
        #expect(try connection.waitForNotification(seconds: longestWait))
    }

    @Test func `An address never tells its password`() throws {
        let uri = "postgresql://ann:geheim@db1,db2:5433/bw?sslmode=verify-full&target_session_attrs=read-write"
        let address = try PostgresAddress(uri)
        #expect(address.text == "postgresql://db1,db2/bw")
        #expect(!address.parameters.values.contains { $0.contains("geheim") })
        #expect(!"\(address)".contains("geheim") && !String(reflecting: address).contains("geheim"))
        for malformed in ["postgresql://ann:geheim@[db/", "postgresql://ann:geheim@db/?nonsense=1"] {
            #expect {
                _ = try PostgresAddress(malformed)
            } throws: { error in
                if case PostgresError.malformed(let text) = error { !text.contains("geheim") } else { false }
            }
        }
    }

    /// libpq would parse a part of the password as a host or a port, and print it.
    @Test(arguments: ["geh/eim", "geh@eim", "@geheim", "geheim/"])
    func `A password that is not escaped is refused and not told`(_ password: String) throws {
        #expect {
            _ = try PostgresAddress("postgresql://ann:\(password)@db/bw")
        } throws: { error in
            guard case PostgresError.malformed(let text) = error else { return false }
            return text.contains("%40") && !text.contains("eim")
        }
        let escaped = try PostgresAddress("postgresql://ann:a%40%2Fb@db/bw?application_name=a@b/c")
        #expect(escaped.text == "postgresql://db/bw")
    }

    @Test func `A server that is not there is unreachable`() throws {
        let address = try PostgresAddress("postgresql:///postgres?host=/nonexistent")
        #expect { _ = try PostgresConnection(address) } throws: { error in
            if case PostgresError.unreachable = error { true } else { false }
        }
    }
}
