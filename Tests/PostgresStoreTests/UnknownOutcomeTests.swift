import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Dispatch
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

@testable import PostgresStore

/// The outcome of a write whose response was lost
/// (docs/decisions/archive/0102-a-write-to-postgresql-is-a-transaction-of-two-messages.md).
@Suite struct UnknownOutcomeTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private func group(_ number: Int, expecting version: UInt64) -> WriteGroup {
        let lease = Lease(holder: "\(number)", until: Self.now)
        var group = WriteGroup([RowWrite(name: .lease("job"), expected: version, value: .lease(lease))])
        let record = TelemetryRecord(at: Self.now, clientID: "c", category: "test", name: "n\(number)", extra: [:])
        group.records = [WriteGroup.LogRecord(app: "app", record: record, receivedAt: Self.now)]
        return group
    }

    /// Every connection of the store is closed once during each write, at some point in it.
    @Test func `Connections that end during writes lose no commit and make none twice`() throws {
        let server = try PostgresServer.shared.get()
        let store = try server.openStore(server.emptySchema() + "&application_name=ended")
        defer { store.close() }
        var version: UInt64 = 0
        for number in 1...40 {
            let end = DispatchGroup()
            DispatchQueue.global().async(group: end) {
                let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended'"
                _ = try? server.run(sql)
            }
            let outcome = try store.write([group(number, expecting: version)]).first
            end.wait()
            guard case .written(let versions)? = outcome, let next = versions.first else {
                throw Failure("write \(number): \(String(describing: outcome))")
            }
            version = next
        }
        let page = try store.records(RecordRange(app: "app", after: 0, limit: 100))
        #expect(page.rows.map(\.name) == (1...40).map { "n\($0)" })
        #expect(try store.versions(of: [.lease("job")]) == [version])
    }

    @Test func `A write that was abandoned fails when it comes late`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let store = try server.openStore(uri)
        defer { store.close() }
        var connection = try PostgresConnection(PostgresAddress(uri))
        var written = WriteBatch()
        let abandoned = WriteBatch()
        // The server ends a transaction that stands still for a second.
        let isWritten = try eventually {
            let first = GroupWriting([group(1, expecting: 0)], batch: written.id)
            if (try? first.write(on: connection) { _ in false }) != nil { return true }
            (connection, written) = (try PostgresConnection(PostgresAddress(uri)), WriteBatch())
            return false
        }
        #expect(isWritten)
        #expect(try written.isCommitted(connection))
        #expect(try !abandoned.isCommitted(connection))
        let late = GroupWriting([group(2, expecting: 0)], batch: abandoned.id)
        #expect(throws: PostgresError.self) { try late.write(on: connection) { _ in false } }
        #expect(late.outcomes == nil)
        #expect(try store.records(RecordRange(app: "app", after: 0, limit: 10)).rows.map(\.name) == ["n1"])
    }
}
