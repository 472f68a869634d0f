public import BellwetherBase
internal import BellwetherJSON
public import BellwetherService
internal import PostgresWire
internal import StoreTables

/// A PostgreSQL database at a URI.
public struct PostgresLocation: StoreLocation {
    /// The schema version of this program.
    public static let schema = SchemaHistory.current.version

    let database: Database

    /// Fails with a sentence that does not repeat the URI.
    public init(_ uri: String, durability: StoreDurability = .local) throws(StoreError) {
        try self.init(uri, durability: durability, history: .current)
    }

    init(_ uri: String, durability: StoreDurability = .local, history: SchemaHistory) throws(StoreError) {
        do throws(PostgresError) {
            database = Database(address: try PostgresAddress(uri), durability: durability, history: history)
        } catch {
            throw .unusable(error.message)
        }
    }

    public var description: String { database.address.text }
    public var isShared: Bool { true }

    public func open(background: BackgroundQueue) throws(StoreError) -> OpenedStore {
        let store: PostgresStore
        do throws(StoreError) {
            store = try PostgresStore(database)
        } catch .unavailable(let reason) {
            throw .unusable("\(self): \(reason)")
        } catch .unusable(let reason) {
            throw .unusable("\(self): \(reason)")
        }
        let warnings = [store.installation.warning].compactMap(\.self)
        return OpenedStore(store: store, secret: store.installation.secret, warnings: warnings)
    }

    public func secret() throws(StoreError) -> [UInt8] {
        try reading { connection in
            guard let installation = try database.installation(connection) else { throw Self.empty }
            return installation.secret
        }
    }

    public func openArchive() throws(StoreError) -> any DataReading { PostgresArchive(location: self) }

    public func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault> {
        try reading { connection in
            try LogReader(connection: connection).verifyAudit()
        }
    }

    public func renew(_ webhooks: RestoredWebhooks) throws(StoreError) -> BackupReport {
        try reading { connection in
            guard try database.installation(connection) != nil else { throw Self.empty }
            return try Renewal(database: database, connection: connection).run(webhooks)
        }
    }

    public func migrate(_ mode: MigrationMode) throws(StoreError) -> MigrationReport {
        try reading { connection in
            guard try database.isMade(connection) else { throw Self.empty }
            return try SchemaMigrating(history: database.history, connection: connection).run(mode)
        }
    }

    public func backUp(to folder: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport {
        throw Self.backup
    }

    public func backups(in folder: String, keeping count: Int) -> (any BackupSeries)? { nil }

    /// The end of the newest base backup. The server has its history file only if it archives its log, and tells it
    /// only to a member of pg_monitor (docs/operators-guide.md#backups-of-postgresql).
    public func newestBackup() throws(StoreError) -> Timestamp? {
        let mayRead = PostgresStatement(
            "SELECT has_function_privilege('pg_ls_waldir()', 'execute')::int::int8")
        let newest = PostgresStatement(
            """
            SELECT coalesce((extract(epoch FROM max(modification)) * 1000)::int8, 0) FROM pg_ls_waldir()
            WHERE name LIKE '%.backup'
            """)
        return try reading { connection in
            guard try connection.run([mayRead], seconds: 10)[0][0].integer(0) == 1 else { return nil }
            let milliseconds = try connection.run([newest], seconds: 10)[0][0].integer(0)
            return milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
        }
    }

    public func restore(
        _ folder: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport {
        throw Self.backup
    }

    public func openSource() throws(StoreError) -> any TransferSource {
        do { return try PostgresSource(database) } catch { throw StoreError(error) }
    }

    public func receive(
        _ source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws(StoreError) -> TransferReport {
        do { return try PostgresTarget.fill(database, from: source, progress) } catch { throw StoreError(error) }
    }

    private static let backup = StoreError.unusable(
        "a PostgreSQL database is backed up and restored by PostgreSQL's own tools, such as pg_basebackup and pg_dump")
    private static let empty = StoreError.unusable(
        "the database is empty; the first daemon that starts makes its schema")

    func reading<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        do { return try body(try database.connect()) } catch { throw StoreError(error) }
    }
}

/// The data of a database, for commands.
private struct PostgresArchive: DataReading {
    let location: PostgresLocation

    func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try scanning { try $0.findRows(index, limit: limit) }
    }

    func loadCatalog() throws(StoreError) -> StoredCatalog {
        try scanning { try $0.snapshot { try $0.loadCatalog() } }
    }

    private func scanning<Value>(_ body: (PostgresSession) throws -> Value) throws(StoreError) -> Value {
        try location.reading { try body(PostgresSession(connection: $0, seconds: PostgresStore.scanSeconds)) }
    }

    func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try location.reading { try LogReader(connection: $0).logs(query) }
    }

    func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try location.reading { try LogReader(connection: $0).records(range) }
    }
}
