internal import Glibc
internal import Synchronization

/// The target of the access log: a file that grows, or standard output. The file closes with the value. Only one thread
/// may write at a time.
final class AccessLogFile: Sendable {
    /// The setting's value for standard output.
    static let standardOutput = "-"

    private let descriptor: Int32
    private let path: String
    /// Whether a line was written without its end.
    private let isTorn = Atomic(false)

    init(_ path: String) throws(SettingsError) {
        self.path = path
        if path == Self.standardOutput {
            descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        } else {
            // Without O_NONBLOCK, a pipe without a reader would block the start.
            descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o640)
        }
        guard descriptor >= 0 else {
            throw SettingsError(["log.access: \(path) cannot be written: \(String(cString: strerror(errno)))"])
        }
        if path != Self.standardOutput { _ = fcntl(descriptor, F_SETFL, O_APPEND) }
    }

    /// Writes complete lines. Returns how many bytes were written before a failure. May block.
    func write(_ lines: [UInt8]) -> Int {
        if isTorn.load(ordering: .relaxed), put([0x0A]) == 0 { return 0 }
        let count = put(lines)
        isTorn.store(count > 0 && lines[count - 1] != 0x0A, ordering: .relaxed)
        return count
    }

    private func put(_ bytes: [UInt8]) -> Int {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                // Standard output may be shared with another process, which made it nonblocking.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&watched, 1, 1000)
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return done
    }

    deinit { close(descriptor) }
}
