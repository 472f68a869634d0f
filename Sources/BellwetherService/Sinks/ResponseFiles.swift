internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Parquet

/// Writes the tables `responses` and `answers` of one app, a file for each day on which responses began.
///
/// Responses change, are deleted and erased. So the file of a day is written again as a whole when one of its rows has
/// changed, and a reader sees the old file or the new one. The digest of the rows is in the file's own metadata: a sink
/// stores nothing about these tables.
struct ResponseFiles {
    let sink: SinkSettings
    let app: Identifier
    let target: any FileTarget
    /// The digests of the days that this process has written or seen, by the names of files.
    var known: [String: String]
    let isStopped: () -> Bool

    /// Writes the days whose rows have changed. Returns the number of rows and files.
    mutating func write(_ tables: inout ResponseTables, until now: Timestamp) throws(SinkFault) -> (
        rows: Int, files: Int
    ) {
        let written = sink.tables.subtracting([.events]).sorted { $0.rawValue < $1.rawValue }
        var digests = try digests(tables, until: now)
        if known.isEmpty {
            for table in written { for name in try target.names(in: table.folder(of: app)) { known[name] = "" } }
        }
        // A day whose last response was erased has a file, which must be written without it.
        for name in known.keys {
            if let day = Self.day(of: name), digests[day] == nil { digests[day] = RowDigest() }
        }
        var total = (rows: 0, files: 0)
        for (day, digest) in digests.sorted(by: { $0.key < $1.key }) {
            for table in written where !isStopped() {
                let rows = try write(table, day, digest, &tables)
                if let rows { total = (total.rows + rows, total.files + 1) }
            }
        }
        return total
    }

    /// Writes the file of a day if its rows have changed. Returns the number of rows; nil if they have not.
    private mutating func write(
        _ table: DataTable, _ day: Int64, _ digest: RowDigest, _ tables: inout ResponseTables
    ) throws(SinkFault) -> Int? {
        let start = Timestamp(seconds: day * Timestamp.secondsPerDay)
        let name = table.folder(of: app) + "/begun=\(start.day)/data.parquet"
        guard known[name] != digest.text else { return nil }
        let state = try target.state(of: name)
        // The rows are read after the state of the file. If another process replaces the file meanwhile, this one
        // writes nothing.
        guard state?.digest != digest.text, state != nil || !digest.isEmpty else {
            known[name] = digest.text
            return nil
        }
        var content: [UInt8] = []
        let written: (rows: Int, digest: RowDigest)
        do {
            let end = start.adding(seconds: Timestamp.secondsPerDay)
            written = try tables.write(table, in: start..<end, isDigested: true) { bytes in
                content += bytes
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            throw (error as? StoreError).map { SinkFault($0) } ?? SinkFault("\(error)", isPassing: true)
        }
        // The rows may have changed since the digests were computed.
        let text = written.digest.text
        guard state?.digest != text else {
            known[name] = text
            return nil
        }
        guard try target.replace(name, content, digest: text, from: state) else { return nil }
        known[name] = text
        return written.rows
    }

    /// The digests of the days that have responses.
    private func digests(_ tables: ResponseTables, until now: Timestamp) throws(SinkFault) -> [Int64: RowDigest] {
        var digests: [Int64: RowDigest] = [:]
        let end =
            sink.waitsForDays ? Timestamp(seconds: now.dayNumber * Timestamp.secondsPerDay) : .distantFuture
        do {
            try tables.each(in: Timestamp(milliseconds: .min)..<end) { row throws(StoreError) in
                digests[row.createdAt.dayNumber, default: RowDigest()].add(row)
            }
        } catch {
            throw SinkFault(error)
        }
        return digests
    }

    private static func day(of name: String) -> Int64? {
        guard let start = name.firstRange(of: "/begun=") else { return nil }
        let text = name[start.upperBound...].prefix(10)
        return Timestamp(rfc3339: text + "T00:00:00Z")?.dayNumber
    }
}
