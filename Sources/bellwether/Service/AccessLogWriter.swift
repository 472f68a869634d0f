internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import Dispatch
internal import Logging
internal import Synchronization

/// Writes the access log on its own queue: no worker waits for the disk.
final class AccessLogWriter: Sendable {
    /// The delay that collects lines for one write.
    private static let delay = DispatchTimeInterval.milliseconds(20)
    /// The maximum duration of the last write at the end.
    private static let patience = DispatchTimeInterval.seconds(2)

    let log = AccessLog()
    private let logger: Logger
    private let queue = DispatchQueue(label: "bellwether.access")
    /// The state, which is only used on the queue.
    private let state = Mutex(State())

    private struct State {
        var file: AccessLogFile?
        var isStarted = false
        /// The number of dropped lines that were already reported.
        var reportedDropped = 0
    }

    init(logger: Logger) {
        self.logger = logger
        log.connect { [weak self] in
            guard let self else { return }
            queue.asyncAfter(deadline: .now() + Self.delay) { self.write() }
        }
    }

    /// Opens the file in the setting. It opens the same file again too, because the file may have been moved. Empty for
    /// no log. If the file cannot be opened, nothing changes.
    func follow(_ path: String) throws(SettingsError) {
        let file = path.isEmpty ? nil : try AccessLogFile(path)
        log.turn(on: file != nil)
        queue.async { [self] in
            write()
            state.withLock { $0.file = file }
        }
    }

    /// Starts writing. Before this, standard output only has the daemon's own first line.
    func start() {
        queue.async { [self] in
            state.withLock { $0.isStarted = true }
            write()
        }
    }

    /// Writes the remaining lines, unless that takes too long.
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

    /// Reports each gap of missing lines once, also in the access log itself.
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
