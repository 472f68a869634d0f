import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import PostgresStore
import PostgresSupport
import TestSupport
import Testing

/// An audit whose newest records were removed by the database's owner.
@Suite struct AuditCutTests {
    private static let origin = ChangeOrigin(author: "alice", at: Timestamp(seconds: 1_790_000_000))

    @Test(arguments: [Int64(4), 1])
    func whatWasCutOffAtTheEndStaysMissing(_ first: Int64) throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptyDatabase()
        let store = try server.openStore(uri)
        defer { store.close() }
        let persistence = Persistence(store, threads: .inPlace)
        func append(_ count: Int) {
            for _ in 0..<count { persistence.record(AuditEntry(exportOf: "r", in: "a", Self.origin)) { _ in } }
        }
        append(5)
        try server.run("ALTER TABLE audit DISABLE TRIGGER USER", at: uri)
        try server.run("DELETE FROM audit WHERE sequence >= \(first)", at: uri)
        try server.run("ALTER TABLE audit ENABLE TRIGGER USER", at: uri)
        let location = try PostgresLocation(uri)
        #expect(try location.verifyAudit() == .failure(.cutOff(first, written: 5)))
        append(6)
        #expect(try location.verifyAudit() == .failure(.missing(first, found: 6)))
        #expect(try store.readAudit(AuditQuery(after: 5, limit: 10)).map(\.sequence) == Array(6...11))
    }
}
