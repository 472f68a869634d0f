import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// A standby that was promoted, and lacks data that the lost primary had shown
/// (docs/decisions/archive/0122-a-promoted-server-begins-new-numbers.md).
@Suite struct LineageTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let lease = RowName.lease("job")

    private func write(_ store: any Store, _ name: String, expecting version: UInt64) throws -> WriteOutcome? {
        let row = RowWrite(
            name: Self.lease, expected: version, value: .lease(Lease(holder: Identifier(name), until: Self.now)))
        var group = WriteGroup([row])
        let record = TelemetryRecord(at: Self.now, clientID: "c", category: "test", name: Identifier(name), extra: [:])
        group.records = [WriteGroup.LogRecord(app: "app", record: record, receivedAt: Self.now)]
        return try store.write([group]).first
    }

    private func version(_ outcome: WriteOutcome?) throws -> UInt64 {
        guard case .written(let versions)? = outcome, let version = versions.first else {
            throw Failure("not written: \(String(describing: outcome))")
        }
        return version
    }

    private func records(_ store: any Store, after cursor: Int64) throws -> [String] {
        try store.records(RecordRange(app: "app", after: cursor, limit: 100)).rows.map(\.name.text)
    }

    /// Stops the server and starts it again as a standby that is promoted, which begins a new timeline.
    private func promote(_ server: PostgresServer) throws {
        let directory = try server.run("SHOW data_directory")[0].text(0)
        try server.run("CHECKPOINT")
        server.crash()
        try Data().write(to: URL(fileURLWithPath: directory + "/standby.signal"))
        try server.restart()
        try server.run("SELECT pg_promote()")
    }

    @Test func `Numbers of a promoted server are behind all that the lost one may have given out`() throws {
        let server = try PostgresServer()
        let uri = try server.emptySchema()
        let stores = try (0..<2).map { _ in try server.openStore(uri) }
        defer { for store in stores { store.close() } }
        let first = try version(write(stores[0], "a", expecting: 0))
        #expect(try stores[1].versions(of: [Self.lease]) == [first])
        let heads = try #require(stores[0].shared).patientHeads()

        try promote(server)
        // The lost primary wrote one more version, which this process would have cached, and some records.
        let lost = first + 1
        let isAnswered = eventually { (try? stores[0].versions(of: [Self.lease])) != nil }
        #expect(isAnswered)
        let present = try stores[1].versions(of: [Self.lease])[0]
        #expect(present != first && present > lost)
        #expect(try write(stores[0], "stale", expecting: lost) == .conflict([Self.lease]))
        #expect(try write(stores[0], "stale", expecting: first) == .conflict([Self.lease]))
        _ = try version(write(stores[0], "b", expecting: present))
        #expect(try records(stores[1], after: heads.newestRecord + 1000) == ["b"])
        #expect(try records(stores[1], after: 0) == ["a", "b"])
        let after = try #require(stores[1].shared).patientHeads()
        #expect(after.newestRecord >= heads.newestRecord + 1 << 32)
        #expect(after.catalog.revision > heads.catalog.revision + 1000)

        // This happens only once: a store that opens later finds the server's current state.
        let third = try server.openStore(uri)
        defer { third.close() }
        #expect(try third.versions(of: [Self.lease]) == stores[0].versions(of: [Self.lease]))
        #expect(try #require(third.shared).patientHeads().newestRecord == after.newestRecord)
    }

    @Test func `A server that was only restarted goes on with its numbers`() throws {
        let server = try PostgresServer()
        let store = try server.openStore(server.emptySchema())
        defer { store.close() }
        let first = try version(write(store, "a", expecting: 0))
        server.crash()
        try server.restart()
        let second = try version(write(store, "b", expecting: first))
        #expect(second == first + 1)
        // A sequence may skip the numbers that it had prepared.
        #expect(try #require(store.shared).patientHeads().newestRecord < 100)
    }
}
