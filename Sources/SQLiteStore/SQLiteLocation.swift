public import BellwetherService

/// A data directory: the database, the installation's secret and a lock.
public struct SQLiteLocation: StoreLocation {
    private let directory: String

    public init(directory: String) { self.directory = directory }

    public var description: String { directory }
    public var isShared: Bool { false }

    public func open(background: BackgroundQueue) throws(StoreError) -> OpenedStore {
        let store = try SQLiteStore(directory: directory, background: background)
        let secret = try InstallationSecret.readOrMake(in: directory)
        return OpenedStore(store: store, secret: secret, warnings: SQLiteStore.accessWarnings(of: directory))
    }

    public func secret() throws(StoreError) -> [UInt8] { try InstallationSecret.existing(in: directory) }

    public func openLog() throws(StoreError) -> any LogArchive { try TelemetryArchive(directory: directory) }

    public func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault> {
        try AuditArchive(directory: directory).verify()
    }

    public func backUp(to folder: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport {
        try BackupFolder(path: folder).make(of: directory, progress)
    }

    public func restore(
        _ folder: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport {
        try BackupFolder(path: folder).restore(to: directory, webhooks: webhooks, progress)
    }
}
