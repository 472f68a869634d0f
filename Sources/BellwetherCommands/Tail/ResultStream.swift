internal import Dispatch
internal import Glibc
internal import Synchronization

/// The standard output of a command that runs until it is ended: by SIGINT, by SIGTERM, or by a reader that closes the
/// output. All of these are success, exit code 0, and never leave a partial line.
final class ResultStream: Sendable {
    /// The lock that is held while a line is written.
    private let writing = Mutex<Void>(())
    private let isEnding = Atomic(false)

    /// Call this on the main thread before other threads exist. They inherit the signal mask, so only the signal thread
    /// receives these signals.
    init() {
        signal(SIGPIPE, SIG_IGN)
        var signals = Self.endings
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        DispatchQueue(label: "signals").async { [self] in
            var signals = Self.endings
            var number: Int32 = 0
            while sigwait(&signals, &number) == 0 { end() }
        }
        DispatchQueue(label: "reader").async { Self.watchReader() }
    }

    private static var endings: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        return signals
    }

    /// Writes complete lines.
    func write(_ bytes: [UInt8]) throws {
        try writing.withLock { _ in
            var bytes = bytes
            do {
                try StandardOutput.write(&bytes)
            } catch let failure as OutputFailure where failure.code == EPIPE {
                _exit(EXIT_SUCCESS)
            }
        }
        if isEnding.load(ordering: .sequentiallyConsistent) { _exit(EXIT_SUCCESS) }
    }

    /// Ends the process after the current line. A second signal ends it at once.
    private func end() {
        guard !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { _exit(EXIT_SUCCESS) }
        _ = writing.withLockIfAvailable { _ in _exit(EXIT_SUCCESS) }
    }

    /// Ends `tail | head` when head closes its input, not when the next record arrives.
    private static func watchReader() {
        var watched = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while true {
            let result = poll(&watched, 1, -1)
            if result > 0 { _exit(EXIT_SUCCESS) }
            if result < 0, errno != EINTR { return }
        }
    }
}
