import BellwetherService
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

/// What a file must be, and what SQLite must promise, before anything is acknowledged.
struct OpeningTests {
    @Test(arguments: [
        ("synchronous", "2"), ("journal_mode", "wal"), ("busy_timeout", "5000"), ("wal_autocheckpoint", "2000"),
        ("journal_size_limit", "67108864"), ("application_id", "1112299346"),
        ("secure_delete", "1"),
    ])
    func readsItsPragmasBackOnTheWritersConnection(_ pragma: String, _ expected: String) throws {
        let test = try StoreUnderTest()
        let value = try test.store.database.writeWithoutTransaction { database in
            try Row.fetchOne(database, sql: "PRAGMA \(pragma)").map { "\($0[0] as DatabaseValue)" }
        }
        #expect(value?.trimmingCharacters(in: ["\""]) == expected)
    }

    @Test func everyTableIsStrict() throws {
        let test = try StoreUnderTest()
        let lax = try test.store.database.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM pragma_table_list
                    WHERE schema = 'main' AND NOT strict AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'grdb_*'
                    """)
        }
        #expect(lax == [])
    }

    @Test func makesTheDataDirectory() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path + "/data")
        #expect(store.health == .healthy)
        store.close()
    }

    @Test func refusesADirectoryThatCannotBeMade() {
        let directory = TemporaryDirectory()
        expectUnusable("cannot create the data directory") {
            try SQLiteStore(directory: directory.path + "/missing/data")
        }
    }

    @Test func refusesWhatIsNotADatabase() throws {
        let directory = TemporaryDirectory()
        try Data("these are not the bytes of a database, though there are enough".utf8).write(
            to: URL(fileURLWithPath: directory.database))
        expectUnusable("is not a database; move it away") { try SQLiteStore(directory: directory.path) }
    }

    @Test func refusesTheDatabaseOfAnotherProgram() throws {
        let directory = TemporaryDirectory()
        let other = try DatabaseQueue(path: directory.database)
        try other.write { try $0.execute(sql: "CREATE TABLE track (title TEXT)") }
        try other.close()
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
