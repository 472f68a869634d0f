internal import Dispatch

/// Looks every second whether jobs are due that begin by themselves: a backup, or a sink.
final class LookTimer {
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.look"))
    private let stop: () -> Void

    /// - Parameter stop: ends a job that is under way, soon.
    init(_ look: @escaping @Sendable () -> Void, stop: @escaping () -> Void) {
        self.stop = stop
        source.schedule(deadline: .now(), repeating: .seconds(1))
        source.setEventHandler(handler: look)
        source.resume()
    }

    func cancel() {
        source.cancel()
        stop()
    }
}
