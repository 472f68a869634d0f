import BellwetherBase
import BellwetherCore
import BellwetherService
import Foundation
import PostgresStore
import PostgresSupport
import SQLiteStore
import TestSupport
import Testing

/// A data directory of an earlier program is opened, and clients get the responses that the earlier program would have
/// sent. Each change of the stored format and each release adds a directory (`make golden GOLDEN=directory`); existing
/// ones are never changed. From 0.1.0 on (`0009`) a directory also has a dump of the same data in PostgreSQL.
@Suite struct GoldenDirectoryTests {
    private static let folder = Recording.folder + "/directories"
    private static let database = "bellwether.sqlite"
    private static let dump = "postgresql.sql"

    @Test func `Recorded data directories are opened and get the recorded answers`() throws {
        if Recording.current == .directory { try recordDirectory() }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
        #expect(!names.isEmpty)
        for name in names {
            let file = "\(Self.folder)/\(name)/exchanges.gz"
            if Recording.current == .answers { try withDaemon(on: name) { try Recording.renew(file, from: $0) } }
            let differences = try withDaemon(on: name) {
                try GoldenSession($0).differences(from: try Recording.exchanges(in: file))
            }
            if let differences { Issue.record("directory \(name): \(differences)") }
        }
    }

    /// Uses `bellwether move`. Requests are sent to the oldest and the newest directory; the rows of all are compared.
    @Test func `Recorded data directories answer the same after a move into PostgreSQL, and back`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
        for name in names {
            let folder = try TemporaryDirectory()
            let file = "first/\(Self.database)"
            try folder.write(try GoldenFile.read("\(Self.folder)/\(name)/\(Self.database).gz"), to: file)
            let first = SQLiteLocation(directory: folder.path + "/first")
            let database = try PostgresLocation(PostgresServer.shared.get().emptyDatabase())
            let second = SQLiteLocation(directory: folder.path + "/second")
            let report = try database.receive(try first.openSource()) { _, _ in }
            #expect(try second.receive(try database.openUnusedSource()) { _, _ in }.audit == report.audit)
            #expect(try rows(of: database) == rows(of: first), "directory \(name)")
            #expect(try rows(of: second) == rows(of: first), "directory \(name)")
            #expect(try database.verifyAudit() == .success(report.audit))
            guard name == names.first || name == names.last else { continue }
            let exchanges = try Recording.exchanges(in: "\(Self.folder)/\(name)/exchanges.gz")
            for location in [database, second] as [any StoreLocation] {
                let daemon = GoldenDaemon { try location.open(background: BackgroundQueue()).store }
                defer { daemon.stop() }
                if let differences = try GoldenSession(daemon).differences(from: exchanges) {
                    Issue.record("directory \(name), \(location): \(differences)")
                }
            }
        }
    }

    /// A dump has the tables of the version that made it.
    @Test func `Recorded databases of PostgreSQL are migrated, opened and get the recorded answers`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
        let dumped = names.filter { FileManager.default.fileExists(atPath: "\(Self.folder)/\($0)/\(Self.dump).gz") }
        #expect(!dumped.isEmpty)
        for name in dumped {
            let folder = try TemporaryDirectory()
            let file = try folder.write(try GoldenFile.read("\(Self.folder)/\(name)/\(Self.dump).gz"), to: Self.dump)
            let uri = try PostgresServer.shared.get().emptyDatabase()
            let restored = try Command.run([
                "\(PostgresServer.programs)/psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1",
                "--output=\(file).out",
                "--file=\(file)", uri,
            ])
            #expect(restored.status == 0, "directory \(name): \(restored.errors)")
            let database = try PostgresLocation(uri)
            _ = try database.migrate(.expand)
            _ = try database.migrate(.contract)
            let daemon = GoldenDaemon { try database.open(background: BackgroundQueue()).store }
            defer { daemon.stop() }
            let exchanges = try Recording.exchanges(in: "\(Self.folder)/\(name)/exchanges.gz")
            if let differences = try GoldenSession(daemon).differences(from: exchanges) {
                Issue.record("directory \(name): \(differences)")
            }
        }
    }

    /// Writes the data of a directory as a dump of PostgreSQL.
    private func recordDump(of name: String, _ directory: String) throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        _ = try PostgresLocation(uri).receive(try SQLiteLocation(directory: directory).openSource()) { _, _ in }
        let dump = try Command.run([
            "\(PostgresServer.programs)/pg_dump", "--no-owner", "--no-privileges", "--no-publications", uri,
        ])
        guard dump.status == 0 else { throw Failure("pg_dump: \(dump.errors)") }
        try GoldenFile.write(Array(dump.output.utf8), to: "\(Self.folder)/\(name)/\(Self.dump).gz")
    }

    /// All rows, without the values that are new in each database.
    private func rows(of location: any StoreLocation) throws -> [StoreTable: Set<[TransferValue]>] {
        let source = try location.openUnusedSource()
        var rows: [StoreTable: Set<[TransferValue]>] = [:]
        for table in StoreTable.allCases where table != .range {
            try source.read(table) { rows[table, default: []].formUnion($0) }
        }
        return rows
    }

    /// A daemon on a copy of a recorded directory.
    private func withDaemon<Result>(on name: String, _ body: (GoldenDaemon) throws -> Result) throws -> Result {
        let directory = try TemporaryDirectory()
        try directory.write(try GoldenFile.read("\(Self.folder)/\(name)/\(Self.database).gz"), to: Self.database)
        let daemon = GoldenDaemon(directory: directory.path)
        defer { daemon.stop() }
        return try body(daemon)
    }

    /// Records a directory. Directories are numbered: 0001, 0002, …
    private func recordDirectory() throws {
        let count = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder).count) ?? 0
        let number = String(count + 1)
        let name = String(repeating: "0", count: max(0, 4 - number.count)) + number
        let directory = try TemporaryDirectory()
        let first = GoldenDaemon(directory: directory.path)
        let start = try #require(Timestamp(rfc3339: "2026-03-10T12:00:00Z"))
        let recorder = try GoldenRecorder(GoldenSession(first), seed: 1 + UInt64(count), clients: 60, at: start)
        try recorder.run(polls: 700, restarts: 0)
        let respondents = GoldenRespondents(GoldenSession(first), at: recorder.time)
        try respondents.prepare()
        first.stop()
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(Self.database)")))
        try GoldenFile.write(bytes, to: "\(Self.folder)/\(name)/\(Self.database).gz")
        try recordDump(of: name, directory.path)
        try withDaemon(on: name) { daemon in
            let session = GoldenSession(daemon)
            respondents.move(to: session)
            try respondents.ask()
            recorder.move(to: session)
            try recorder.run(polls: 1400, restarts: 0)
            try Recording.write(session.exchanges, to: "\(Self.folder)/\(name)/exchanges.gz")
        }
    }
}
