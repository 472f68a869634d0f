import BellwetherBase
import BellwetherJSON
import BellwetherService
import SQLiteWire
import Surveys
import TestSupport
import Testing

@testable import SQLiteStore

/// Files are deleted from the database with the runs that refer to them (docs/reference/flows.md#files).
@Suite struct FileRetentionTests {
    private static let now = StoreUnderTest.now

    private static func run(_ id: String, _ file: FlowFile, deleted: Bool) throws -> Run {
        var json: JSONObject = [
            "id": .string(id), "slug": "tour", "kind": "flow", "revision": 1, "status": "draft", "answers": [:],
            "created_at": .integer(now.milliseconds), "updated_at": .integer(now.milliseconds),
        ]
        json["flow"] = [
            "path": ["a"], "visits": 1, "started_at": .integer(now.milliseconds), "files": [file.reference.json],
        ]
        if deleted { json["deleted_at"] = .integer(now.milliseconds) }
        return try #require(Run(json))
    }

    private func count(_ table: String, _ test: StoreUnderTest) throws -> Int64? {
        try test.store.database.read { try $0.integer("SELECT count(*) FROM \(table)") }
    }

    @Test func aRestoredBackupHasTheFiles() throws {
        let test = try StoreUnderTest()
        let file = FlowFile(type: "image/png", content: [1, 2, 3])
        let run = try Self.run("1", file, deleted: false)
        var group = WriteGroup()
        let name = RowName.run(RunReference(app: StoreUnderTest.app, id: run.id))
        group.rows = [RowWrite(name: name, expected: 0, value: .run(run))]
        group.files = [FileWrite(file, of: StoreUnderTest.app)]
        _ = try test.store.write([group])
        let (backup, directory) = (try TemporaryDirectory(), try TemporaryDirectory())
        _ = try DatabaseBackup(of: test.directory.path).write(to: backup.path) { _ in }
        _ = try Restoration(of: backup.path, to: directory.path).run(now: Self.now) { _ in
        } complete: {
        }
        let restored = try StoreUnderTest(directory)
        let stored = try restored.store.readFile(
            FileName(app: StoreUnderTest.app, sha256: file.reference.sha256))
        #expect(stored == StoredFile(type: "image/png", content: [1, 2, 3]))
    }

    /// The files have more bytes than one slice may delete.
    @Test func purgedRunsTakeTheirFiles() async throws {
        let test = try StoreUnderTest()
        var group = WriteGroup()
        for number in 0..<40 {
            let content = Array(repeating: UInt8(number), count: 512 << 10)
            let file = FlowFile(type: "image/png", content: content)
            let run = try Self.run("\(number)", file, deleted: number > 0)
            let name = RowName.run(RunReference(app: StoreUnderTest.app, id: run.id))
            group.rows.append(RowWrite(name: name, expected: 0, value: .run(run)))
            group.files.append(FileWrite(file, of: StoreUnderTest.app))
        }
        guard case .written? = try test.store.write([group]).first else { throw Failure("not written") }
        #expect(try count("file", test) == 40 && count("run_file", test) == 40)
        var policy = RetentionPolicy(telemetrySeconds: 1_000_000, eventIDSeconds: 1_000_000)
        policy.deletedRunSeconds = 60
        await test.enforceRetention(policy, now: Self.now.adding(seconds: 30))
        #expect(try count("file", test) == 40)
        let isMore = try test.store.deleteExpired(policy, now: Self.now.adding(seconds: 90))
        #expect(isMore, "the slice ended early")
        #expect(try count("run", test) == 8)
        await test.enforceRetention(policy, now: Self.now.adding(seconds: 90))
        #expect(try count("run", test) == 1 && count("file", test) == 1 && count("run_file", test) == 1)
    }
}
