import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import TestSupport
import Testing

@testable import SQLiteStore

/// A backup during writes, and a data directory that is restored from it.
struct BackupTests {
    private func backup(_ directory: String) throws -> (folder: TemporaryDirectory, facts: BackupFacts) {
        let folder = try TemporaryDirectory()
        return (folder, try DatabaseBackup(of: directory).write(to: folder.path) { _ in })
    }

    private func restore(_ backup: TemporaryDirectory, to directory: TemporaryDirectory) throws -> BackupFacts {
        try Restoration(of: backup.path, to: directory.path).run(now: StoreUnderTest.now) { _ in
        } complete: {
        }
    }

    private func names(_ directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test func itHoldsWhatWasCommittedBeforeAndLiesAloneInItsFolder() async throws {
        let test = try StoreUnderTest()
        let document = StoredDocument(revision: 1, source: .api, text: [0x7B, 0x7D], publishedAt: StoreUnderTest.now)
        try test.store.publish([.manifest(app: StoreUnderTest.app, document)])
        try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c"), ids: ["1", "2"]))
        try await test.submit(StoreUnderTest.records(["a", "b", "c"]))
        let (folder, facts) = try backup(test.directory.path)
        #expect(try names(folder) == ["bellwether.sqlite"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.database)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect((facts.cursor.number, facts.audit.sequence) == (3, 1))
        #expect(facts.audit.hash == (try await test.audit().last?.hash))
        #expect(facts.bytes == attributes[.size] as? Int64)
        try await test.submit(StoreUnderTest.records(["later"]))
        let copy = try StoreUnderTest(folder)
        #expect(try await copy.displayCount(of: StoreUnderTest.client("c")) == 2)
        #expect(try await copy.telemetry().rows.map(\.name) == ["a", "b", "c"])
        #expect(try await test.telemetry().rows.count == 4)
    }

    /// Each step of the copy finds new commits since the step before.
    @Test func commitsMeanwhileNeitherWaitNorMakeItBeginAnew() async throws {
        let test = try StoreUnderTest()
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<10 {
            try await test.submit(StoreUnderTest.records((0..<1000).map { "\($0)\(text)" }))
        }
        let folder = try TemporaryDirectory()
        var (steps, total) = (0, 0)
        _ = try DatabaseBackup(of: test.directory.path).write(to: folder.path) { progress in
            guard case .copying(_, let pages) = progress else { return }
            (steps, total) = (steps + 1, pages)
            // The write uses the writer's connection and its lock, so the lock is free.
            try? test.write("INSERT INTO probe VALUES (zeroblob(16384))")
        }
        #expect(steps == (total + 1023) / 1024)
        #expect(steps > 3)
        #expect(try test.count("probe") == steps)
        let copy = try StoreUnderTest(folder)
        #expect(try copy.count("probe") == 0)
        #expect(try copy.count("telemetry") == 10_000)
    }

    @Test func withoutADaemonItIsTheSame() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(["a"]))
        test.store.close()
        let (folder, facts) = try backup(test.directory.path)
        #expect(facts.cursor.number == 1)
        #expect(try names(folder) == ["bellwether.sqlite"])
    }

    @Test func whatIsDamagedIsNoBackup() async throws {
        let test = try StoreUnderTest()
        for number in 0..<300 {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c\(number)"), ids: ["\(number)"]))
        }
        test.store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: test.directory.database))
        try file.seek(toOffset: 4096 * 5)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 8192))
        try file.close()
        #expect(throws: StoreError.self) { try backup(test.directory.path) }
    }

    @Test func whatIsNoDataDirectoryIsTold() throws {
        #expect(throws: StoreError.self) { try backup(TemporaryDirectory().path) }
        #expect(throws: StoreError.self) { try restore(TemporaryDirectory(), to: TemporaryDirectory()) }
    }

    @Test func aRestoredOneGoesOnBehindEveryCursorOfTheLostOne() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(["a", "b"]))
        try await test.keep("pipeline", 1)
        let (folder, _) = try backup(test.directory.path)
        try await test.submit(StoreUnderTest.records(["lost"]))
        let seen = try #require(try await test.telemetry().rows.last?.cursor)
        #expect(seen.number == 3)
        let directory = try TemporaryDirectory()
        _ = try restore(folder, to: directory)
        #expect(try names(folder) == ["bellwether.sqlite"])
        #expect(try names(directory) == ["bellwether.lock", "bellwether.sqlite"])
        let restored = try StoreUnderTest(directory)
        #expect(try await restored.telemetry(after: test.cursor(1)).rows.map(\.name) == ["b"])
        #expect(try await restored.telemetry(after: seen).rows.isEmpty)
        guard case .kept(let consumer, _) = try await restored.keep("pipeline", at: seen) else {
            return #expect(Bool(false), "a cursor of the lost daemon")
        }
        #expect(consumer.lag == 0 && !consumer.isExpired)
        try await restored.submit(StoreUnderTest.records(["new", "newer"]))
        #expect(try await restored.telemetry(after: seen).rows.map(\.name) == ["new", "newer"])
        #expect(try await restored.telemetry().rows.map(\.name) == ["a", "b", "new", "newer"])
        // No reader can have a cursor of records that do not exist yet.
        let newest = try #require(try await restored.telemetry().rows.last?.cursor)
        let next = TelemetryCursor(number: newest.number + 1, database: newest.database)
        #expect(try await restored.keep("pipeline", at: next) == .refused(.beyondEnd))
        #expect(newest.number > 1 << 32)
    }

    @Test func theAuditTellsOfARestoreAndStaysWhole() async throws {
        let test = try StoreUnderTest()
        let document = StoredDocument(revision: 1, source: .api, text: [0x7B, 0x7D], publishedAt: StoreUnderTest.now)
        try test.store.publish([.manifest(app: "a", document)])
        let (folder, facts) = try backup(test.directory.path)
        let directory = try TemporaryDirectory()
        #expect(try restore(folder, to: directory) == facts)
        #expect(try AuditArchive(directory: directory.path).verify().get().sequence == 2)
        let record = try #require(try await StoreUnderTest(directory).audit().last)
        let members = try JSONValue(parsing: record.text).object ?? [:]
        #expect(members["action"] == "restore" && members["kind"] == "database" && members["by"] == "daemon")
        #expect(members["records"] == 1 && members["cursor"] == .integer(1 << 32))
    }

    /// A restored backup of a restored directory.
    @Test func restoringTwiceGoesFurther() async throws {
        let first = try StoreUnderTest()
        let (one, _) = try backup(first.directory.path)
        let middle = try TemporaryDirectory()
        _ = try restore(one, to: middle)
        let (two, facts) = try backup(middle.path)
        #expect(facts.cursor.number == 1 << 32)
        let last = try TemporaryDirectory()
        _ = try restore(two, to: last)
        let restored = try StoreUnderTest(last)
        try await restored.submit(StoreUnderTest.records(["a"]))
        #expect(try await restored.telemetry().rows.map(\.cursor.number) == [(2 << 32) + 1])
    }

    @Test func aDirectoryThatIsUsedOrNotEmptyIsLeftAlone() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(["a"]))
        let (folder, _) = try backup(test.directory.path)
        for isOpen in [true, false] {
            if !isOpen { test.store.close() }
            do {
                _ = try restore(folder, to: test.directory)
                #expect(Bool(false), "restored")
            } catch StoreError.unusable(let reason) {
                #expect(reason.contains(isOpen ? "in use by another process" : "is not empty"))
            }
        }
        let stray = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: stray.path + "/notes.txt"))
        #expect(throws: StoreError.self) { try restore(folder, to: stray) }
        #expect(try names(stray).contains("notes.txt") && !names(stray).contains("bellwether.sqlite"))
    }

    /// A data directory that was never closed: data that is only in its log is copied, too.
    @Test func whatHasALogBesideItIsReadWithIt() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(["a", "b"]))
        let directory = try TemporaryDirectory()
        #expect(try restore(test.directory, to: directory).cursor.number == 2)
        #expect(try await StoreUnderTest(directory).telemetry().rows.map(\.name) == ["a", "b"])
    }

    /// The lost daemon may have sent the webhooks that waited when the backup was made.
    @Test(arguments: [RestoredWebhooks.giveUp, .resend])
    func webhooksThatWaitedAreGivenUpUnlessToldOtherwise(_ webhooks: RestoredWebhooks) throws {
        let test = try StoreUnderTest()
        var group = WriteGroup()
        group.outbox = [
            OutboxRow(
                id: "one", app: StoreUnderTest.app, url: "https://a.example", body: [0x7B, 0x7D],
                createdAt: StoreUnderTest.now)
        ]
        _ = try test.store.write([group])
        let (folder, _) = try backup(test.directory.path)
        let directory = try TemporaryDirectory()
        let later = StoreUnderTest.now.adding(seconds: 60)
        _ = try Restoration(of: folder.path, to: directory.path).run(now: later, webhooks: webhooks) { _ in
        } complete: {
        }
        var expected = group.outbox
        if webhooks == .giveUp {
            (expected[0].state, expected[0].lastFailure) = (.dead(at: later), OutboxRow.restored)
        }
        let restored = try StoreUnderTest(directory)
        #expect(try restored.store.readOutbox(OutboxQuery(app: StoreUnderTest.app, limit: 10)) == expected)
    }

    @Test func aDirectoryThatCannotBeListedIsNotEmpty() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(try DurableFile.names(in: directory.path) == ["file"])
        #expect(try DurableFile.names(in: directory.path + "/none") == [])
        #expect(throws: StoreError.unusable("\(file) cannot be read: Not a directory")) {
            try DurableFile.names(in: file)
        }
    }

    @Test func whatCannotBeCompletedLeavesNoDatabase() async throws {
        struct Interruption: Error {}
        let test = try StoreUnderTest()
        let (folder, _) = try backup(test.directory.path)
        let directory = try TemporaryDirectory()
        #expect(throws: Interruption.self) {
            try Restoration(of: folder.path, to: directory.path).run(now: StoreUnderTest.now) { _ in
            } complete: {
                throw Interruption()
            }
        }
        #expect(try !names(directory).contains("bellwether.sqlite"))
    }
}
