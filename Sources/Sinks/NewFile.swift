public import BellwetherService
internal import Glibc

/// A new file, which becomes durable before it gets its name. A file that got none is removed.
public final class NewFile {
    private let path: String
    private let descriptor: Int32

    /// Opens a file that no other process can open for writing at the same time.
    public init(_ path: String) throws(SinkFault) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw .file(path) }
    }

    deinit {
        close(descriptor)
        // After `rename` there is nothing to remove.
        unlink(path)
    }

    public func write(_ bytes: [UInt8]) throws(SinkFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(path) }
            written += count
        }
    }

    public func synchronize() throws(SinkFault) {
        guard fsync(descriptor) == 0 else { throw .file(path) }
    }

    /// Gives the durable file a name that no file has. Returns false if a file has it.
    func link(to name: String) throws(SinkFault) -> Bool {
        guard Glibc.link(path, name) == 0 else {
            guard errno == EEXIST else { throw .file(name) }
            return false
        }
        try Folder.synchronize(Folder.parent(of: name))
        return true
    }

    /// Gives the durable file a name, also one that another file has.
    public func rename(to name: String) throws(SinkFault) {
        guard Glibc.rename(path, name) == 0 else { throw .file(name) }
        try Folder.synchronize(Folder.parent(of: name))
    }
}

/// Folders of files that survive a power cut.
public enum Folder {
    /// Makes a folder, and the folders above it that do not exist.
    public static func make(_ path: String) throws(SinkFault) {
        if mkdir(path, 0o750) != 0 {
            if errno == EEXIST { return }
            guard errno == ENOENT, parent(of: path) != path else { throw .file(path) }
            try make(parent(of: path))
            guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw .file(path) }
        }
        try synchronize(parent(of: path))
    }

    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The files and folders in a folder; empty if there is no such folder.
    static func entries(of path: String) throws(SinkFault) -> [(name: String, isFolder: Bool)] {
        guard let stream = opendir(path) else {
            guard errno == ENOENT else { throw .file(path) }
            return []
        }
        defer { closedir(stream) }
        var entries: [(String, Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { entries.append((name, exists(path + "/" + name))) }
        }
        return entries
    }

    /// Makes the names in a folder durable.
    static func synchronize(_ path: String) throws(SinkFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file(path) }
    }
}

extension SinkFault {
    /// The fault with the reason of the last system call.
    static func file(_ path: String) -> SinkFault {
        SinkFault("\(path) cannot be written or read: \(String(cString: strerror(errno)))", isPassing: true)
    }
}
