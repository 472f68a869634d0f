import BellwetherBase
import BellwetherJSON
import BellwetherService
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

@testable import PostgresStore

/// Tables that change between two versions of the program (docs/reference/http-api.md#the-schema), with a made-up
/// second and third version.
@Suite struct MigrationTests {
    private static let first = SchemaHistory(steps: Array(SchemaHistory.current.steps.prefix(1)))
    /// A version that adds a table that it needs, and drops an index.
    private static let second = SchemaHistory(
        steps: first.steps + [
            SchemaStep(
                version: 2, title: "hints", expansion: ["CREATE TABLE hint (name text PRIMARY KEY)"],
                contraction: ["DROP INDEX batch_at"])
        ])
    /// A version that adds an index that it does not need.
    private static let third = SchemaHistory(
        steps: second.steps + [
            SchemaStep(
                version: 3, title: "an index", expansion: ["CREATE INDEX run_status ON run (status)"], isNeeded: false)
        ])

    private static func location(
        _ uri: String, _ history: SchemaHistory
    ) throws(StoreError) -> PostgresLocation {
        try PostgresLocation(uri, history: history)
    }

    /// The warnings of a daemon, or the reason why it did not start.
    private static func start(_ uri: String, _ history: SchemaHistory) throws -> [String] {
        do throws(StoreError) {
            let opened = try location(uri, history).open(background: BackgroundQueue())
            opened.store.close()
            return opened.warnings
        } catch .unusable(let sentence) {
            return ["stopped: " + sentence.split(separator: ": ").dropFirst().joined(separator: ": ")]
        }
    }

    private static func phases(_ report: MigrationReport) -> [String] {
        report.steps.map { "\($0.version) \($0.phase.rawValue)" }
    }

    private static func has(_ name: String, _ uri: String) throws -> Bool {
        try PostgresServer.shared.get().run("SELECT to_regclass('\(name)') IS NOT NULL", at: uri)[0].integer(0) != 0
    }

    @Test func `A schema expands while daemons of the version before serve, and contracts behind them`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        #expect(try Self.start(uri, Self.first) == [])
        #expect(
            try Self.start(uri, Self.second) == ["stopped: the database has schema 1; bellwether migrate makes it 2"])

        let plan = try Self.location(uri, Self.second).migrate(.plan)
        #expect(Self.phases(plan) == ["2 expand", "2 contract"] && (plan.before, plan.after) == (1, 1))
        #expect(plan.steps.flatMap(\.statements) == Self.second.steps[1].expansion + Self.second.steps[1].contraction)
        #expect(try !Self.has("hint", uri))

        let old = try Self.location(uri, Self.first).open(background: BackgroundQueue())
        #expect(try Self.phases(Self.location(uri, Self.second).migrate(.expand)) == ["2 expand"])
        #expect(try Self.has("hint", uri) && Self.has("batch_at", uri))
        #expect(try old.store.write([Self.group]).count == 1)
        #expect(try Self.start(uri, Self.second) == [])
        #expect(
            try Self.start(uri, Self.first) == [
                "the database has schema 2, and this program knows 1: it should be replaced soon"
            ])

        let contract = { try Self.location(uri, Self.second).migrate(.contract) }
        #expect {
            try contract()
        } throws: {
            "\($0)".contains("a daemon that knows schema 1 only is still connected")
        }
        #expect(try Self.has("batch_at", uri))
        old.store.close()
        let isDone = eventually { (try? contract()).map(Self.phases) == ["2 contract"] }
        #expect(isDone)
        #expect(try !Self.has("batch_at", uri))
        #expect(try Self.phases(contract()) == [])
        #expect(
            try Self.start(uri, Self.first) == [
                "stopped: the database has schema 2, which this program is too old for; it knows 1"
            ])
    }

    private static var group: WriteGroup {
        let lease = Lease(holder: "h", until: .init(seconds: 1))
        return WriteGroup([RowWrite(name: .lease("job"), expected: 0, value: .lease(lease))])
    }

    @Test func `A daemon serves an older schema that lacks nothing that it needs`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        #expect(try Self.start(uri, Self.second) == [])
        #expect(try !Self.has("batch_at", uri))
        #expect(try Self.start(uri, Self.third) == ["the database has schema 2; bellwether migrate makes it 3"])
        let report = try Self.location(uri, Self.third).migrate(.expand)
        #expect(Self.phases(report) == ["3 expand"] && (report.before, report.after) == (2, 3))
        #expect(throws: StoreError.self) { try Self.location(uri, Self.second).migrate(.expand) }
    }

    @Test func `A webhook that an earlier version has stored has no trace`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let earlier = SchemaHistory(steps: SchemaHistory.current.steps.filter { $0.version < 3 })
        #expect(try Self.start(uri, earlier) == [])
        try PostgresServer.shared.get().run(
            """
            INSERT INTO outbox (id, version, app, url, host, body, created_at, next_attempt)
            VALUES ('w', 1, 'a', 'https://x/', 'x:443', '{}', 1000, 1000)
            """, at: uri)
        #expect(try Self.start(uri, .current)[0].hasPrefix("stopped: the database has schema 2"))
        #expect(try Self.phases(Self.location(uri, .current).migrate(.expand)).first == "3 expand")
        let opened = try Self.location(uri, .current).open(background: BackgroundQueue())
        defer { opened.store.close() }
        let rows = try opened.store.readOutbox(OutboxQuery(app: "a", limit: 9))
        #expect(rows.map(\.id) == ["w"] && rows[0].trace == nil)
        // A daemon of the earlier version goes on working meanwhile.
        #expect(try Self.start(uri, earlier).count == 1)
    }

    @Test func `Of commands that run at once each step is done by one`() async throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        #expect(try Self.start(uri, Self.first) == [])
        let done = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask { Self.phases(try Self.location(uri, Self.third).migrate(.expand)) }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(done.sorted() == ["2 expand", "3 expand"])
    }

    @Test func `A step that fails leaves the schema as it was`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        #expect(try Self.start(uri, Self.first) == [])
        let broken = SchemaHistory(
            steps: Self.first.steps + [
                SchemaStep(version: 2, title: "broken", expansion: ["CREATE TABLE hint (a int8)", "CREATE NONSENSE"])
            ])
        #expect(throws: StoreError.self) { try Self.location(uri, broken).migrate(.expand) }
        #expect(try !Self.has("hint", uri))
        #expect(try Self.start(uri, Self.first) == [])
    }

    @Test func `A step that the data contradict is tried once, and reported as the server reports it`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        #expect(try Self.start(uri, Self.first) == [])
        let unique = SchemaHistory(
            steps: Self.first.steps + [
                SchemaStep(
                    version: 2, title: "unique",
                    expansion: [
                        "CREATE TABLE hint (a int8)", "INSERT INTO hint VALUES (1), (1)",
                        "CREATE UNIQUE INDEX hint_a ON hint (a)",
                    ])
            ])
        #expect {
            try Self.location(uri, unique).migrate(.expand)
        } throws: {
            "\($0)".contains("could not create unique index")
        }
        #expect(try !Self.has("hint", uri))
    }

    @Test func `An empty database is told that the first daemon makes its tables`() throws {
        let location = try Self.location(PostgresServer.shared.get().emptySchema(), Self.first)
        #expect {
            try location.migrate(.expand)
        } throws: {
            "\($0)".contains("the database is empty; the first daemon that starts makes its schema")
        }
    }
}
