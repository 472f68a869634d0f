internal import BellwetherAPI
internal import BellwetherJSON
internal import BellwetherService
internal import Foundation
internal import Glibc
internal import SQLiteStore

/// A backup as a folder: the database and the installation's secret, as they lie in a data directory.
///
/// It is written under another name and gets its own when it is whole and durable: a folder of that name is a backup.
struct BackupFolder {
    let path: String

    private var draft: String { path + ".partial" }

    /// Makes it of a data directory, which a daemon may be using.
    func make(of data: String, _ progress: (BackupProgress) -> Void) throws -> BackupReport {
        guard !isTaken else { throw StoreError.unusable("\(path) exists; a backup gets a name of its own") }
        let backup = try DatabaseBackup(of: data)
        guard mkdir(draft, 0o700) == 0 else {
            throw StoreError.unusable(
                errno == EEXIST
                    ? "\(draft) exists: another backup of that name is being made, or was broken off; then remove it"
                    : "\(draft) cannot be made: \(String(cString: strerror(errno)))")
        }
        do {
            // First: a data directory has it before anything is acknowledged.
            let hasSecret = try InstallationSecret.copy(from: data, to: draft)
            let facts = try backup.write(to: draft, progress)
            // Fails where anything but an empty folder got the name meanwhile.
            try DurableFile.rename(draft, to: path)
            try DurableFile.synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
            return BackupReport(path: path, facts: facts, hasSecret: hasSecret)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw error
        }
    }

    /// Puts it into a data directory, which must be empty and nobody's.
    func restore(
        to data: String, webhooks: Restoration.Webhooks, _ progress: (BackupProgress) -> Void
    ) throws -> BackupReport {
        var hasSecret = false
        let restoration = try Restoration(of: path, to: data)
        let facts = try restoration.run(now: Clock.system.now(), webhooks: webhooks, progress) {
            hasSecret = try InstallationSecret.copy(from: path, to: data)
        }
        return BackupReport(path: data, facts: facts, hasSecret: hasSecret)
    }

    private var isTaken: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

/// What was copied, as it is told.
struct BackupReport {
    let path: String
    let facts: BackupFacts
    let hasSecret: Bool

    /// Decimal megabytes, as disks are sold.
    var sentence: String {
        let size = String(format: "%.1f MB", Double(facts.bytes) / 1_000_000)
        let secret = hasSecret ? "and the installation's secret" : "without a secret, for there is none"
        return "\(path): the database (\(size), found whole) \(secret)"
    }

    var json: JSONValue {
        [
            "path": .string(path), "bytes": .integer(facts.bytes), "integrity": "ok", "secret": .bool(hasSecret),
            "telemetry_cursor": .string(facts.cursor.text),
            "audit": ["records": .integer(facts.auditRecords), "hash": .string(Digest.hex(facts.auditHash))],
        ]
    }
}

/// Shows on a terminal how far a copy has come.
final class BackupProgressLine {
    private let title: String
    private var line: Progress?

    init(_ title: String) { self.title = title }

    func show(_ progress: BackupProgress) {
        switch progress {
        case .copying(let done, let total):
            let line = self.line ?? Progress(title, of: Int64(total))
            self.line = line
            line.show(Int64(done))
        case .checking:
            line?.finish()
            line = Progress("checking", of: 1)
            line?.show(0)
        }
    }

    func finish() { line?.finish() }
}
