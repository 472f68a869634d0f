import Foundation
import TestSupport

/// Keeps a daemon from writing to its database: no file may grow or change beyond its first 32 KiB, where the log has
/// room and the database has none. The limit can be removed while the daemon runs, and a user may set it for the user's
/// own processes.
///
/// SQLite's shared memory is mapped, so it still works, as on a full disk.
struct FullDisk {
    private static let bytes: UInt64 = 32 * 1024
    private let daemon: Daemon

    init(_ daemon: Daemon) throws {
        let log = daemon.data.path + "/data/bellwether.sqlite-wal"
        let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? UInt64 ?? 0
        guard size > Self.bytes else { throw Failure("the write-ahead log has \(size) bytes: a write would succeed") }
        self.daemon = daemon
    }

    func begin() throws { try Self.limitFiles(of: daemon, to: "\(Self.bytes)") }

    func end() throws { try Self.limitFiles(of: daemon, to: "unlimited") }

    /// Sets the soft limit of a file's size, which can be raised again. Writes beyond it fail as on a full disk.
    static func limitFiles(of daemon: Daemon, to bytes: String) throws {
        let result = try Command.run(["prlimit", "--pid", "\(daemon.pid)", "--fsize=\(bytes):unlimited"])
        guard result.status == 0 else { throw Failure("the limit is not taken: \(result.errors)") }
    }
}

/// Waits until a condition holds; throws if it does not.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    guard try eventually(condition) else { throw Failure("\(what): it did not come to that") }
}
