public import BellwetherBase
internal import BellwetherJSON

/// The location of a store. The daemon and commands open each store through it
/// (docs/reference/http-api.md#the-store).
public protocol StoreLocation: Sendable, CustomStringConvertible {
    /// Whether daemons on several machines use the store. The folders of one of them are then not part of the catalog.
    var isShared: Bool { get }

    /// Opens the store for a daemon, or creates it. Throws `.unusable` with the remedy.
    ///
    /// - Parameter background: the queue for work of the store that no request waits for.
    func open(background: BackgroundQueue) throws(StoreError) -> OpenedStore

    /// The installation's secret, from a daemon's store or from a backup. It is never created here.
    func secret() throws(StoreError) -> [UInt8]

    /// Opens the data for reading. A daemon may write it at the same time.
    func openArchive() throws(StoreError) -> any DataReading

    /// Verifies the audit's chain from its first record, and returns its end.
    func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault>

    /// Makes a folder of the whole content. A daemon may write the store at the same time.
    func backUp(to folder: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport

    /// The backups that a daemon makes of the store while it has it open, in a folder; nil for a store whose own tools
    /// make its backups.
    func backups(in folder: String, keeping count: Int) -> (any BackupSeries)?

    /// The time of the newest backup that the store's own tools made; nil if the store does not tell it.
    func newestBackup() throws(StoreError) -> Timestamp?

    /// Creates the store from such a folder. There must be no store before.
    func restore(
        _ folder: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport

    /// Prepares a database that other tools have restored, so that daemons can use it.
    func renew(_ webhooks: RestoredWebhooks) throws(StoreError) -> BackupReport

    /// Brings the tables of a shared store to this program's schema.
    func migrate(_ mode: MigrationMode) throws(StoreError) -> MigrationReport

    /// Opens the whole content for a move into another store. Throws if a daemon uses the store.
    func openSource() throws(StoreError) -> any TransferSource

    /// Creates a store with the whole content of another one, completely or not at all. There must be no store before.
    func receive(
        _ source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws(StoreError) -> TransferReport
}

/// A store that a daemon has opened, and the values that belong to it.
public struct OpenedStore: Sendable {
    public let store: any Store
    /// Random bytes of the installation, which are created once. They are the key of values that are derived from ids.
    /// So these values survive a restart and cannot be guessed.
    public let secret: [UInt8]
    /// The warnings for the operator, in one sentence each.
    public let warnings: [String]

    public init(store: any Store, secret: [UInt8], warnings: [String] = []) {
        self.store = store
        self.secret = secret
        self.warnings = warnings
    }
}
