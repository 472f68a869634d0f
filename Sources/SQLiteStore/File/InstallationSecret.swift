import BellwetherService
import Glibc

/// Random bytes of this installation, made at the first start. They are the key of the uuids of presses: such a uuid
/// survives a restart, and cannot be guessed.
enum InstallationSecret {
    private static let count = 32

    /// Makes a secret only if there is none. A new secret would invalidate every value that was derived from the old
    /// one.
    static func readOrMake(in directory: String) throws(StoreError) -> [UInt8] {
        let path = directory + "/secret"
        OwnerOnly.restrict(path)
        guard access(path, F_OK) != 0, errno == ENOENT else { return try existing(in: directory) }
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try write(secret, to: path)
        return secret
    }

    static func existing(in directory: String) throws(StoreError) -> [UInt8] {
        let path = directory + "/secret"
        guard access(path, F_OK) == 0 else {
            throw .unusable("\(path): there is none; the daemon makes it at its first start")
        }
        let secret = try bytes(of: path)
        guard secret.count == count else {
            throw .unusable("\(path): not the \(count) bytes of a first start; restore or delete it")
        }
        return secret
    }

    /// Copies another directory's secret into a directory that has none. Returns false if there is no secret to copy.
    static func copy(from source: String, to directory: String) throws(StoreError) -> Bool {
        guard access(source + "/secret", F_OK) == 0 else { return false }
        try write(try existing(in: source), to: directory + "/secret")
        return true
    }

    static func write(_ secret: [UInt8], in directory: String) throws(StoreError) {
        try write(secret, to: directory + "/secret")
    }

    /// Reads at most one byte more than a secret has.
    private static func bytes(of path: String) throws(StoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusable("\(path): it cannot be read") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count + 1)
        let read = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard read >= 0 else { throw .unusable("\(path): it cannot be read") }
        return Array(bytes.prefix(read))
    }

    /// Writes the file completely or not at all: a reader never finds half of it.
    private static func write(_ secret: [UInt8], to path: String) throws(StoreError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable("\(draft): it cannot be written") }
        let written = secret.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isDurable = fsync(descriptor) == 0
        close(descriptor)
        guard written == count, isDurable, rename(draft, path) == 0 else {
            throw .unusable("\(path): it cannot be written")
        }
    }
}
