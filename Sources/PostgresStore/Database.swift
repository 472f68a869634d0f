internal import BellwetherService
internal import PostgresWire

/// The durability of a commit, as the operator requires it.
public enum StoreDurability: String, Sendable, CaseIterable {
    /// The commit is on the disk of the primary.
    case local
    /// The commit is also on the disk of a synchronous standby.
    case replicated
}

extension StoreDurability {
    /// Reads the server's settings on which durability depends. They can change while the server runs.
    var question: PostgresStatement {
        PostgresStatement(
            """
            SELECT current_setting('fsync'), current_setting('synchronous_commit'),
                current_setting('synchronous_standby_names')
            """)
    }

    /// The reason why an acknowledged commit could be lost; nil if it could not.
    func fault(_ settings: PostgresRow) -> String? {
        let (fsync, commit, standbys) = (settings.text(0), settings.text(1), settings.text(2))
        if fsync == "off" { return "PostgreSQL runs with fsync = off, so a commit can be lost" }
        if ["off", "local"].contains(commit) {
            return "PostgreSQL runs with synchronous_commit = \(commit), so a commit can be lost"
        }
        guard self == .replicated else { return nil }
        if standbys.isEmpty { return "store.durability is replicated, and PostgreSQL has no synchronous_standby_names" }
        guard commit == "remote_write" else { return nil }
        return """
            store.durability is replicated, and PostgreSQL runs with synchronous_commit = remote_write, so a commit \
            need not be on the standby's disk
            """
    }
}

/// Opens a database. Each new connection checks the server; the schema is checked once.
struct Database {
    /// The identity of an installation, made with the schema.
    struct Installation {
        let secret: [UInt8]
        let warning: String?
    }

    private static let seconds = 5.0
    /// The name of the connection contains the schema version of the program (`SchemaMigrating`).
    private var defaults: [String: String] {
        [
            "target_session_attrs": "read-write", "application_name": "bellwether/\(history.version)",
            "tcp_user_timeout": "5000", "keepalives_idle": "5",
        ]
    }

    /// The oldest server that supports the statements; version 15 is tested.
    private static let oldestServer: Int64 = 13

    let address: PostgresAddress
    let durability: StoreDurability
    var history = SchemaHistory.current

    func connect() throws -> PostgresConnection {
        let connection = try open()
        try check(connection)
        return connection
    }

    private func open() throws(StoreError) -> PostgresConnection {
        do throws(PostgresError) {
            return try PostgresConnection(address, defaults: defaults)
        } catch {
            throw .unavailable(ConnectFailure.sentence(error.message))
        }
    }

    /// Checks the server, and whether an acknowledged commit survives the loss of its machine.
    private func check(_ connection: PostgresConnection) throws {
        let row = try connection.run([Self.facts, durability.question] + Self.keepalives, seconds: Self.seconds)
        let (facts, settings) = (row[0][0], row[1][0])
        let server = (Int64(facts.text(0)) ?? 0) / 10_000
        if server < Self.oldestServer {
            throw StoreError.unusable(
                "PostgreSQL \(server) is too old; it has to be \(Self.oldestServer) or newer")
        }
        if let fault = durability.fault(settings) { throw StoreError.unusable(fault) }
        let encoding = facts.text(1)
        if encoding != "UTF8" { throw StoreError.unusable("the database's encoding is \(encoding); it has to be UTF8") }
        if facts.integer(2) != 0 { throw StoreError.unusable("the user has no schema in the database (search_path)") }
        if durability == .replicated { _ = try connection.run([Self.barrier], seconds: Self.seconds) }
    }

    private static let facts = PostgresStatement(
        """
        SELECT current_setting('server_version_num'), current_setting('server_encoding'), current_schema() IS NULL
        """)

    /// With these settings the server detects within seconds that a client's machine is gone, and releases its row
    /// locks.
    private static let keepalives = ["idle": 5, "interval": 2, "count": 3].map { name, value in
        PostgresStatement("SELECT set_config('tcp_keepalives_\(name)', '\(value)', false)")
    }

    /// A transaction that only waits. It ends when the standby has everything that this connection can see. This
    /// includes commits whose wait for the standby was interrupted, for example by the crash of a server process.
    private static let barrier = PostgresStatement("SELECT pg_logical_emit_message(true, 'bellwether', '') IS NULL")

    /// Reads the installation; creates the schema if the database is empty. Several daemons may do this at once.
    func settle(_ connection: PostgresConnection) throws -> Installation {
        if let installation = try installation(connection) { return installation }
        do {
            try make(connection)
        } catch let error as PostgresError where error.isOfRights {
            throw StoreError.unusable("the user may not make tables in the database; make it the database's owner")
        } catch let error as PostgresError where error.isOfExistence {
            // Another daemon has just created the schema.
        }
        guard let installation = try installation(connection) else {
            throw StoreError.unavailable("the database's schema was not made")
        }
        return installation
    }

