import BellwetherService
import GRDB
import Glibc

/// Which file a database is: a random number in its header (SQLite's `user_version`), another in each copy.
///
/// SQLite applies whatever write-ahead log lies beside a file, also one that was left by another: a backup copied over
/// a database whose log was forgotten would be mixed with it. A log that brings another number is not the file's.
enum DatabaseIdentity {
    /// Where the file has it (sqlite.org/fileformat2.html 1.3).
    private static let offset: off_t = 60

    /// As the file itself says, without its log; 0 where it has none yet, or no header. Not to be called while this
    /// process has the database open: closing any descriptor of a file gives up all the locks of SQLite on it
    /// (fcntl(2)).
    static func inFile(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var number: Int32 = 0
        let count = withUnsafeMutableBytes(of: &number) { pread(descriptor, $0.baseAddress, $0.count, offset) }
        return count == MemoryLayout<Int32>.size ? Int32(bigEndian: number) : 0
    }

    /// Gives a new identity to a file that no process has open.
    static func renew(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError.file(path, "cannot be written") }
        defer { close(descriptor) }
        let number = fresh().bigEndian
        let count = withUnsafeBytes(of: number) { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        guard count == MemoryLayout<Int32>.size else { throw StoreError.file(path, "cannot be written") }
    }

    /// As the file says together with its log.
    static func read(_ database: Database) throws -> Int32 {
        try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Gives one to a database without, and sees that the file itself gets it, which had `known`.
    static func settle(_ database: Database, known: Int32) throws {
        if try read(database) == 0 { try database.execute(sql: "PRAGMA user_version = \(fresh())") }
        if known == 0 { try database.checkpoint(.passive) }
    }

    private static func fresh() -> Int32 { Int32.random(in: 1...Int32.max) }
}
