import BellwetherBase
import BellwetherJSON
import BellwetherService
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

@testable import PostgresStore

/// The error texts for databases that cannot be used.
@Suite struct OpeningTests {
    private func sentence(_ uri: String, _ durability: StoreDurability = .local) throws -> String {
        do throws(StoreError) {
            let store = try PostgresLocation(uri, durability: durability).open(background: BackgroundQueue()).store
            store.close()
            return "opened"
        } catch .unusable(let sentence) {
            return sentence
        } catch {
            return "\(error)"
        }
    }

    @Test func `Daemons that open an empty database at once make one schema`() async throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let opened = try PostgresLocation(uri).open(background: BackgroundQueue())
                    defer { opened.store.close() }
                    return opened.secret
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        #expect(secrets.first?.count == 32)
        #expect(try secrets == [PostgresLocation(uri).secret()])
    }

    @Test func `A schema of another program is not touched`() throws {
        let server = try PostgresServer.shared.get()
        let foreign = "the database has tables of another program; bellwether needs a database, or a schema, of its own"
        for table in ["client (a int8)", "bellwether (a int8)"] {
            let uri = try server.emptySchema()
            try server.run("CREATE TABLE \(table)", at: uri)
            #expect(try sentence(uri).hasSuffix(foreign))
            #expect(
                try server.run("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", at: uri)[0]
                    .integer(0) == 1)
        }
    }

    @Test func `A schema that is older or newer says so, and one that was only expanded is used`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        #expect(try sentence(uri) == "opened")
        let known = SchemaHistory.current.version
        let newer = "the database has schema \(known + 2)"
        try server.run("UPDATE bellwether SET version = 0", at: uri)
        #expect(try sentence(uri).hasSuffix("the database has schema 0; bellwether migrate makes it \(known)"))
        try server.run("UPDATE bellwether SET version = \(known + 2), minimum = \(known + 1)", at: uri)
        #expect(try sentence(uri).hasSuffix("\(newer), which this program is too old for; it knows \(known)"))
        try server.run("UPDATE bellwether SET version = \(known + 2), minimum = 1", at: uri)
        let opened = try PostgresLocation(uri).open(background: BackgroundQueue())
        opened.store.close()
        #expect(opened.warnings == ["\(newer), and this program knows \(known): it should be replaced soon"])
    }

    @Test func `A server that could lose commits is refused`() throws {
        let server = try PostgresServer(["fsync=off"])
        #expect(try sentence(server.uri()).hasSuffix("PostgreSQL runs with fsync = off, so a commit can be lost"))
        let shared = try PostgresServer.shared.get()
        for value in ["off", "local"] {
            let uri = shared.uri("&options=-csynchronous_commit%3D\(value)")
            #expect(
                try sentence(uri).hasSuffix(
                    "PostgreSQL runs with synchronous_commit = \(value), so a commit can be lost"))
        }
        #expect(
            try sentence(shared.emptySchema(), .replicated).hasSuffix(
                "store.durability is replicated, and PostgreSQL has no synchronous_standby_names"))
    }

    @Test func `A server that loses its durability while it runs gets no writes`() throws {
        let server = try PostgresServer()
        let store = try server.openStore(server.emptySchema())
        defer { store.close() }
        let lease = { (holder: String, version: UInt64) in
            let value = RowValue.lease(Lease(holder: Identifier(holder), until: Timestamp(seconds: 1)))
            return WriteGroup([RowWrite(name: .lease("job"), expected: version, value: value)])
        }
        let first = try store.write([lease("a", 0)]).first
        guard case .written(let versions)? = first else {
            throw Failure("not written")
        }
        func set(_ change: String) throws {
            try server.run("ALTER SYSTEM \(change)")
            try server.run("SELECT pg_reload_conf()")
        }
        try set("SET synchronous_commit = off")
        let told = "PostgreSQL runs with synchronous_commit = off, so a commit can be lost"
        let isRefused = eventually {
            do throws(StoreError) {
                _ = try store.write([lease("b", 7)])
                return false
            } catch {
                return error == .unavailable(told)
            }
        }
        #expect(isRefused && store.health == .failing(told))
        try set("RESET synchronous_commit")
        let isWell = eventually { store.health == .healthy }
        #expect(isWell)
        let last = try store.write([lease("c", versions[0])]).first
        guard case .written? = last else { throw Failure("not written") }
    }

    @Test func `What is wrong with a connection is one sentence without the password`() throws {
        let server = try PostgresServer.shared.get()
        #expect(throws: StoreError.self) { try PostgresLocation("postgresql://ann:geheim@db/?nonsense=1") }
        let readOnly = server.uri("&options=-cdefault_transaction_read_only%3Don")
        #expect(
            try sentence(readOnly).hasSuffix(
                "PostgreSQL takes no writes: none of the hosts of store.url is a primary"))
        #expect(try sentence(server.uri(database: "none")).contains("database \"none\" does not exist"))
        let away = "postgresql://ann:geheim@/bw?host=/nonexistent"
        #expect(try sentence(away).contains("PostgreSQL cannot be reached"))
        #expect(try !sentence(away).contains("geheim"))
    }
}
