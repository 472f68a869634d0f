internal import Dispatch
internal import EventLoop

/// Sends signs of life to the service manager, twice as often as it expects them.
///
/// Each sign first passes the main loop and every worker. If one of them hangs, no sign is sent, and the manager
/// restarts the daemon.
final class WatchdogTimer {
    /// A message that a worker accepts and ignores.
    private struct Probe: Sendable {}

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.watchdog"))

    init(every microseconds: UInt64, manager: ServiceManager, server: Server, loop: SignalLoop.Handle) {
        let half = Int(clamping: max(1, microseconds / 2))
        source.schedule(deadline: .now() + .microseconds(half), repeating: .microseconds(half))
        source.setEventHandler {
            loop.perform { _ in server.broadcast(Probe()) { manager.notifyAlive() } }
        }
        source.resume()
    }

    deinit { source.cancel() }
}
