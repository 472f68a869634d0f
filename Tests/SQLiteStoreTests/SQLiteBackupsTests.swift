import BellwetherBase
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// Backups that a process makes of the data directory that it has open (docs/operators-guide.md#backups-on-schedule).
struct SQLiteBackupsTests {
    private let test: StoreUnderTest
    private let folder: TemporaryDirectory

    init() throws {
        test = try StoreUnderTest()
        _ = try InstallationSecret.readOrMake(in: test.directory.path)
        folder = try TemporaryDirectory()
    }

    private func backups(keeping count: Int = 3) -> SQLiteBackups {
        SQLiteBackups(of: test.directory.path, in: folder.path, keeping: count)
    }

    private func time(_ seconds: Int64) -> Timestamp { StoreUnderTest.now.adding(seconds: seconds) }

    /// The names in the folder, without the lock.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "bellwether.lock" }.sorted()
    }

    @Test func `A backup has its time as its name, and holds what was written before`() async throws {
        try await test.submit(StoreUnderTest.records(["a", "b"]))
        let report = try backups().add(at: time(0))
        try await test.submit(StoreUnderTest.records(["later"]))
        #expect(try names() == [BackupName.of(time(0))])
        #expect(report.hasSecret && report.facts.rows["telemetry"] == 2)
        #expect(report.path == folder.path + "/" + BackupName.of(time(0)))
        #expect(try backups().newest()?.seconds == time(0).seconds)
        let place = try TemporaryDirectory()
        _ = try BackupFolder(path: report.path).restore(to: place.path + "/data", webhooks: .giveUp) { _ in }
        let restored = try SQLiteStore(directory: place.path + "/data")
        defer { restored.close() }
        #expect(try restored.database.read { try $0.integer("SELECT count(*) FROM telemetry") } == 2)
    }

    @Test func `The newest ones are kept, and only folders with a time are removed`() throws {
        try folder.write("mine", to: "2020-01-01/notes")
        let backups = backups(keeping: 2)
        for number in 0..<4 { _ = try backups.add(at: time(Int64(number))) }
        #expect(try names() == ["2020-01-01", BackupName.of(time(2)), BackupName.of(time(3))])
        // A clock that was set back.
        _ = try backups.add(at: time(-60))
        #expect(try names() == ["2020-01-01", BackupName.of(time(-60)), BackupName.of(time(3))])
    }

    /// What the store's connections see of the log does not depend on the backup's connection.
    @Test func `The store goes on, and its log is still its own`() async throws {
        let backups = backups()
        for number in 0..<3 {
            try await test.submit(StoreUnderTest.records(["\(number)"]))
            _ = try backups.add(at: time(Int64(number)))
        }
        // SQLite's locks are those of the process: another process must not fold and remove the log.
        let result = try Command.run([
            "python3", "-c",
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('SELECT 1 FROM telemetry'); d.close()",
            test.directory.database,
        ])
        #expect(result.status == 0, "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: test.directory.database + "-wal"))
        try await test.submit(StoreUnderTest.records(["last"]))
        #expect(try await test.telemetry().rows.map(\.name) == ["0", "1", "2", "last"])
    }

    /// The ways in which a copy may be damaged after it was made.
    enum Damage: CaseIterable {
        case page, missingRow, secret
    }

    @Test(arguments: Damage.allCases) func `A damaged copy is found when it is restored`(_ damage: Damage) async throws
    {
        let clients = (0..<300).map { StoreUnderTest.client("c\($0)") }
        for client in clients { try await test.submit(StoreUnderTest.displays(client, ids: [client.id])) }
        let backups = backups()
        let made = try backups.make()
        let candidate = folder.path + "/candidate"
        switch damage {
        case .page:
            let file = try #require(FileHandle(forUpdatingAtPath: candidate + "/bellwether.sqlite"))
            try file.seek(toOffset: 4096 * 5)
            try file.write(contentsOf: Data(repeating: 0x5A, count: 8192))
            try file.close()
        case .missingRow:
            let database = try SQLiteQueue(path: candidate + "/bellwether.sqlite")
            try database.use { try $0.execute("DELETE FROM client WHERE rowid = 7; PRAGMA journal_mode = DELETE") }
            database.close()
        case .secret: try FileManager.default.removeItem(atPath: candidate + "/secret")
        }
        #expect(throws: StoreError.self) { try backups.tryRestoring(made) }
        // The next one begins anew.
        _ = try backups.add(at: time(0))
        #expect(try names() == [BackupName.of(time(0))])
    }

    /// What processes leave that were killed at any moment.
    @Test func `Remains of an interrupted backup are no backup, and are removed`() throws {
        let backups = backups()
        let made = try backups.make()
        _ = try BackupFolder(path: folder.path + "/candidate").restore(
            to: folder.path + "/trial", webhooks: .giveUp
        ) { _ in }
        try folder.write("half", to: "candidate.partial/bellwether.sqlite")
        try folder.write("half", to: "expired/bellwether.sqlite")
        try folder.write("half", to: "trial/restore.partial/bellwether.sqlite")
        #expect(made.hasSecret)
        #expect(try backups.newest() == nil)
        _ = try backups.add(at: time(0))
        #expect(try names() == [BackupName.of(time(0))])
    }

    @Test func `A folder that is missing, or that another daemon uses, is refused in a sentence`() throws {
        func reason(_ backups: SQLiteBackups) -> String {
            do throws(StoreError) {
                _ = try backups.add(at: time(0))
                return "none"
            } catch { return error.reason }
        }
        let missing = SQLiteBackups(of: test.directory.path, in: folder.path + "/none", keeping: 1)
        #expect(try missing.newest() == nil)
        #expect(
            reason(missing)
                == "the folder of the backups \(folder.path)/none is not there; make it, for the daemon's user")
        let first = backups()
        _ = try first.add(at: time(0))
        #expect(reason(backups()).contains("is used by another daemon"))
        #expect(try names() == [BackupName.of(time(0))])
        withExtendedLifetime(first) {}
    }

    @Test func `A stop ends it, and leaves the older ones`() throws {
        let backups = backups(keeping: 1)
        _ = try backups.add(at: time(0))
        backups.stop()
        #expect(throws: StoreError.unusable("the daemon stops")) { try backups.add(at: time(60)) }
        #expect(try names() == [BackupName.of(time(0))])
    }
}