    /// The installation; nil if the database is empty.
    func installation(_ connection: PostgresConnection) throws -> Installation? {
        guard try isMade(connection) else { return nil }
        let row = PostgresStatement("SELECT version, minimum, secret FROM bellwether")
        let rows = try connection.run([row], seconds: Self.seconds)[0]
        guard rows.count == 1 else { throw Self.foreign }
        let state = SchemaState(version: rows[0].integer(0), minimum: rows[0].integer(1))
        do throws(SchemaRefusal) {
            return Installation(secret: rows[0].bytes(2), warning: try history.check(state))
        } catch {
            throw StoreError.unusable(error.sentence)
        }
    }

    /// Whether the database has this program's tables, of any version; false if the database is empty.
    func isMade(_ connection: PostgresConnection) throws -> Bool {
        let tables = PostgresStatement(
            """
            SELECT to_regclass('bellwether') IS NOT NULL, (SELECT count(*) FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))
            """)
        let found = try connection.run([tables], seconds: Self.seconds)[0][0]
        guard found.integer(0) != 0 else {
            guard found.integer(1) == 0 else { throw Self.foreign }
            return false
        }
        let columns = PostgresStatement(
            """
            SELECT count(*) FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('bellwether')
                AND attname IN ('version', 'minimum', 'secret')
            """)
        guard try connection.run([columns], seconds: Self.seconds)[0][0].integer(0) == 3 else { throw Self.foreign }
        return true
    }

    private static let foreign = StoreError.unusable(
        "the database has tables of another program; bellwether needs a database, or a schema, of its own")

    private func make(_ connection: PostgresConnection) throws {
        let identity = Self.newIdentity()
        let statements =
            [PostgresStatement("BEGIN")] + creation(secret: Self.newSecret(), identity: identity)
            + [Self.range(of: identity, after: 0), PostgresStatement("COMMIT")]
        _ = try connection.run(statements, seconds: 30)
    }

    private static func newSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Refuses a database that daemons use. The server takes a moment to end the connections of a stopped daemon.
    func checkNoDaemons(_ connection: PostgresConnection) throws {
        let statement = PostgresStatement(
            """
            SELECT count(*), pg_sleep(0.1) IS NULL FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'bellwether/%'
            """)
        var count: Int64 = 0
        for _ in 0..<20 {
            count = try connection.run([statement], seconds: 30)[0][0].integer(0)
            if count == 0 { return }
        }
        throw StoreError.unusable(
            "\(address.text): daemons are connected (\(count) connections named bellwether/…); stop them first")
    }

    /// The statements that create the tables and the single row of table `bellwether`.
    func creation(secret: [UInt8], identity: Int64) -> [PostgresStatement] {
        history.statements.map { PostgresStatement($0) } + [
            .numbering(
                "INSERT INTO bellwether (version, minimum, identity, secret) VALUES (?, ?, ?, ?)",
                .integer(history.version), .integer(history.minimum), .integer(identity), .bytes(secret))
        ]
    }

    static func newIdentity() -> Int64 {
        var generator = SystemRandomNumberGenerator()
        return Int64(Int32.random(in: 1...Int32.max, using: &generator))
    }

    /// Begins a range: the later numbers of the log belong to this database.
    static func range(of identity: Int64, after newest: Int64) -> PostgresStatement {
        .numbering("INSERT INTO cursor_range (start, database) VALUES (?, ?)", .integer(newest), .integer(identity))
    }
}

/// The reason why no connection could be made, as one sentence.
enum ConnectFailure {
    /// - Parameter message: the message of libpq.
    static func sentence(_ message: String) -> String {
        for (part, sentence) in sentences where message.contains(part) { return sentence }
        return "PostgreSQL cannot be reached: \(message)"
    }

    private static let sentences = [
        (
            "password authentication failed",
            "PostgreSQL refuses the user's password: see store.url and the password file"
        ),
        (
            "no password supplied",
            "PostgreSQL wants a password: put it into a password file (passfile=FILE in store.url)"
        ),
        ("session is read-only", "PostgreSQL takes no writes: none of the hosts of store.url is a primary"),
        ("server is in hot standby mode", "PostgreSQL takes no writes: none of the hosts of store.url is a primary"),
        ("certificate verify failed", "PostgreSQL's certificate is not trusted: see sslrootcert in store.url"),
    ]
}
