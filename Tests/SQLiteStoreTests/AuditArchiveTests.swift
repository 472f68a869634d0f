import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// The verification of a chain whose file may have been changed.
struct AuditArchiveTests {
    /// A store with this many records, still open.
    private func store(records: Int = 5) throws -> StoreUnderTest {
        let test = try StoreUnderTest()
        for revision in 1...records {
            let document = StoredDocument(
                revision: revision, source: .api, text: Array("{\"n\":\(revision)}".utf8),
                publishedAt: StoreUnderTest.now)
            try test.store.publish([.manifest(app: "a", document)], by: "alice", at: StoreUnderTest.now)
        }
        return test
    }

    /// Changes the file like an attacker who knows SQLite and the names of the triggers.
    private func forge(_ test: StoreUnderTest, _ sql: String) throws {
        try test.write("DROP TRIGGER audit_insert; DROP TRIGGER audit_update; DROP TRIGGER audit_delete; " + sql)
    }

    private func fault(_ test: StoreUnderTest) throws -> AuditFault? {
        if case .failure(let fault) = try AuditArchive(directory: test.directory.path).verify() { fault } else { nil }
    }

    @Test func aWholeOneIsWholeBesideTheStoreAndAfterIt() async throws {
        let test = try store(records: 2500)
        let last = try #require(try await test.audit(after: 2499).first)
        let beside = try AuditArchive(directory: test.directory.path).verify().get()
        #expect(beside.sequence == 2500)
        #expect(beside.hash == last.hash)
        test.store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: test.directory.database))
        #expect(try AuditArchive(directory: test.directory.path).verify().get().hash == last.hash)
        #expect(try Data(contentsOf: URL(fileURLWithPath: test.directory.database)) == before)
    }

    @Test func anEmptyOneIsWhole() throws {
        let test = try StoreUnderTest()
        #expect(try AuditArchive(directory: test.directory.path).verify().get().sequence == 0)
    }

    @Test(arguments: [
        ("UPDATE audit SET text = replace(text, 'alice', 'carol') WHERE sequence = 3", AuditFault.altered(3)),
        ("UPDATE audit SET hash = x'00' WHERE sequence = 3", .altered(3)),
        ("UPDATE audit SET text = 'gone' WHERE sequence = 2", .unreadable(2)),
        ("DELETE FROM audit WHERE sequence = 3", .missing(3, found: 4)),
        ("DELETE FROM audit WHERE sequence <= 2", .missing(1, found: 3)),
        ("DELETE FROM audit WHERE sequence >= 4", .cutOff(4, written: 5)),
        ("DELETE FROM audit", .cutOff(1, written: 5)),
        (
            "DELETE FROM audit WHERE sequence = 3; UPDATE audit SET sequence = sequence - 1 WHERE sequence > 3",
            .altered(3)
        ),
    ])
    func theFirstBadRecordIsNamed(_ sql: String, _ expected: AuditFault) throws {
        let test = try store()
        try forge(test, sql)
        #expect(try fault(test) == expected)
    }

    /// Numbers continue after the highest that was ever given, and the audit stays cut.
    @Test(arguments: [(4, AuditFault.missing(4, found: 6)), (1, .missing(1, found: 6))])
    func whatWasCutOffAtTheEndStaysMissing(_ first: Int, _ expected: AuditFault) throws {
        let test = try store()
        try test.write("DROP TRIGGER audit_delete; DELETE FROM audit WHERE sequence >= \(first)")
        #expect(try test.store.verifyAudit() == .failure(.cutOff(Int64(first), written: 5)))
        for revision in 6...8 {
            let document = StoredDocument(
                revision: revision, source: .api, text: [0x7B, 0x7D], publishedAt: StoreUnderTest.now)
            try test.store.publish([.manifest(app: "a", document)], by: "alice", at: StoreUnderTest.now)
        }
        #expect(try fault(test) == expected)
        #expect(try test.store.verifyAudit() == .failure(expected))
        let backup = try TemporaryDirectory()
        let facts = try DatabaseBackup(of: test.directory.path).write(to: backup.path) { _ in }
        #expect(facts.auditFault == expected && facts.audit.sequence == 8)
    }

    @Test func aCutAuditStaysCutInARestoredBackupAndIsNotMoved() throws {
        let test = try store()
        try test.write("DROP TRIGGER audit_delete; DELETE FROM audit WHERE sequence >= 5")
        let (backup, restored) = (try TemporaryDirectory(), try TemporaryDirectory())
        let facts = try DatabaseBackup(of: test.directory.path).write(to: backup.path) { _ in }
        #expect(facts.auditFault == .cutOff(5, written: 5))
        _ = try Restoration(of: backup.path, to: restored.path).run(now: StoreUnderTest.now) { _ in
        } complete: {
        }
        let verdict = try AuditArchive(directory: restored.path).verify()
        #expect(verdict == .failure(.missing(5, found: 6)))
        test.store.close()
        let source = try SQLiteLocation(directory: test.directory.path).openSource()
        let target = SQLiteLocation(directory: restored.path + "/target")
        let refusal = #expect(throws: StoreError.self) { try target.receive(source) { _, _ in } }
        #expect(refusal?.reason.contains("records 5 to 5 are missing at the end") == true)
    }

    @Test func anAuditThatIsGoneIsNotAWholeOne() throws {
        let test = try store()
        try forge(test, "DROP TABLE audit")
        #expect(throws: StoreError.self) { try fault(test) }
    }

    @Test func whatIsNoDataDirectoryIsTold() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: StoreError.self) { try AuditArchive(directory: directory.path) }
        #expect(!FileManager.default.fileExists(atPath: directory.database))
        try Data("no database at all, but bytes enough to look at".utf8).write(
            to: URL(fileURLWithPath: directory.database))
        #expect(throws: StoreError.self) { try AuditArchive(directory: directory.path).verify() }
    }
}
