internal import BellwetherService
import Glibc

/// The calls that make files and their names survive a power cut.
enum DurableFile {
    /// Synchronizes a file's content or a directory's names.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path, "cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file(path, "cannot be made durable") }
    }

    static func rename(_ path: String, to other: String) throws(StoreError) {
        guard Glibc.rename(path, other) == 0 else { throw .file(path, "cannot be renamed to \(other)") }
    }

    /// The directory that holds a path.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a directory of files. Files that cannot be removed stay.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// The names in a directory; empty if there is no such directory.
    static func names(in directory: String) throws(StoreError) -> [String] {
        guard let stream = opendir(directory) else {
            guard errno != ENOENT else { return [] }
            throw .file(directory, "cannot be read")
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .file(directory, "cannot be read") }
        return names.sorted()
    }
}

extension StoreError {
    /// The error with the reason of the last system call.
    static func file(_ path: String, _ what: String) -> StoreError {
        .unusable("\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
