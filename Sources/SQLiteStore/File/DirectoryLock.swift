import BellwetherService
import Glibc
import Synchronization

/// The data directory is this process's alone while the lock lives.
///
/// A second daemon on the same directory would split the traffic unseen and hold stale client states. The lock goes
/// with the process, however it ends.
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

    /// Once is enough; more do nothing.
    ///
    /// The lock belongs to the open file, which a child of this process shares between its fork and its exec: it is
    /// given up by name, since closing the descriptor would leave it with such a child.
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
