import BellwetherService
import Glibc

/// A backup as a folder: the database and the installation's secret, with the names that a data directory uses.
///
/// The folder is written under another name, and gets its own name when it is complete and durable.
struct BackupFolder {
    let path: String

    private var draft: String { path + ".partial" }

    /// Makes the backup from a data directory, which a daemon may be using.
    func make(of data: String, _ progress: (BackupProgress) -> Void) throws(StoreError) -> BackupReport {
        guard !isTaken else { throw .unusable("\(path) exists; a backup gets a name of its own") }
        let backup = try DatabaseBackup(of: data)
        guard mkdir(draft, 0o700) == 0 else {
            throw .unusable(
                errno == EEXIST
                    ? "\(draft) exists: another backup of that name is being made, or was broken off; then remove it"
                    : "\(draft) cannot be made: \(String(cString: strerror(errno)))")
        }
        do throws(StoreError) {
            // The secret comes first: a data directory has it before the daemon acknowledges anything.
            let hasSecret = try InstallationSecret.copy(from: data, to: draft)
            let facts = try backup.write(to: draft, progress)
            // This fails if anything except an empty folder got the name meanwhile.
            try DurableFile.rename(draft, to: path)
            try DurableFile.synchronize(DurableFile.parent(of: path))
            return BackupReport(path: path, facts: facts, hasSecret: hasSecret)
        } catch {
            DurableFile.removeFolder(draft)
            throw error
        }
    }

    /// Restores the backup into a data directory, which must be empty and not in use.
    func restore(
        to data: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) -> Void
    ) throws(StoreError) -> BackupReport {
        var hasSecret = false
        let restoration = try Restoration(of: path, to: data)
        do {
            let facts = try restoration.run(now: Clock.system.now(), webhooks: webhooks, progress) {
                hasSecret = try InstallationSecret.copy(from: path, to: data)
            }
            return BackupReport(path: data, facts: facts, hasSecret: hasSecret)
        } catch {
            throw StoreError(error)
        }
    }

    private var isTaken: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
