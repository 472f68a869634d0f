internal import Glibc
internal import Parquet

/// The CPU time of this process in seconds.
private func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Writes rows like those of events, 14 columns, and prints what the writer took: the clock stops while rows are made.
func measure(rows: Int, _ compressor: ParquetCompressor, file path: String?) {
    let events = EventRows()
    var random = SeededGenerator(seed: 7)
    let file = OutputFile(path ?? "/dev/null")
    var writer = ParquetWriter(EventRows.columns, compressor: compressor)
    var output: [UInt8] = []
    var bytes = 0
    var total = 0.0
    for first in stride(from: 0, to: rows, by: 1000) {
        let block = RowBlock(events, first..<min(first + 1000, rows), &random)
        let begin = cpu()
        block.write(first: first, &writer, &output)
        total += cpu() - begin
        bytes += output.count
        file.drain(&output)
    }
    let begin = cpu()
    writer.finish(metadata: [], &output)
    total += cpu() - begin
    bytes += output.count
    file.drain(&output)
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print("\(rows) rows, \(bytes) bytes, CPU \(total) s, peak memory \(usage.ru_maxrss / 1024) MiB")
}

/// The texts of some rows in one array.
private struct RowBlock {
    private var bytes: [UInt8] = []
    /// A column and where its text ends; a row ends with the last column.
    private var texts: [(column: Int, end: Int)] = []
    private let noise: UInt64

    init(_ events: EventRows, _ rows: Range<Int>, _ random: inout SeededGenerator) {
        noise = random.next()
        for row in rows {
            events.make(row, &random) {
                bytes += $1
                texts.append(($0, bytes.count))
            }
        }
    }

    func write(first: Int, _ writer: inout ParquetWriter, _ output: inout [UInt8]) {
        var row = first
        var start = 0
        bytes.withUnsafeBufferPointer { bytes in
            for (column, end) in texts {
                writer.set(column, UnsafeBufferPointer(rebasing: bytes[start..<end]))
                start = end
                guard column == EventRows.columns.count - 1 else { continue }
                let received = 1_795_000_000_000 + Int64(row * 80)
                writer.set(0, Int64(row))
                writer.set(2, received)
                writer.set(3, received - Int64(noise &* UInt64(row) % 5000))
                if row % 3 == 0 { writer.set(12, Int64(row % 5)) }
                writer.endRow(&output)
                row += 1
            }
        }
    }
}

/// Texts of events: a few are the same in all rows, one is different in each, some are from thousands.
private struct EventRows {
    static let columns = [
        ParquetColumn("position", .int64, isRequired: true), ParquetColumn("cursor", .string, isRequired: true),
        ParquetColumn("received_at", .timestamp, isRequired: true),
        ParquetColumn("event_at", .timestamp, isRequired: true), ParquetColumn("app", .string, isRequired: true),
        ParquetColumn("client_id", .string, isRequired: true), ParquetColumn("category", .string, isRequired: true),
        ParquetColumn("name", .string, isRequired: true), ParquetColumn("experiment", .string),
        ParquetColumn("branch", .string), ParquetColumn("message_key", .string), ParquetColumn("locale", .string),
        ParquetColumn("option_index", .int32),
        ParquetColumn("extra", .string, isRequired: true, hasStatistics: false),
    ]

    private let clients: [[UInt8]]
    private let names = ["shown", "clicked", "dismissed", "enrolled", "unenrolled", "answered"].map { Array($0.utf8) }
    private let keys = (0..<40).map { Array("message-key-\($0)".utf8) }
    private let locales = ["en", "de", "fr", "it", "pt-BR"].map { Array($0.utf8) }
    private let extras: [[UInt8]]
    private let app = Array("trail-notes".utf8)
    private let digits = Array("0123456789abcdef".utf8)
    private let category = Array("messaging".utf8)

    init() {
        var random = SeededGenerator(seed: 1)
        func hex() -> String { String(random.next() | 1 << 63, radix: 16) }
        clients = (0..<100_000).map { _ in Array("\(hex())-\(hex())".utf8) }
        extras = (0..<50_000).map { index in
            let numbers = "\"option_index\":\(index % 5),\"ms\":\(random.next() % 100_000)"
            return Array("{\"message_key\":\"message-key-\(index % 40)\",\"branch\":\"treatment\",\(numbers)}".utf8)
        }
    }

    func make(_ row: Int, _ random: inout SeededGenerator, _ put: (Int, [UInt8]) -> Void) {
        var cursor = Array("Zm9vYmFy.0000000000000000".utf8)
        for digit in 0..<8 { cursor[cursor.count - 1 - digit] = digits[row >> (4 * digit) & 15] }
        let number = Int(random.next() >> 33)
        put(1, cursor)
        put(4, app)
        put(5, clients[number % clients.count])
        put(6, category)
        put(7, names[number % names.count])
        if number % 2 == 0 { put(8, keys[number % 3]) }
        if number % 2 == 0 { put(9, names[number % 3]) }
        if number % 4 != 0 { put(10, keys[number % keys.count]) }
        put(11, locales[number % locales.count])
        put(13, extras[number % extras.count])
    }
}
