internal import BellwetherService
internal import Logging
internal import Sinks

/// The settings `backups` (docs/operators-guide.md#backups-on-schedule).
struct BackupSettings {
    private let source: ScheduledBackups.Source

    /// Nil if nothing makes backups. Adds errors to the faults.
    ///
    /// - Parameter objects: the store of objects that gets copies; its text is empty if there is none.
    init?(
        every text: String, keep: Int, directory: String, copies objects: ObjectStoreReading,
        of store: any StoreLocation, _ faults: inout [String]
    ) {
        let seconds = Self.seconds(text)
        if seconds == nil { faults.append("backups.every is no time such as 1d, 12h, 30m or 90s: \(text)") }
        let copies = Self.copies(objects, &faults)
        if !objects.text.isEmpty, directory.isEmpty {
            faults.append("backups.to copies the backups of backups.directory, which is not set")
        }
        if !directory.isEmpty, let series = store.backups(in: directory, keeping: keep) {
            let every = seconds ?? 1
            let copied = copies.map { CopiedBackups(series, to: $0, keeping: keep, every: every) }
            source = .made(copied ?? series, every: every)
        } else if store.isShared {
            if !directory.isEmpty || copies != nil {
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

    private static func copies(_ objects: ObjectStoreReading, _ faults: inout [String]) -> BackupCopies? {
        guard !objects.text.isEmpty else { return nil }
        do {
            return BackupCopies(try objects.access(), at: objects.text)
        } catch {
            faults.append("backups.to: \(error.sentence)")
            return nil
        }
    }

    /// A whole number of days, hours, minutes or seconds, up to a year.
    private static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()) else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow || !(1...366 * 86_400).contains(seconds) ? nil : seconds
    }
}
