import BellwetherBase
import BellwetherJSON
import BellwetherService
import PostgresSupport
import TestSupport
import Testing

/// Transactions that the server aborts because of a conflict are repeated.
@Suite struct RetryTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private func write(_ store: any Store) throws -> WriteOutcome? {
        let lease = Lease(holder: "h", until: Self.now)
        return try store.write([WriteGroup([RowWrite(name: .lease("job"), expected: 0, value: .lease(lease))])]).first
    }

    /// A store whose first transactions fail, as with a conflict that the database detects late.
    private func store(failing count: Int, _ state: String) throws -> any Store {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let store = try server.openStore(uri)
        try server.run("CREATE SEQUENCE tries", at: uri)
        try server.run(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') <= \(count) THEN RAISE EXCEPTION USING ERRCODE = '\(state)'; END IF;
                RETURN NEW;
            END $$
            """, at: uri)
        try server.run(
            "CREATE TRIGGER fail BEFORE INSERT ON small FOR EACH ROW EXECUTE FUNCTION fail()", at: uri)
        return store
    }

    @Test(arguments: ["40001", "40P01"])
    func `A write that another transaction was in the way of is made again`(_ state: String) throws {
        let store = try store(failing: 3, state)
        defer { store.close() }
        guard case .written? = try write(store) else { return #expect(Bool(false), "not written") }
        #expect(try store.versions(of: [.lease("job")])[0] > 0)
    }

    @Test func `A write that never goes well is given up and nothing of it is there`() throws {
        let store = try store(failing: 1000, "40001")
        defer { store.close() }
        #expect(throws: StoreError.self) { try write(store) }
        #expect(try store.versions(of: [.lease("job")]) == [0])
    }
}
