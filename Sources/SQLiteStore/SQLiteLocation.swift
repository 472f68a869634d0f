public import BellwetherBase
public import BellwetherService

/// A data directory: the database, the installation's secret and a lock.
public struct SQLiteLocation: StoreLocation {
    private let directory: String

    public init(directory: String) { self.directory = directory }

    /// The schema version that this program brings a database to: the number of the last step.
    public static let schema = SchemaHistory.steps.last.flatMap { Int64($0.name.prefix { $0 != " " }) } ?? 0

    public var description: String { directory }
    public var isShared: Bool { false }

    public func open(background: BackgroundQueue) throws(StoreError) -> OpenedStore {
        let store = try SQLiteStore(directory: directory, background: background)
        let secret = try InstallationSecret.readOrMake(in: directory)
        return OpenedStore(store: store, secret: secret, warnings: SQLiteStore.accessWarnings(of: directory))
    }

    public func secret() throws(StoreError) -> [UInt8] { try InstallationSecret.existing(in: directory) }

    public func openArchive() throws(StoreError) -> any DataReading { try DataArchive(directory: directory) }

    public func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault> {
        try AuditArchive(directory: directory).verify()
    }

    public func backUp(to folder: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport {
        try BackupFolder(path: folder).make(of: directory, progress)
    }

    public func backups(in folder: String, keeping count: Int) -> (any BackupSeries)? {
        SQLiteBackups(of: directory, in: folder, keeping: count)
    }

    public func newestBackup() throws(StoreError) -> Timestamp? { nil }

    public func restore(
        _ folder: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport {
        try BackupFolder(path: folder).restore(to: directory, webhooks: webhooks, progress)
    }

    public func renew(_ webhooks: RestoredWebhooks) throws(StoreError) -> BackupReport {
        throw .unusable("a data directory is restored from the folder of a backup, with --data")
    }

    public func migrate(_ mode: MigrationMode) throws(StoreError) -> MigrationReport {
        throw .unusable("a data directory is brought to the program's schema when the daemon starts")
    }

    public func openSource() throws(StoreError) -> any TransferSource {
        do { return try SQLiteSource(directory: directory) } catch { throw StoreError(error) }
    }

    public func receive(
        _ source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws(StoreError) -> TransferReport {
        do {
            return try SQLiteTarget.fill(directory, from: source, progress)
        } catch {
            throw StoreError(error)
        }
    }
}
