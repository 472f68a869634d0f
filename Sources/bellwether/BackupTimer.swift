internal import BellwetherService
internal import Dispatch

/// Looks every second whether a backup is due.
final class BackupTimer {
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.backups"))
    private let backups: ScheduledBackups

    init(_ backups: ScheduledBackups) {
        self.backups = backups
        source.schedule(deadline: .now(), repeating: .seconds(1))
        source.setEventHandler { backups.look() }
        source.resume()
    }

    /// Ends a backup that is being made, too.
    func cancel() {
        source.cancel()
        backups.stop()
    }
}
