import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import Logging
import PostgresStore
import PostgresSupport
import PostgresWire
import SQLiteStore
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// A move of all stored data from one store into another (docs/reference/http-api.md#move).
@Suite struct MoveTests {
    private typealias Dump = [StoreTable: [[TransferValue]]]

    /// The data of one snapshot, without the order of rows that have none, and without the values that are new in each
    /// database.
    private static func dump(_ location: any StoreLocation) throws -> Dump {
        let source = try location.openUnusedSource()
        var dump: Dump = [:]
        for table in StoreTable.allCases where table != .range {
            var rows: [[TransferValue]] = []
            try source.read(table) { rows += $0 }
            let isOrdered = [.telemetry, .audit, .reply, .webhook].contains(table)
            dump[table] = isOrdered ? rows : rows.sorted { "\($0)" < "\($1)" }
        }
        return dump
    }

    private static func move(_ source: any StoreLocation, to target: any StoreLocation) throws -> TransferReport {
        try target.receive(try source.openUnusedSource()) { _, _ in }
    }

    /// Writes every kind of row, with texts that are difficult for stores; records, event ids, files, webhooks, the
    /// audit.
    private static func fill(_ directory: String) throws -> [UInt8] {
        let opened = try SQLiteLocation(directory: directory).open(background: BackgroundQueue())
        defer { opened.store.close() }
        for sample in RowSample.allCases {
            try write(try sample.group(sample.value(1), expecting: 0, opened.store), to: opened.store)
        }
        let client = ClientReference(app: RowSample.app, id: "other")
        var group = WriteGroup([RowWrite(name: .client(client), expected: 0, value: .client(ClientState()))])
        group.eventIDs = [
            EventIDs(
                client: client,
                ids: ["6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "x\u{0}y", ""],
                at: RowSample.now)
        ]
        for number in 0..<5000 {
            let record = TelemetryRecord(
                at: RowSample.now, clientID: "c\(number)\u{0}", category: "messaging", name: "shown",
                extra: ["message_key": .string(RowSample.text)])
            group.records.append(.init(app: RowSample.app, record: record, receivedAt: RowSample.now))
        }
        try write(group, to: opened.store)
        _ = try opened.store.delete(.records(app: RowSample.app, through: 10, until: RowSample.now), limit: 100)
        let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        let origin = ChangeOrigin(author: "ann", at: RowSample.now)
        try opened.store.commitAudited { () throws(StoreError) in
            ((), WriteGroup([]), [AuditEntry(exportOf: "slug", in: RowSample.app, origin)])
        }
        _ = try TokenRegister(store: opened.store, clock: .system, logger: logger).issueFirst()
        return opened.secret
    }

    private static func write(_ group: WriteGroup, to store: any Store) throws {
        let outcome = try store.write([group]).first
        guard case .written? = outcome else { throw Failure("\(String(describing: outcome))") }
    }

    @Test func `What was moved into PostgreSQL and back is the same, row by row`() throws {
        let folder = try TemporaryDirectory()
        let secret = try Self.fill(folder.path + "/first")
        let first = SQLiteLocation(directory: folder.path + "/first")
        let database = try PostgresLocation(PostgresServer.shared.get().emptyDatabase())
        let second = SQLiteLocation(directory: folder.path + "/second")
        let report = try Self.move(first, to: database)
        #expect(report.rows[.telemetry] == 4990 && report.audit.sequence > 0)
        let back = try Self.move(database, to: second)
        #expect(back.audit == report.audit)
        let (before, between, after) = (try Self.dump(first), try Self.dump(database), try Self.dump(second))
        for table in StoreTable.allCases where table != .range {
            #expect(before[table] == between[table], "\(table) in PostgreSQL")
            #expect(before[table] == after[table], "\(table) in SQLite")
        }
        for location in [first, database, second] as [any StoreLocation] {
            #expect(try location.secret() == secret)
            #expect(try location.verifyAudit() == .success(report.audit))
        }
    }

    @Test func `Cursors go on after a move; what the old store gives out later is none of the new one's`() throws {
        let folder = try TemporaryDirectory()
        _ = try Self.fill(folder.path + "/first")
        let first = SQLiteLocation(directory: folder.path + "/first")
        let database = try PostgresLocation(PostgresServer.shared.get().emptyDatabase())
        let known = try #require(try first.openArchive().bounds(of: RowSample.app))
        _ = try Self.move(first, to: database)
        let append = { (location: any StoreLocation) in
            let store = try location.open(background: BackgroundQueue()).store
            defer { store.close() }
            var group = WriteGroup([
                RowWrite(
                    name: .lease("\(location)"), expected: 0, value: .lease(Lease(holder: "h", until: RowSample.now)))
            ])
            let record = TelemetryRecord(
                at: RowSample.now, clientID: "new", category: "c", name: "n", extra: [:])
            group.records = [.init(app: RowSample.app, record: record, receivedAt: RowSample.now)]
            try Self.write(group, to: store)
        }
        try append(first)
        try append(database)
        let page = { (location: any StoreLocation, cursor: TelemetryCursor) in
            try location.openArchive().readTelemetry(TelemetryQuery(app: RowSample.app, after: cursor, limit: 10))
        }
        let next = try page(database, known.newest)
        #expect(next.rows.map(\.clientID) == ["new"])
        let late = try #require(try first.openArchive().bounds(of: RowSample.app)).newest
        #expect(try page(database, late).fault != nil)
        #expect(try page(database, known.after).rows.count == 10)
    }

    @Test func `A row that is erased after a move never gets a version again that it had`() throws {
        let folder = try TemporaryDirectory()
        _ = try Self.fill(folder.path + "/first")
        let first = SQLiteLocation(directory: folder.path + "/first")
        let database = try PostgresLocation(PostgresServer.shared.get().emptyDatabase())
        let second = SQLiteLocation(directory: folder.path + "/second")
        _ = try Self.move(first, to: database)
        _ = try Self.move(database, to: second)
        for location in [database, second] as [any StoreLocation] {
            let store = try location.open(background: BackgroundQueue()).store
            defer { store.close() }
            let name = RowName.client(ClientReference(app: RowSample.app, id: "other"))
            let version = try #require(try store.versions(of: [name]).first)
            let fresh = RowName.client(ClientReference(app: RowSample.app, id: "fresh"))
            let outcome = try store.write([
                WriteGroup([RowWrite(name: fresh, expected: 0, value: .client(ClientState()))])
            ]).first
            guard case .written(let versions)? = outcome, let first = versions.first else {
                throw Failure("\(String(describing: outcome))")
            }
            #expect(first > version)
        }
    }

    @Test func `Only what is empty is moved to, and only what nobody uses is moved`() throws {
        let folder = try TemporaryDirectory()
        _ = try Self.fill(folder.path + "/first")
        let first = SQLiteLocation(directory: folder.path + "/first")
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let database = try PostgresLocation(uri)
        let sentence = { (source: any StoreLocation, target: any StoreLocation) in
            do {
                _ = try target.receive(try source.openSource()) { _, _ in }
                return "moved"
            } catch { return "\(error)" }
        }
        #expect(sentence(database, first).contains("the database is empty; there is nothing to move"))
        #expect(sentence(SQLiteLocation(directory: folder.path + "/none"), database).contains("there is no database"))
        let held = try first.open(background: BackgroundQueue())
        #expect(sentence(first, database).contains("is in use by another process"))
        held.store.close()
        #expect(sentence(first, database) == "moved")
        #expect(sentence(first, database).contains("the database has a store; only an empty one can be moved to"))
        let second = SQLiteLocation(directory: folder.path + "/second")
        let daemon = try database.open(background: BackgroundQueue())
        // A connection stays open after the read.
        _ = try daemon.store.loadCatalog()
        #expect(sentence(database, second).contains("daemons are connected"))
        daemon.store.close()
        let isMoved = eventually { sentence(database, second) == "moved" }
        #expect(isMoved)
        #expect(sentence(database, second).contains("is not empty"))
    }

    /// A source that fails at some table, like a lost connection or a killed process.
    private final class Failing: TransferSource {
        let source: any TransferSource
        let last: StoreTable

        init(_ source: any TransferSource, at last: StoreTable) { (self.source, self.last) = (source, last) }

        var header: TransferHeader { source.header }

        func read(_ table: StoreTable, _ body: (TransferRows) throws -> Void) throws {
            try source.read(table, body)
            if table == last { throw Failure("cut off") }
        }
    }

    @Test(arguments: [StoreTable.client, .telemetry, .audit])
    func `A move that does not come to its end leaves an empty target`(_ table: StoreTable) throws {
        let folder = try TemporaryDirectory()
        _ = try Self.fill(folder.path + "/first")
        let first = SQLiteLocation(directory: folder.path + "/first")
        let database = try PostgresLocation(PostgresServer.shared.get().emptyDatabase())
        let second = SQLiteLocation(directory: folder.path + "/second")
        for target in [database, second] as [any StoreLocation] {
            #expect(throws: StoreError.self) {
                try target.receive(Failing(try first.openSource(), at: table)) { _, _ in }
            }
            #expect(try Self.move(first, to: target).rows[.telemetry] == 4990)
        }
    }

    @Test func `Every table of both stores is moved, or is told not to be`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        try server.openStore(uri).close()
        let rows = try server.run("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()", at: uri)
        let names = [
            StoreTable.user: "app_user", .event: "event_id", .webhook: "outbox", .currentRun: "current_run",
            .runFile: "run_file", .range: "cursor_range",
        ]
        let moved = Set(StoreTable.allCases.map { names[$0] ?? $0.rawValue })
        let own: Set = ["bellwether", "batch", "head", "lineage", "log_lane"]
        #expect(Set(rows.map { $0.text(0) }) == moved.union(own))
    }
}
