import BellwetherBase
import BellwetherService
import Foundation
import ObjectStore
import Synchronization
import TestSupport
import Testing

@testable import Sinks

/// Backups that are copied into a store of objects (docs/operators-guide.md#backups-in-an-object-store).
/// `Conformance/data/backups_test.py` copies and restores them.
@Suite struct CopiedBackupsTests {
    private static let start = Timestamp(seconds: 1_790_000_000)

    /// Backups of a folder: each has one file besides the secret.
    private final class Local: BackupSeries {
        let folder: TemporaryDirectory
        private let times = Mutex<[Timestamp]>([])

        init() throws { folder = try TemporaryDirectory() }

        var made: [Int64] { times.withLock { $0.map { $0.seconds - CopiedBackupsTests.start.seconds } } }

        func newest() -> Timestamp? { times.withLock { $0.max() } }
        func stop() {}

        func add(at now: Timestamp) throws(StoreError) -> BackupReport {
            times.withLock { $0.append(now) }
            let name = BackupName.of(now)
            do {
                try folder.write("bytes", to: name + "/bellwether.sqlite")
                try folder.write("secret", to: name + "/secret")
            } catch {
                throw .unusable("\(error)")
            }
            let facts = BackupFacts(bytes: 5, cursor: .start, audit: AuditChain(), auditFault: nil)
            return BackupReport(path: "\(folder.path)/\(name)", facts: facts, hasSecret: true, at: now)
        }
    }

    /// Each attempt adds a backup to the folder, where only the newest few stay.
    @Test func `A backup that was not copied is copied again until the next one is due`() throws {
        let local = try Local()
        let file = try local.folder.write(
            "[default]\naws_access_key_id = a\naws_secret_access_key = b\n", to: "credentials")
        // Nothing listens at this port: only the superuser may.
        let address = try ObjectStoreAddress(
            reading: "s3://lake/backups", endpoint: "http://127.0.0.1:1", region: "us-east-1", isPathStyle: nil)
        let chain = ObjectCredentialChain(credentialsFile: file, environment: [:], asksInstance: false)
        let copied = CopiedBackups(
            local, to: BackupCopies(ObjectStoreAccess(address: address, credentials: chain), at: "s3://lake/backups"),
            keeping: 2, every: 3600)
        for second in [0, 600, 3599, 3600, 4200, 100_000] as [Int64] {
            let error = #expect(throws: StoreError.self) { try copied.add(at: Self.start.adding(seconds: second)) }
            #expect(error?.reason.hasPrefix("s3://lake/backups: the object store cannot be reached: ") == true)
        }
        #expect(local.made == [0, 3600, 100_000])
        #expect(throws: StoreError.self) { try copied.newest() }
    }

    @Test func `The name of a backup is its time`() {
        #expect(BackupName.of(Self.start) == "2026-09-21T141320Z")
        #expect(BackupName.time("2026-09-21T141320Z") == Self.start)
        for name in ["", "2026-09-21T14:13:20Z", "2026-09-21T141320z", "2026-13-21T141320Z", "2026-09-21T141320Z.json"]
        {
            #expect(BackupName.time(name) == nil, "\(name)")
        }
    }
}
