import BellwetherService
import GRDB
import Glibc

/// A copy of a database as it was at one moment, page by page. Other processes may write the database meanwhile.
///
/// The copy reads one snapshot of the write-ahead log from its first page to its last. A commit does not restart the
/// copy, and no writer waits for it. The log cannot be folded into the file meanwhile, and grows with each write.
struct DatabaseCopy {
    /// The pages between two reports of progress: 4 MiB.
    private static let pagesPerStep: Int32 = 1024

    let source: DatabaseQueue
    /// The path of the new file, which only its owner may read.
    let path: String

    /// Makes a durable file. `progress` gets the number of copied pages and the number of all pages.
    func make(_ progress: (Int, Int) -> Void) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.file(path, "cannot be made") }
        close(descriptor)
        let target = try DatabaseQueue(path: path)
        // Half a file is useless, with or without a journal. A complete file is synchronized below.
        try target.writeWithoutTransaction { target in
            try target.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try source.read { source in
                _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
                try withoutActuallyEscaping(progress) { progress in
                    try source.backup(to: target, pagesPerStep: Self.pagesPerStep) {
                        progress($0.completedPageCount, $0.totalPageCount)
                    }
                }
            }
        }
        try target.close()
        try DatabaseIdentity.renew(path)
        try DurableFile.synchronize(path)
    }
}
