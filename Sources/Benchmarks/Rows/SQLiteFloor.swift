/// Plain C that inserts telemetry-sized rows with `synchronous=FULL`; the rows of durable writes are compared with it.
enum SQLiteFloor {
    static func name(batch: Int) -> String { "sqlite_ingest full, \(batch) a commit" }

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard let program = bench.reference("sqlite_ingest") else { return [] }
        return [1, 100].map { SQLiteIngest(program, batch: $0, bench: bench) }
    }
}

/// One batch size of `sqlite_ingest`.
private final class SQLiteIngest: Benchmark {
    let name: String
    private let command: [String]
    private let bench: Workbench

    init(_ program: String, batch: Int, bench: Workbench) {
        name = SQLiteFloor.name(batch: batch)
        // On the file system of the daemon's data, because the result depends on the disk as much as on the program.
        command = [program, "\(bench.directory)/floor-\(batch).sqlite", "full", "\(batch)", "\(bench.seconds)"]
        self.bench = bench
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? {
        let child = try Child(command, core: bench.serverCore, log: "\(bench.directory)/sqlite_ingest")
        let words = try child.finish(within: Double(bench.seconds) + 30).split(separator: " ")
        guard let unit = words.firstIndex(of: "rows/s"), unit > 0, let rows = Double(words[unit - 1]) else {
            throw Failure("sqlite_ingest printed \(words.joined(separator: " "))")
        }
        return Sample(rows: rows)
    }
}
