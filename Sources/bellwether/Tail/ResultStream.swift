internal import Foundation
internal import Glibc
internal import Synchronization

/// Standard output of a command that goes on until it is ended: with SIGINT or SIGTERM, or by reading no further. All
/// of these are the good end, exit 0, and leave no half line.
final class ResultStream: Sendable {
    /// Held while a line is written.
    private let writing = Mutex<Void>(())
    private let isEnding = Atomic(false)

    /// On the main thread, before others are made: they inherit that the signals wait for the one that takes them.
    init() {
        signal(SIGPIPE, SIG_IGN)
        var signals = Self.endings
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [self] in
            var signals = Self.endings
            var number: Int32 = 0
            while sigwait(&signals, &number) == 0 { end() }
        }
        Thread.detachNewThread { Self.watchReader() }
    }

    private static var endings: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        return signals
    }

    /// Writes lines that are whole.
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

    /// At the end of the line that is being written; at once when that does not come and one is asked again.
    private func end() {
        guard !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { _exit(EXIT_SUCCESS) }
        _ = writing.withLockIfAvailable { _ in _exit(EXIT_SUCCESS) }
    }

    /// `tail | head` ends when head has had enough, not when the next record comes.
    private static func watchReader() {
        var watched = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while true {
            let result = poll(&watched, 1, -1)
            if result > 0 { _exit(EXIT_SUCCESS) }
            if result < 0, errno != EINTR { return }
        }
    }
}
