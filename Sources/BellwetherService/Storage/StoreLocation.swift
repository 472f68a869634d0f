/// Where a store is: the one way to open it, for the daemon and for commands
/// (docs/reference/http-api.md#the-store).
public protocol StoreLocation: Sendable, CustomStringConvertible {
    /// Whether daemons on several machines use it. The folders of one of them are then no part of its catalog.
    var isShared: Bool { get }

    /// Opens the store for a daemon, or makes it; fails with `.unusable` and the remedy.
    ///
    /// - Parameter background: the queue of the store's work that no request waits for.
    func open(background: BackgroundQueue) throws(StoreError) -> OpenedStore

    /// The installation's secret, of a daemon or of a backup; none is made.
    func secret() throws(StoreError) -> [UInt8]

    /// The logs, beside a daemon that is writing them, or without one.
    func openLog() throws(StoreError) -> any LogArchive

    /// Walks the audit's chain from its first record; answers where it ends.
    func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault>

    /// Makes a folder of all that is stored, beside a daemon that is writing it, or without one.
    func backUp(to folder: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport

    /// Makes the store of such a folder; there must be none.
    func restore(
        _ folder: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport

    /// Makes a database that other tools have restored one that daemons go on with.
    func renew(_ webhooks: RestoredWebhooks) throws(StoreError) -> BackupReport

    /// Brings the tables of a shared store to this program's schema.
    func migrate(_ mode: MigrationMode) throws(StoreError) -> MigrationReport

    /// All that is stored, to be moved into another store. Fails where a daemon uses it.
    func openSource() throws(StoreError) -> any TransferSource

    /// Makes a store of all that another one has, whole or not at all; there must be none.
    func receive(
        _ source: any TransferSource, _ progress: (TransferTable, Int) -> Void
    ) throws(StoreError) -> TransferReport
}

/// A store that a daemon has opened, and what comes with it.
public struct OpenedStore: Sendable {
    public let store: any Store
    /// Random bytes of the installation, made once: they key what is derived from ids, so that it survives a restart
    /// and cannot be guessed.
    public let secret: [UInt8]
    /// The warnings for the operator, a sentence each.
    public let warnings: [String]

    public init(store: any Store, secret: [UInt8], warnings: [String] = []) {
        self.store = store
        self.secret = secret
        self.warnings = warnings
    }
}

/// The logs of a store, for reading only.
public protocol LogArchive: Sendable {
    func page(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage

    /// Nil: nothing was ever stored of the app.
    func bounds(of app: String) throws(StoreError) -> LogBounds?
}
