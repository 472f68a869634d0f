import Glibc

/// Protects files of the data directory from the other users of the machine: they contain clients' answers.
enum OwnerOnly {
    private static let others: mode_t = 0o077

    /// Removes the permissions of all users except the owner. Only the owner and root may do so; for other users
    /// nothing changes, and `warning` returns a sentence about it.
    static func restrict(_ path: String) {
        guard let mode = mode(of: path), mode & others != 0 else { return }
        chmod(path, mode & ~others)
    }

    /// Makes an empty file, if there is none, that only its owner may read.
    static func create(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The rights of other users to a directory or a file, and the remedy; nil if they have none.
    static func warning(_ path: String) -> String? {
        guard let mode = mode(of: path), mode & others != 0 else { return nil }
        let octal = String(mode, radix: 8)
        let may = mode & 0o022 != 0 ? "change" : "read"
        return "others may \(may) \(path) (mode \(octal)): chmod go= \(path)"
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
