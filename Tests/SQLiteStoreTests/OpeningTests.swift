import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// The requirements for a file and for SQLite's settings, before anything is acknowledged.
struct OpeningTests {
    @Test(arguments: [
        ("synchronous", "2"), ("journal_mode", "wal"), ("busy_timeout", "5000"), ("wal_autocheckpoint", "0"),
        ("journal_size_limit", "67108864"), ("application_id", "1112299346"),
        ("secure_delete", "1"),
    ])
    func readsItsPragmasBackOnTheWritersConnection(_ pragma: String, _ expected: String) throws {
        let test = try StoreUnderTest()
        let value = try test.store.database.useWriter { try $0.text("PRAGMA \(pragma)") }
        #expect(value == expected)
    }

    @Test func everyTableIsStrict() throws {
        let test = try StoreUnderTest()
        let lax = try test.store.database.read { database in
            try database.texts(
                """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND NOT strict AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'grdb_*'
                """)
        }
        #expect(lax == [])
    }

    @Test func makesTheDataDirectory() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path + "/data")
        #expect(store.health == .healthy)
        store.close()
    }

    @Test func refusesADirectoryThatCannotBeMade() throws {
        let directory = try TemporaryDirectory()
        expectUnusable("cannot create the data directory") {
            try SQLiteStore(directory: directory.path + "/missing/data")
        }
    }

    @Test func refusesWhatIsNotADatabase() throws {
        let directory = try TemporaryDirectory()
        try Data("these are not the bytes of a database, though there are enough".utf8).write(
            to: URL(fileURLWithPath: directory.database))
        expectUnusable("is not a database; move it away") { try SQLiteStore(directory: directory.path) }
    }

    @Test func refusesTheDatabaseOfAnotherProgram() throws {
        let directory = try TemporaryDirectory()
        let other = try SQLiteQueue(path: directory.database)
        try other.use { try $0.execute("CREATE TABLE track (title TEXT)") }
        other.close()
        expectUnusable("is the database of another program") { try SQLiteStore(directory: directory.path) }
    }

    @Test func refusesANewerSchemaAndLeavesItAsItIs() throws {
        let test = try StoreUnderTest()
        try test.write("INSERT INTO grdb_migrations VALUES ('99 what comes later')")
        test.store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: test.directory.database))
        expectUnusable("written by a newer version") { try SQLiteStore(directory: test.directory.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: test.directory.database)) == before)
    }

    @Test func refusesACorruptFile() async throws {
        let test = try StoreUnderTest()
        for number in 0..<200 {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c\(number)"), ids: ["\(number)"]))
        }
        test.store.close()
        try overwrite(test.directory.database, from: 4096 * 3, with: 0x5A)
        expectUnusable("is corrupt") { try SQLiteStore(directory: test.directory.path) }
    }

    @Test func refusesADestroyedSchemaEvenOfAFileTooLargeToCheck() throws {
        let test = try StoreUnderTest()
        test.store.close()
        try overwrite(test.directory.database, from: 100, with: 0xFF)
        var settings = SQLiteStoreSettings()
        settings.checkedBytes = 0
        expectUnusable("is corrupt") { try SQLiteStore(directory: test.directory.path, settings: settings) }
    }

    @Test func refusesAnotherProgramsFileWithoutTables() throws {
        let directory = try TemporaryDirectory()
        let other = try SQLiteQueue(path: directory.database)
        try other.use { try $0.execute("PRAGMA application_id = 7") }
        other.close()
        expectUnusable("is the database of another program") { try SQLiteStore(directory: directory.path) }
    }

    /// The file is truncated to whole pages, into a page, to the header, and to less than the header.
    @Test(arguments: [4096 * 3, 10_000, 4096, 100, 7])
    func refusesATruncatedFileAndLeavesItAsItIs(_ size: UInt64) throws {
        let test = try StoreUnderTest()
        test.store.close()
        try truncate(test.directory.database, to: size)
        let before = try Data(contentsOf: URL(fileURLWithPath: test.directory.database))
        expectUnusable(size < 100 ? "is not a database" : "is corrupt") {
            try SQLiteStore(directory: test.directory.path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: test.directory.database)) == before)
    }

    @Test func refusesAnEmptyFileWhereADaemonHasServed() throws {
        let test = try StoreUnderTest()
        test.store.close()
        try truncate(test.directory.database, to: 0)
        try Data([1]).write(to: URL(fileURLWithPath: test.directory.path + "/secret"))
        expectUnusable("is empty, though this directory was used before") {
            try SQLiteStore(directory: test.directory.path)
        }
    }

    /// The state after a kill before the first page is written.
    @Test func beginsWithAnEmptyFileThatHasNothingBeside() async throws {
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: directory.database))
        let test = try StoreUnderTest(directory)
        let client = StoreUnderTest.client("c")
        try await test.submit(StoreUnderTest.displays(client, ids: ["e"]))
        #expect(try await test.reopened().displayCount(of: client) == 1)
    }

    @Test(arguments: [false, true])
    func refusesALogWithoutItsDatabase(_ isEmpty: Bool) async throws {
        let test = try await filled(200)
        let copy = try killed(test)
        try FileManager.default.removeItem(atPath: copy.database)
        if isEmpty { try Data().write(to: URL(fileURLWithPath: copy.database)) }
        expectUnusable("but its write-ahead log has content") { try SQLiteStore(directory: copy.path) }
        #expect(FileManager.default.fileExists(atPath: copy.database + "-wal"))
    }

    @Test func refusesTheLogOfAnotherDatabaseAndLeavesBothAsTheyAre() async throws {
        let (mine, other) = (try await filled(100), try await filled(200))
        mine.store.close()
        let log = try Data(contentsOf: URL(fileURLWithPath: other.directory.database + "-wal"))
        try log.write(to: URL(fileURLWithPath: mine.directory.database + "-wal"))
        let before = try Data(contentsOf: URL(fileURLWithPath: mine.directory.database))
        expectUnusable("is the write-ahead log of another database; move it away") {
            try SQLiteStore(directory: mine.directory.path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: mine.directory.database)) == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: mine.directory.database + "-wal")) == log)
        try FileManager.default.removeItem(atPath: mine.directory.database + "-wal")
        #expect(try StoreUnderTest(mine.directory).count("client") == 100)
    }

    /// The state after someone copies a backup over a database and leaves the log there.
    @Test func refusesABackupBesideTheLogOfItsOriginal() async throws {
        let test = try await filled(100)
        let backup = try TemporaryDirectory()
        _ = try DatabaseBackup(of: test.directory.path).write(to: backup.path) { _ in }
        try await fill(test, 100..<200)
        let copy = try killed(test)
        try Data(contentsOf: URL(fileURLWithPath: backup.database)).write(to: URL(fileURLWithPath: copy.database))
        expectUnusable("is the write-ahead log of another database") { try SQLiteStore(directory: copy.path) }
    }

    @Test func opensWhatAKillLeft() async throws {
        let test = try await filled(200)
        #expect(try StoreUnderTest(try killed(test)).count("client") == 200)
    }

    private func filled(_ clients: Int) async throws -> StoreUnderTest {
        let test = try StoreUnderTest()
        try await fill(test, 0..<clients)
        return test
    }

    private func fill(_ test: StoreUnderTest, _ clients: Range<Int>) async throws {
        for number in clients {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c\(number)"), ids: ["\(number)"]))
        }
    }

    /// The files as a kill would leave them at this moment.
    private func killed(_ test: StoreUnderTest) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try Data(contentsOf: URL(fileURLWithPath: test.directory.database + suffix))
                .write(to: URL(fileURLWithPath: copy.database + suffix))
        }
        return copy
    }

    private func truncate(_ path: String, to size: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try #require(try file.seekToEnd() > size)
        try file.truncate(atOffset: size)
        try file.close()
    }

    @Test func theDirectoryIsOneStoresUntilItIsClosed() throws {
        let test = try StoreUnderTest()
        expectUnusable("is in use by another process") { try SQLiteStore(directory: test.directory.path) }
        test.store.close()
        try SQLiteStore(directory: test.directory.path).close()
    }

    private func overwrite(_ path: String, from offset: UInt64, with byte: UInt8) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let end = try file.seekToEnd()
        try #require(end > offset)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(repeating: byte, count: Int(end - offset)))
        try file.close()
    }

    private func expectUnusable(_ sentence: String, _ open: () throws -> SQLiteStore) {
        do {
            try open().close()
            Issue.record("opened")
        } catch let StoreError.unusable(text) {
            #expect(text.contains(sentence))
        } catch {
            Issue.record("\(error)")
        }
    }
}
