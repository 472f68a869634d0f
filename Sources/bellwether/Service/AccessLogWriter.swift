internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import Dispatch
internal import Logging
internal import Synchronization

/// Writes the access log on a queue of its own: whatever the disk does, no worker waits for it.
final class AccessLogWriter: Sendable {
    /// Lines of so much time are one write.
    private static let delay = DispatchTimeInterval.milliseconds(20)
    /// How long the last lines may take at the end.
    private static let patience = DispatchTimeInterval.seconds(2)

    let log = AccessLog()
    private let logger: Logger
    private let queue = DispatchQueue(label: "bellwether.access")
    /// Touched on the queue only.
    private let state = Mutex(State())

    private struct State {
        var file: AccessLogFile?
        var isStarted = false
        /// The part of the log's count of dropped lines that was reported.
        var reportedDropped = 0
    }

    init(logger: Logger) {
        self.logger = logger
        log.connect { [weak self] in
            guard let self else { return }
            queue.asyncAfter(deadline: .now() + Self.delay) { self.write() }
        }
    }

    /// Opens the file that the setting names, anew also where it is the same: it may have been moved away. Empty: no
    /// log. Where it cannot be opened everything stays as it is.
    func follow(_ path: String) throws(SettingsError) {
        let file = path.isEmpty ? nil : try AccessLogFile(path)
        log.turn(on: file != nil)
        queue.async { [self] in
            write()
            state.withLock { $0.file = file }
        }
    }

    /// From now on lines are written. Standard output begins with another one.
    func start() {
        queue.async { [self] in
            state.withLock { $0.isStarted = true }
            write()
        }
    }

    /// Writes what is left, unless that takes too long.
    func close() {
        log.turn(on: false)
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            write()
            done.signal()
        }
        if done.wait(timeout: .now() + Self.patience) == .timedOut {
            logger.warning("the access log is not whole: it could not be written in time")
        }
    }

    private func write() {
        state.withLock { state in
            guard state.isStarted else { return }
            let lines = log.take()
            if let file = state.file, lines.count > 0 {
                let written = file.write(lines.bytes)
                if written < lines.bytes.count {
                    let missing = lines.bytes[written...].count { $0 == 0x0A }
                    log.countDropped(missing)
                }
            }
            reportDropped(&state)
        }
    }

    /// Once for each time that lines are missing, also in the log itself.
    private func reportDropped(_ state: inout State) {
        let dropped = log.droppedLines
        guard dropped > state.reportedDropped else { return }
        let missing = dropped - state.reportedDropped
        let line = "{\"at\":\"\(Clock.system.now().rfc3339)\",\"dropped\":\(missing)}\n"
        guard let file = state.file, file.write(Array(line.utf8)) == line.utf8.count else { return }
        state.reportedDropped = dropped
        logger.warning("requests are missing in the access log", metadata: ["dropped": "\(missing)"])
    }
}
