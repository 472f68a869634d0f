internal import Dispatch
internal import EventLoop

/// Signs of life for the service manager, twice as often as it wants them.
///
/// Each goes through the main loop and every worker before it is given: where one of them hangs, there is none, and the
/// manager starts the daemon anew.
final class WatchdogTimer {
    /// A message that a worker takes and does nothing with.
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
