public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Parquet

/// Writes the log of one app as files, each once (docs/decisions/0147-a-file-is-named-by-where-it-begins.md).
///
/// A file is named by the position at which it begins, and is only created, never replaced. A process that finds a file
/// at its position takes the position at which that file ends. Then it moves the stored position by compare and set. So
/// a process that dies at any moment, or that was paused and goes on, leaves no gap and nothing twice.
struct EventFiles: Sendable {
    /// The bytes at which a file ends: the memory that one needs, beside a row group.
    private static let maximumBytes = 24 << 20
    private static let page = 5_000

    let sink: SinkSettings
    let app: Identifier
    let store: any Store
    let target: any FileTarget
    let compressor: ParquetCompressor
    let isStopped: @Sendable () -> Bool

    /// Writes all files that are due, and counts their records.
    func write(_ written: inout (rows: Int, files: Int)) throws(SinkFault) {
        while !isStopped(), let position = try store.position(of: sink, in: app), position.number < position.newest {
            guard let file = try next(after: position) else { break }
            let end: Int64
            switch try target.create(file.name, file.content, last: file.last.text) {
            case .created:
                end = file.last.number
                written = (written.rows + file.rows, written.files + 1)
            case .exists(let last):
                guard let cursor = TelemetryCursor(text: last), cursor.number > position.number else {
                    throw SinkFault(
                        "the file \(file.name) exists, and does not say where it ends: move it away", isPassing: false)
                }
                end = cursor.number
            }
            _ = try store.move(position, to: end, at: store.clock.now())
        }
    }

    private struct File {
        let name: String
        let content: [UInt8]
        let last: TelemetryCursor
        let rows: Int
    }

    /// The records after a position: of one day, up to the bounds of a file. Nil if no record is due.
    private func next(after position: SinkPosition) throws(SinkFault) -> File? {
        var file = EventFile(of: app, compressor)
        var (first, last): (TelemetryRow?, TelemetryRow?)
        let today = store.clock.now().dayNumber
        reading: while file.rows < sink.rows, file.output.count < Self.maximumBytes {
            let after = last?.cursor.number ?? position.number
            let limit = min(Self.page, sink.rows - file.rows)
            let page: RecordPage
            do {
                page = try store.records(RecordRange(app: app, after: after, limit: limit))
            } catch {
                throw SinkFault(error)
            }
            guard page.expired <= after else {
                throw SinkFault("retention has deleted records of \(app) while they were read", isPassing: true)
            }
            for row in page.rows where row.cursor.number <= position.newest {
                if let first, first.receivedAt.dayNumber != row.receivedAt.dayNumber { break reading }
                if sink.waitsForDays, row.receivedAt.dayNumber == today { break reading }
                first = first ?? row
                last = row
                file.add(row)
            }
            guard !page.isAtEnd, !page.rows.isEmpty, after < position.newest else { break }
        }
        guard let first, let last else { return nil }
        file.finish()
        return File(
            name: name(of: first, after: position), content: file.output, last: last.cursor, rows: file.rows)
    }

    /// `day=DAY/DATABASE-POSITION.parquet`. Without the database, the store of a new data directory would take over
    /// files of the old one.
    private func name(of first: TelemetryRow, after position: SinkPosition) -> String {
        let database = String(first.cursor.database ?? 0, radix: 36)
        let number = String(position.number, radix: 16)
        let padded = String(repeating: "0", count: max(0, 16 - number.count)) + number
        return DataTable.events.folder(of: app) + "/day=\(first.receivedAt.day)/\(database)-\(padded).parquet"
    }
}

extension DataTable {
    /// `TABLE/v1/APP`, with the bytes of the app's name that a path or the key of an object might not take in
    /// hexadecimal digits after `%`.
    public func folder(of app: Identifier) -> String {
        let name = app.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            case UInt8(ascii: "."): app.utf8.first == byte ? "%2E" : "."
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "\(rawValue)/v\(Self.schema)/" + name.joined()
    }
}

extension Timestamp {
    /// The day in UTC, such as `2026-11-21`.
    public var day: String { String(rfc3339.prefix(10)) }

    /// The number of the day in UTC since 1970.
    var dayNumber: Int64 { seconds.floored(by: Self.secondsPerDay) }
}
