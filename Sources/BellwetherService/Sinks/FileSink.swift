internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Logging
public import Parquet
internal import Synchronization

/// Writes the tables of data as files of Parquet at intervals (docs/operators-guide.md#sinks). While the target is
/// away, nothing is kept in memory: the log keeps the records.
public final class FileSink: Sink {
    private let schedule: SinkSchedule
    private let target: any FileTarget
    private let published: @Sendable (Identifier) -> AppSnapshot?
    private let compressor: ParquetCompressor
    /// See `ResponseFiles.known`, by app.
    private let known = Mutex<[Identifier: [String: String]]>([:])

    /// - Parameter published: the published app of a name, for the words of answers.
    public init(
        _ settings: SinkSettings, to target: any FileTarget, from persistence: Persistence,
        compressor: ParquetCompressor, queue: BackgroundQueue, logger: Logger? = nil,
        published: @escaping @Sendable (Identifier) -> AppSnapshot?
    ) {
        (self.target, self.compressor, self.published) = (target, compressor, published)
        schedule = SinkSchedule(
            settings, every: settings.everySeconds, lease: 90, in: persistence, queue: queue, logger: logger)
    }

    public var settings: SinkSettings { schedule.settings }
    public var status: SinkStatus { schedule.status }
    public var isLate: Bool { schedule.isLate }

    public func look() { schedule.look { () throws(SinkFault) in try self.write() } }

    /// Ends an attempt after its current file.
    public func stop() { schedule.stop() }

    private func write() throws(SinkFault) {
        let logs: [RecordLog]
        do { logs = try schedule.persistence.store.logs(LogQuery(app: nil)).logs } catch { throw SinkFault(error) }
        // A fault of one app or table does not hold up the others.
        var first: SinkFault?
        for app in logs.map(\.app).sorted() where settings.takes(app) {
            do throws(SinkFault) {
                if settings.tables.contains(.events) { try writeEvents(of: app) }
            } catch { first = first ?? error }
            do throws(SinkFault) {
                if settings.tables != [.events] { try writeResponses(of: app) }
            } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    private func writeEvents(of app: Identifier) throws(SinkFault) {
        let files = EventFiles(
            sink: settings, app: app, store: schedule.persistence.store, target: target, compressor: compressor
        ) { [schedule] in schedule.isStopped }
        var written = (rows: 0, files: 0)
        defer { note(written, in: app) }
        try files.write(&written)
    }

    private func writeResponses(of app: Identifier) throws(SinkFault) {
        let store = schedule.persistence.store
        var files = ResponseFiles(
            sink: settings, app: app, target: target, known: known.withLock { $0[app] ?? [:] }
        ) { [schedule] in schedule.isStopped }
        defer { known.withLock { $0[app] = files.known } }
        var tables = ResponseTables(of: app, published(app), in: store, compressor)
        note(try files.write(&tables, until: store.clock.now()), in: app)
    }

    private func note(_ written: (rows: Int, files: Int), in app: Identifier) {
        schedule.note(app) { ($0.rows, $0.files) = ($0.rows + written.rows, $0.files + written.files) }
    }
}
