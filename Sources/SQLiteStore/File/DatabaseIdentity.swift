import BellwetherService
import Glibc
import SQLiteWire

/// The identity of a database file: a random number in its header (SQLite's `user_version`). Each copy has another one.
///
/// SQLite applies any write-ahead log that lies beside a file, even the log of another file. A backup that is copied
/// over a database whose log stayed would be mixed with that log. A log with another number does not belong to the
/// file.
enum DatabaseIdentity {
    /// The offset of the number in the file (sqlite.org/fileformat2.html 1.3).
    private static let offset: off_t = 60

    /// The number in the file itself, without its log; 0 if there is no number or no header. Do not call this while
    /// this process has the database open: closing any descriptor of a file releases all of SQLite's locks on it
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

    /// The number according to the file and its log together.
    static func read(_ database: SQLiteConnection) throws -> Int32 {
        Int32(truncatingIfNeeded: try database.integer("PRAGMA user_version") ?? 0)
    }

    /// Gives a number to a database without one. If the file itself had none (`known` is 0), a checkpoint writes it
    /// there.
    static func settle(_ database: SQLiteConnection, known: Int32) throws {
        if try read(database) == 0 { try database.execute("PRAGMA user_version = \(fresh())") }
        if known == 0 { try database.checkpoint(.passive) }
    }

    private static func fresh() -> Int32 { Int32.random(in: 1...Int32.max) }
}
