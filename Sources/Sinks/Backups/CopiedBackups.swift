public import BellwetherBase
public import BellwetherService
internal import Glibc
public import ObjectStore
internal import Synchronization

/// A store of objects for backups.
public struct BackupCopies: Sendable {
    /// The address as the settings have it, such as `s3://bucket/prefix`.
    private let text: String
    private let access: ObjectStoreAccess

    public init(_ access: ObjectStoreAccess, at text: String) {
        self.access = access
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The address of a backup.
    func address(of name: String) -> String { text + "/" + name }

    func open<Value>(
        stoppingIf isStopped: @escaping () -> Bool = { false }, _ body: (BackupObjects) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            let store = try ObjectStore(access.address, access.credentials) { Clock.system.now().milliseconds }
            store.isStopped = isStopped
            return try body(BackupObjects(store: store))
        } catch let fault as ObjectStoreFault {
            throw .unusable("\(text): \(fault.sentence)")
        } catch let error as StoreError {
            throw .unusable("\(text): \(error.reason)")
        } catch let fault as SinkFault {
            throw .unusable(fault.sentence)
        } catch {
            throw .unusable("\(text): \(error)")
        }
    }

    /// Writes the files of a backup into a folder, which is made; a folder of an earlier attempt is begun anew. Returns
    /// the result of the body, and removes the folder.
    ///
    /// - Parameter progress: receives the number of objects that were read, and of all.
    public func fetch<Value>(
        _ name: String, into folder: String, _ progress: (Int, Int) -> Void,
        _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        Self.remove(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw .unusable("\(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        defer { Self.remove(folder) }
        try open { try $0.fetch(name, into: folder, progress) }
        return try body()
    }

    private static func remove(_ folder: String) {
        for entry in (try? Folder.entries(of: folder)) ?? [] { unlink(folder + "/" + entry.name) }
        rmdir(folder)
    }
}

/// Backups in a folder, of which the newest few are also in a store of objects. A backup counts when it is there.
///
/// A backup that could not be copied is copied at the next attempt, until it is as old as the interval: a store that is
/// away for long does not replace all older backups of the folder.
public final class CopiedBackups: BackupSeries {
    private let local: any BackupSeries
    private let copies: BackupCopies
    private let count: Int
    private let everySeconds: Int64
    private let uncopied = Mutex<BackupReport?>(nil)
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter count: the number of backups that are kept in the store.
    public init(_ local: any BackupSeries, to copies: BackupCopies, keeping count: Int, every seconds: Int64) {
        (self.local, self.copies, self.count, everySeconds) = (local, copies, count, seconds)
    }

    public func newest() throws(StoreError) -> Timestamp? {
        try open { try $0.names().last.flatMap(BackupName.time) }
    }

    public func stop() {
        isStopped.store(true, ordering: .relaxed)
        local.stop()
    }

    public func add(at now: Timestamp) throws(StoreError) -> BackupReport {
        let report: BackupReport
        if let uncopied = uncopied(at: now) { report = uncopied } else { report = try local.add(at: now) }
        uncopied.withLock { $0 = report }
        let name = Folder.name(of: report.path)
        try open { objects in
            try objects.reserve(forInstallationOf: report.path)
            try objects.add(name, from: report.path)
            try objects.removeOlder(than: name, keeping: count)
        }
        uncopied.withLock { $0 = nil }
        return BackupReport(
            path: copies.address(of: name), facts: report.facts, hasSecret: report.hasSecret, at: report.at)
    }

    private func uncopied(at now: Timestamp) -> BackupReport? {
        uncopied.withLock { report in
            let age = report?.at.map { (now.seconds - $0.seconds).magnitude }
            return age.map { $0 < UInt64(everySeconds) } == true ? report : nil
        }
    }

    private func open<Value>(_ body: (BackupObjects) throws -> Value) throws(StoreError) -> Value {
        try copies.open(stoppingIf: { [self] in isStopped.load(ordering: .relaxed) }, body)
    }
}
