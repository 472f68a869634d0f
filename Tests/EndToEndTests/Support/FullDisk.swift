import Foundation
import TestSupport

/// Keeps a daemon from writing to its database: no file of it may grow or change behind the first 32 KiB, where its log
/// has room, and its database has none. Reversible while it runs, and anyone may do it to a process of their own.
///
/// SQLite's shared memory is mapped, and goes on, as it does on a full disk.
struct FullDisk {
    private static let bytes: UInt64 = 32 * 1024
    private let daemon: Daemon

    init(_ daemon: Daemon) throws {
        let log = daemon.data.path + "/data/bellwether.sqlite-wal"
        let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? UInt64 ?? 0
        guard size > Self.bytes else { throw Failure("the write-ahead log has \(size) bytes: a write would succeed") }
        self.daemon = daemon
    }

    func begin() throws { try limit(to: "\(Self.bytes)") }

    func end() throws { try limit(to: "unlimited") }

    /// The soft limit: whoever lowered it may raise it again.
    private func limit(to bytes: String) throws {
        let result = try Command.run(["prlimit", "--pid", "\(daemon.pid)", "--fsize=\(bytes):unlimited"])
        guard result.status == 0 else { throw Failure("the limit is not taken: \(result.errors)") }
    }
}

/// Waits until a condition holds; throws when it does not come to hold.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    guard try eventually(condition) else { throw Failure("\(what): it did not come to that") }
}
