import BellwetherService
import Glibc
import Synchronization

/// A lock that reserves the data directory for this process.
///
/// A second daemon on the same directory would receive a part of the traffic and hold stale client states. The kernel
/// releases the lock when the process ends, for any reason.
final class DirectoryLock: Sendable {
    static let name = "bellwether.lock"

    private let descriptor: Mutex<Int32>

    init(directory: String) throws(StoreError) {
        let path = directory + "/" + Self.name
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unusable("cannot create \(path): \(String(cString: strerror(errno))); check the directory's owner")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw .unusable("cannot lock \(path): \(String(cString: strerror(reason)))")
            }
            throw .unusable(
                "the data directory \(directory) is in use by another process; stop it, or choose another directory")
        }
        self.descriptor = Mutex(descriptor)
    }

    /// Releases the lock. A second call does nothing.
    ///
    /// The lock belongs to the open file, which a child of this process shares between its fork and its exec. `LOCK_UN`
    /// releases it for the child too; closing the descriptor would not.
    func release() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        guard held >= 0 else { return }
        flock(held, LOCK_UN)
        close(held)
    }

    deinit { release() }
}
