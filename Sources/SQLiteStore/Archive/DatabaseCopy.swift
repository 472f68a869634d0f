import BellwetherService
import Glibc
import SQLiteWire

/// A copy of a database as it was at one moment, page by page. Other processes may write the database meanwhile.
///
/// The copy reads one snapshot of the write-ahead log from its first page to its last. A commit does not restart the
/// copy, and no writer waits for it. The log cannot be folded into the file meanwhile, and grows with each write.
struct DatabaseCopy {
    /// The pages between two reports of progress: 4 MiB.
    private static let pagesPerStep: Int32 = 1024

    let source: SQLiteQueue
    /// The path of the new file, which only its owner may read.
    let path: String

    /// Makes a durable file, and returns the number of rows in each table of the original. `progress` gets the number
    /// of copied pages and the number of all pages.
    func make(_ progress: (Int, Int) throws -> Void) throws -> [String: Int64] {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.file(path, "cannot be made") }
        close(descriptor)
        let target = try SQLiteQueue(path: path)
        // Half a file is useless, with or without a journal. A complete file is synchronized below.
        let rows = try target.use { target in
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            return try source.read { source in
                // The count begins the snapshot that is copied.
                let rows = try source.rowsOfTables()
                try source.copy(to: target, pagesPerStep: Self.pagesPerStep, progress)
                return rows
            }
        }
        target.close()
        try DatabaseIdentity.renew(path)
        try DurableFile.synchronize(path)
        return rows
    }
}

extension SQLiteConnection {
    /// The number of rows in each table.
    func rowsOfTables() throws -> [String: Int64] {
        let names = try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try integer("SELECT count(*) FROM \"\($0)\"") ?? 0) })
    }
}
