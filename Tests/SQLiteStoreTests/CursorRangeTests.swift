import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// A cursor names the database that issued it. The tests cover the responses of other databases, and copies.
struct CursorRangeTests {
    private func filled(_ names: [String]) async throws -> StoreUnderTest {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(names))
        return test
    }

    private func backup(_ test: StoreUnderTest) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        _ = try DatabaseBackup(of: test.directory.path).write(to: folder.path) { _ in }
        return folder
    }

    private func restored(_ backup: TemporaryDirectory) throws -> StoreUnderTest {
        let directory = try TemporaryDirectory()
        _ = try Restoration(of: backup.path, to: directory.path).run(now: StoreUnderTest.now) { _ in
        } complete: {
        }
        return try StoreUnderTest(directory)
    }

    private func lastCursor(_ test: StoreUnderTest) async throws -> TelemetryCursor {
        try #require(try await test.telemetry().rows.last?.cursor)
    }

    @Test func aCursorOfAnotherDatabaseIsForeignThoughItsNumberIsGiven() async throws {
        let lost = try await filled(["a", "b"])
        let cursor = try await lastCursor(lost)
        let fresh = try await filled(["1", "2", "3", "4"])
        #expect(try await fresh.telemetry(after: cursor).fault == .foreign)
        #expect(try await fresh.telemetry(after: cursor).rows.isEmpty)
        #expect(try await fresh.keep("pipeline", at: cursor) == .refused(.foreign))
        #expect(try await fresh.consumers() == [])
        let bare = TelemetryCursor(number: cursor.number, database: nil)
        #expect(try await fresh.telemetry(after: bare).fault == .foreign)
        #expect(try await StoreUnderTest().telemetry(after: cursor).fault == .foreign)
    }

    @Test func aCursorBeyondTheEndIsTold() async throws {
        let test = try await filled(["a", "b"])
        let last = try await lastCursor(test)
        let next = TelemetryCursor(number: last.number + 1, database: last.database)
        #expect(try await test.telemetry(after: last).fault == nil)
        #expect(try await test.telemetry(after: next).fault == .beyondEnd)
        try await test.submit(StoreUnderTest.records(["c"]))
        #expect(try await test.telemetry(after: next).fault == nil)
    }

    @Test func cursorsStayTheSameAcrossRestarts() async throws {
        let test = try await filled(["a", "b"])
        let cursors = try await test.telemetry().rows.map(\.cursor)
        let next = try test.reopened()
        #expect(try await next.telemetry().rows.map(\.cursor) == cursors)
        #expect(try await next.telemetry(after: cursors[0]).rows.map(\.name) == ["b"])
        #expect(Set(cursors.map(\.database)).count == 1 && cursors[0].database != nil)
    }

    /// A database whose schema is older than database identities, with three records, of which retention has deleted
    /// the first.
    private func old() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let queue = try SQLiteQueue(path: directory.database)
        try queue.use { database in
            try database.execute("PRAGMA application_id = \(DatabaseFile.applicationID)")
            try database.execute("PRAGMA user_version = 7")
        }
        try queue.use { try Migrations.apply(to: $0, upTo: "5 restored") }
        try queue.use { database in
            try database.execute(
                """
                INSERT INTO app (key, name, expired_cursor) VALUES (1, '\(StoreUnderTest.app)', 1);
                INSERT INTO telemetry (cursor, app, received_at, at, client_id, category, name, extra)
                    VALUES (2, 1, 2000, 2000, 'c', 'messaging', 'b', '{}'),
                        (3, 1, 3000, 3000, 'c', 'messaging', 'c', '{}');
                INSERT INTO consumer (app, name, cursor, updated_at) VALUES (1, 'pipeline', 2, 0);
                """)
        }
        queue.close()
        return directory
    }

    @Test func cursorsOfBeforeThereWereIdentitiesStayReadable() async throws {
        let test = try StoreUnderTest(try old())
        func bare(_ number: Int64) -> TelemetryCursor { TelemetryCursor(number: number, database: nil) }
        try await test.submit(StoreUnderTest.records(["new"]))
        let rows = try await test.telemetry().rows
        #expect(rows.map(\.cursor.number) == [2, 3, 4])
        #expect(rows.map { $0.cursor.database == nil } == [true, true, false])
        #expect(try await test.telemetry(after: bare(2)).rows.map(\.name) == ["c", "new"])
        #expect(try await test.telemetry(after: bare(3)).rows.map(\.name) == ["new"])
        // This cursor was never issued.
        #expect(try await test.telemetry(after: bare(4)).fault == .foreign)
        #expect(try await test.consumers()?.map(\.cursor) == [bare(2)])
        #expect(try await test.reopened().telemetry().rows == rows)
    }

    @Test func anOldDatabaseCanBeExportedAsItIs() throws {
        let directory = try old()
        let archive = try DataArchive(directory: directory.path)
        let bounds = try #require(try archive.bounds(of: StoreUnderTest.app))
        #expect(bounds.after.text == "t1" && bounds.newest.text == "t3")
        #expect(bounds.expiredUntil == Timestamp(milliseconds: 2000))
        let query = TelemetryQuery(app: StoreUnderTest.app, after: bounds.after, limit: 10)
        #expect(try archive.readTelemetry(query).rows.map(\.cursor.text) == ["t2", "t3"])
    }

    /// A backup that is served in place: the numbers after its last one are issued a second time.
    @Test func aCopyKnowsItsOriginalsCursorsUpToTheCopy() async throws {
        let original = try await filled(["a", "b"])
        let cursors = try await original.telemetry().rows.map(\.cursor)
        let copy = try StoreUnderTest(try backup(original))
        try await original.submit(StoreUnderTest.records(["c"]))
        let lost = try await lastCursor(original)
        #expect(try await copy.telemetry(after: lost).fault == .beyondEnd)
        try await copy.submit(StoreUnderTest.records(["other", "another"]))
        #expect(try await copy.telemetry().rows.prefix(2).map(\.cursor) == cursors)
        #expect(try await copy.telemetry(after: cursors[0]).rows.map(\.name) == ["b", "other", "another"])
        #expect(try await copy.telemetry(after: cursors[1]).rows.map(\.name) == ["other", "another"])
        #expect(try await copy.telemetry(after: lost).fault == .beyondEnd)
        let own = try await lastCursor(copy)
        #expect(own.number == 4 && own.database != lost.database)
        #expect(try await original.telemetry(after: own).fault == .foreign)
    }

    /// Beyond the backup, only the lost daemon's own cursors are valid, and no others with such numbers.
    @Test func aRestoredOneTakesTheLostOnesCursorsAlone() async throws {
        let lost = try await filled(["a", "b"])
        let kept = try await lost.telemetry().rows.map(\.cursor)
        let backup = try backup(lost)
        try await lost.submit(StoreUnderTest.records(["c", "d"]))
        let beyond = try await lastCursor(lost)
        let first = try restored(backup)
        try await first.submit(StoreUnderTest.records(["first"]))
        #expect(try await first.telemetry().rows.prefix(2).map(\.cursor) == kept)
        #expect(try await first.telemetry(after: beyond).rows.map(\.name) == ["first"])
        let foreign = try await lastCursor(filled(["1", "2", "3", "4"]))
        #expect(foreign.number == beyond.number)
        #expect(try await first.telemetry(after: foreign).fault == .foreign)
        // A second restore of the same backup does not accept the cursors of the first.
        let second = try restored(backup)
        try await second.submit(StoreUnderTest.records(["second", "more"]))
        #expect(try await second.telemetry(after: try await lastCursor(first)).fault == .foreign)
        #expect(try await second.telemetry(after: beyond).rows.map(\.name) == ["second", "more"])
    }

    @Test func aBackupOfAnEmptyLogKnowsTheLostOnesCursors() async throws {
        let lost = try StoreUnderTest()
        let backup = try backup(lost)
        try await lost.submit(StoreUnderTest.records(["a"]))
        let restored = try restored(backup)
        try await restored.submit(StoreUnderTest.records(["b"]))
        #expect(try await restored.telemetry(after: try await lastCursor(lost)).rows.map(\.name) == ["b"])
    }

    /// A restored backup of a restored directory: each database's cursors are valid up to the start of its successor.
    @Test func cursorsOutlastSeveralRestores() async throws {
        let first = try await filled(["a"])
        let second = try restored(try backup(first))
        try await second.submit(StoreUnderTest.records(["b"]))
        let third = try restored(try backup(second))
        try await third.submit(StoreUnderTest.records(["c"]))
        let cursors = try await third.telemetry().rows.map(\.cursor)
        #expect(Set(cursors.map(\.database)).count == 3)
        #expect(try await third.telemetry(after: cursors[0]).rows.map(\.name) == ["b", "c"])
        #expect(try await third.telemetry(after: cursors[1]).rows.map(\.name) == ["c"])
        let next = TelemetryCursor(number: cursors[1].number + 1, database: cursors[0].database)
        #expect(try await third.telemetry(after: next).fault == .beyondEnd)
    }
}
