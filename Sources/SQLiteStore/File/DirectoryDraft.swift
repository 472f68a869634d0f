import BellwetherService
import Glibc

/// The folder of a data directory in which a move or a restore makes the database. It gets the database's own name when
/// it is complete: a daemon must not use an incomplete copy, and refuses a directory that has such a folder.
struct DirectoryDraft {
    enum Work: String, CaseIterable {
        case move, restore

        /// The name of the folder.
        var name: String { "\(rawValue).partial" }
    }

    private static let secrets = ["secret", "secret.new"]

    let path: String
    let lock: DirectoryLock

    /// Makes the directory if it does not exist, locks it, and makes the folder anew. The directory must be empty,
    /// except for what the same work has left when it was broken off. A directory that is refused stays as it is.
    init(_ work: Work, of directory: String) throws(StoreError) {
        try DatabaseFile.makeDirectory(directory)
        // The lock makes a file, unless there is one. A directory that is in use has one.
        if try !DurableFile.names(in: directory).contains(DirectoryLock.name) { try Self.check(directory, work) }
        lock = try DirectoryLock(directory: directory)
        try Self.check(directory, work)
        path = directory + "/" + work.name
        DurableFile.removeFolder(path)
        for name in Self.secrets { unlink(directory + "/" + name) }
        guard mkdir(path, 0o700) == 0 else { throw StoreError.file(path, "cannot be made") }
    }

    private static func check(_ directory: String, _ work: Work) throws(StoreError) {
        var names = try DurableFile.names(in: directory).filter { $0 != DirectoryLock.name }
        // Work that was broken off left the folder, perhaps beside the secret.
        if names.contains(work.name) { names.removeAll { $0 == work.name || Self.secrets.contains($0) } }
        guard names.isEmpty else {
            throw .unusable(
                """
                \(directory) is not empty (it has \(names.prefix(3).joined(separator: ", "))); move it away, or choose \
                another directory
                """)
        }
    }
}
