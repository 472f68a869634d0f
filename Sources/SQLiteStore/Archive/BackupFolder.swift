import BellwetherService
import Glibc

/// A backup as a folder: the database and the installation's secret, with the names that a data directory uses.
///
/// The folder is written under another name, and gets its own name when it is complete and durable.
struct BackupFolder {
    let path: String

    private var draft: String { path + ".partial" }

    /// Makes the backup from a data directory, which a daemon may be using.
    func make(
        of data: String, openIn owner: DatabaseBackup.Owner = .otherProcess,
        _ progress: (BackupProgress) throws -> Void
    ) throws(StoreError) -> BackupReport {
        guard !isTaken else { throw taken }
        let backup = try DatabaseBackup(of: data, openIn: owner)
        let lock = try makeDraft()
        do throws(StoreError) {
            // The secret comes first: a data directory has it before the daemon acknowledges anything.
            let hasSecret = try InstallationSecret.copy(from: data, to: draft)
            let facts = try backup.write(to: draft, progress)
            unlink(draft + "/" + DirectoryLock.name)
            // This fails if anything except an empty folder got the name meanwhile.
            try DurableFile.rename(draft, to: path)
            lock.release()
            try DurableFile.synchronize(DurableFile.parent(of: path))
            return BackupReport(path: path, facts: facts, hasSecret: hasSecret)
        } catch {
            DurableFile.removeFolder(draft)
            throw error.naming(path)
        }
    }

    /// Makes the folder of the draft, locked. A draft that was broken off is begun anew, unless another process writes
    /// it.
    private func makeDraft() throws(StoreError) -> DirectoryLock {
        guard mkdir(draft, 0o700) == 0 || errno == EEXIST else { throw .file(draft, "cannot be made") }
        let lock: DirectoryLock
        do throws(StoreError) {
            lock = try DirectoryLock(directory: draft)
        } catch {
            throw .unusable("\(draft): another backup of that name is being made")
        }
        // The other process may have completed its backup meanwhile.
        guard !isTaken else { throw taken }
        for name in try DurableFile.names(in: draft) where name != DirectoryLock.name { unlink("\(draft)/\(name)") }
        return lock
    }

    private var taken: StoreError { .unusable("\(path) exists; a backup gets a name of its own") }

    /// Restores the backup into a data directory, which must be empty and not in use.
    func restore(
        to data: String, webhooks: RestoredWebhooks, _ progress: (BackupProgress) throws -> Void
    ) throws(StoreError) -> BackupReport {
        var hasSecret = false
        let restoration = try Restoration(of: path, to: data)
        do {
            let facts = try restoration.run(now: Clock.system.now(), webhooks: webhooks, progress) {
                hasSecret = try InstallationSecret.copy(from: path, to: data)
            }
            return BackupReport(path: data, facts: facts, hasSecret: hasSecret)
        } catch {
            throw StoreError(error).naming(data)
        }
    }

    private var isTaken: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

extension StoreError {
    /// The error with a path, which SQLite's own messages do not have.
    fileprivate func naming(_ path: String) -> StoreError {
        guard case .unavailable(let reason) = self else { return self }
        return .unusable("\(path): \(reason)")
    }
}
