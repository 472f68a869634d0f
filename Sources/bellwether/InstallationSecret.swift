internal import Foundation
internal import Glibc
internal import SQLiteStore

/// Random bytes of this installation, made at the first start: they key the uuids that are derived for presses, so
/// that they survive a restart and cannot be guessed.
enum InstallationSecret {
    private static let count = 32

    static func read(in directory: String) throws(SettingsError) -> [UInt8] {
        let path = directory + "/secret"
        OwnerOnly.restrict(path)
        if let data = FileManager.default.contents(atPath: path) {
            guard data.count == count else {
                throw SettingsError(["\(path): not the \(count) bytes of a first start; restore or delete it"])
            }
            return Array(data)
        }
        // Only one that is not there is made: another in its place would be the end of all that was derived from it.
        guard access(path, F_OK) != 0, errno == ENOENT else { throw SettingsError(["\(path): it cannot be read"]) }
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try write(secret, to: path)
        return secret
    }

    /// Puts another directory's secret into one that has none; false where there is none to copy.
    static func copy(from source: String, to directory: String) throws(SettingsError) -> Bool {
        guard FileManager.default.fileExists(atPath: source + "/secret") else { return false }
        try write(try read(in: source), to: directory + "/secret")
        return true
    }

    /// Whole or not at all: a reader never finds half of it.
    private static func write(_ secret: [UInt8], to path: String) throws(SettingsError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SettingsError(["\(draft): it cannot be written"]) }
        let written = secret.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isDurable = fsync(descriptor) == 0
        close(descriptor)
        guard written == count, isDurable, rename(draft, path) == 0 else {
            throw SettingsError(["\(path): it cannot be written"])
        }
    }
}
