internal import BellwetherService
internal import Logging

/// The settings `backups` (docs/operators-guide.md#backups-on-schedule).
struct BackupSettings {
    private let source: ScheduledBackups.Source

    /// Nil if nothing makes backups. Adds errors to the faults.
    init?(every text: String, keep: Int, directory: String, of store: any StoreLocation, _ faults: inout [String]) {
        let seconds = Self.seconds(text)
        if seconds == nil { faults.append("backups.every is no time such as 1d, 12h, 30m or 90s: \(text)") }
        if !directory.isEmpty, let series = store.backups(in: directory, keeping: keep) {
            source = .made(series, every: seconds ?? 1)
        } else if store.isShared {
            if !directory.isEmpty {
                faults.append("backups.directory: a PostgreSQL database is backed up by PostgreSQL's own tools")
            }
            source = .otherTools { () throws(StoreError) in try store.newestBackup() }
        } else {
            return nil
        }
    }

    func scheduled(by clock: Clock, _ logger: Logger) -> ScheduledBackups {
        ScheduledBackups(source, clock: clock, queue: Wiring.background(), logger: logger)
    }

    /// A whole number of days, hours, minutes or seconds, up to a year.
    private static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()) else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow || !(1...366 * 86_400).contains(seconds) ? nil : seconds
    }
}
