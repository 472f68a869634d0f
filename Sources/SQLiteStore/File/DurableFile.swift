public import BellwetherService
import Glibc

/// What makes files and their names survive a power cut.
public enum DurableFile {
    /// A file's content, or a directory's names.
    public static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path, "cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file(path, "cannot be made durable") }
    }

    public static func rename(_ path: String, to other: String) throws(StoreError) {
        guard Glibc.rename(path, other) == 0 else { throw .file(path, "cannot be renamed to \(other)") }
    }

    /// The names in a directory; none where there is no such directory.
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
    /// With the reason that the last system call gave.
    static func file(_ path: String, _ what: String) -> StoreError {
        .unusable("\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
