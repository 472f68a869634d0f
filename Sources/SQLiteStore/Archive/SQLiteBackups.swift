import BellwetherBase
import BellwetherCore
import BellwetherService
import Glibc
import Synchronization

/// The backups of a data directory in a folder, made by the process that has the directory's store open.
///
/// The folder of a backup has its time as its name. It gets this name when it is complete, durable, and was restored.
/// Whatever a process leaves that ends before has another name.
final class SQLiteBackups: BackupSeries {
    private let data: String
    private let folder: String
    private let count: Int
    /// Reserves the folder for this process: another daemon would remove these backups as its own.
    private let lock = Mutex<DirectoryLock?>(nil)
    private let isStopped = Atomic<Bool>(false)

    init(of data: String, in folder: String, keeping count: Int) {
        (self.data, self.folder, self.count) = (data, folder, count)
    }

    /// The backup that is being made and was not restored yet.
    private var candidate: BackupFolder { BackupFolder(path: folder + "/candidate") }
    /// The data directory into which it is restored.
    private var trial: String { folder + "/trial" }
    /// A backup that is being removed.
    private var expired: String { folder + "/expired" }

    func newest() throws(StoreError) -> Timestamp? { try times().last }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func add(at now: Timestamp) throws(StoreError) -> BackupReport {
        try reserve()
        removeRemains()
        do throws(StoreError) {
            let made = try make()
            try tryRestoring(made)
            let path = "\(folder)/\(BackupName.of(now))"
            try DurableFile.rename(candidate.path, to: path)
            try DurableFile.synchronize(folder)
            removeRemains()
            try removeOlder(than: now)
            return BackupReport(path: path, facts: made.facts, hasSecret: made.hasSecret, at: now)
        } catch {
            removeRemains()
            throw error
        }
    }

    /// The folder is not created: it may be on a disk that is not mounted.
    private func reserve() throws(StoreError) {
        guard lock.withLock({ $0 == nil }) else { return }
        guard access(folder, F_OK) == 0 else {
            throw .unusable("the folder of the backups \(folder) is not there; make it, for the daemon's user")
        }
        guard access(folder, W_OK | X_OK) == 0 else { throw .file(folder, "cannot be written") }
        do throws(StoreError) {
            let made = try DirectoryLock(directory: folder)
            lock.withLock { $0 = made }
        } catch {
            throw .unusable("\(folder) is used by another daemon; each needs a folder of its own for its backups")
        }
    }

    func make() throws(StoreError) -> BackupReport {
        try candidate.make(of: data, openIn: .thisProcess, continueUnlessStopped)
    }

    /// Restores the candidate into a temporary data directory, compares the facts, and opens it as a daemon does.
    func tryRestoring(_ made: BackupReport) throws(StoreError) {
        let restored = try candidate.restore(to: trial, webhooks: .giveUp, continueUnlessStopped)
        guard restored.facts == made.facts, restored.hasSecret == made.hasSecret else {
            throw .unusable("the backup was restored, and is not what was copied: \(candidate.path) is damaged")
        }
        let opened = try SQLiteLocation(directory: trial).open(background: BackgroundQueue())
        opened.store.close()
        let audit = try AuditArchive(directory: trial).verify()
        if made.facts.auditFault == nil, case .failure(let fault) = audit {
            throw .unusable("the audit of the restored backup is not whole: \(fault)")
        }
    }

    private func continueUnlessStopped(_ progress: BackupProgress) throws {
        if isStopped.load(ordering: .relaxed) { throw StoreError.unusable("the daemon stops") }
    }

    /// Removes what an interrupted attempt has left.
    private func removeRemains() {
        for path in [candidate.path + ".partial", candidate.path, trial + "/restore.partial", trial, expired] {
            DurableFile.removeFolder(path)
        }
    }

    /// A backup that is removed first loses its name, because half of it must not look like a backup.
    private func removeOlder(than now: Timestamp) throws(StoreError) {
        let others = try times().filter { $0.seconds != now.seconds }
        for time in others.dropLast(count - 1) {
            try DurableFile.rename("\(folder)/\(BackupName.of(time))", to: expired)
            DurableFile.removeFolder(expired)
        }
    }

    /// The times of the backups, the oldest first.
    private func times() throws(StoreError) -> [Timestamp] {
        try DurableFile.names(in: folder).compactMap(BackupName.time).sorted()
    }
}
