public import BellwetherService
internal import Glibc
internal import Parquet
internal import Synchronization

/// A folder for the files of a sink. Files of events are linked to their names, which never replaces a file; files of
/// days are renamed, under a lock that daemons on this machine share.
///
/// Files are written in a folder beside the tables, whose name begins with a dot, so that readers of the tables never
/// see a part of a file.
public final class FolderTarget: FileTarget {
    /// An unfinished file of this age was left by a process that was killed.
    private static let abandonedSeconds = 3600

    private let root: String
    private let hasCleaned = Atomic<Bool>(false)

    /// - Parameter path: the folder, which is made at the first write.
    public init(_ path: String) { root = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path }

    private var drafts: String { root + "/.unfinished" }

    public func create(_ name: String, _ content: [UInt8], last: String) throws(SinkFault) -> FileCreation {
        let path = root + "/" + name
        if let found = try footer(of: path) { return exists(found) }
        let draft = try draft(content, for: path)
        if try draft.link(to: path) { return .created }
        return exists(try footer(of: path) ?? [])
    }

    private func exists(_ footer: [UInt8]) -> FileCreation {
        .exists(last: ParquetMetadata.value(of: "bellwether.last", in: footer) ?? "")
    }

    public func state(of name: String) throws(SinkFault) -> FileState? {
        let path = root + "/" + name
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .file(path) }
            return nil
        }
        let time = status.st_mtim
        let digest = try footer(of: path).flatMap { ParquetMetadata.value(of: "bellwether.digest", in: $0) }
        return FileState(
            digest: digest, version: "\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)")
    }

    public func replace(
        _ name: String, _ content: [UInt8], digest: String, from state: FileState?
    ) throws(SinkFault) -> Bool {
        let path = root + "/" + name
        let draft = try draft(content, for: path)
        let lock = open(drafts + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard lock >= 0 else { throw .file(drafts + "/lock") }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw .file(drafts + "/lock") } }
        guard try self.state(of: name)?.version == state?.version else { return false }
        try draft.rename(to: path)
        return true
    }

    public func names(in folder: String) throws(SinkFault) -> [String] {
        var names: [String] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            for entry in try Folder.entries(of: root + "/" + folder) {
                let name = folder + "/" + entry.name
                if entry.isFolder { folders.append(name) } else if !entry.name.hasPrefix(".") { names.append(name) }
            }
        }
        return names
    }

    /// Writes a durable file beside the tables, and makes the folder that it is for.
    ///
    /// After a kill, a draft may be a second name of a published file. So no draft is ever opened again.
    private func draft(_ content: [UInt8], for path: String) throws(SinkFault) -> NewFile {
        if !hasCleaned.exchange(true, ordering: .relaxed) { removeAbandoned() }
        try Folder.make(Folder.parent(of: path))
        try Folder.make(drafts)
        let file = try NewFile("\(drafts)/\(String(UInt64.random(in: .min ... .max), radix: 16)).parquet")
        try file.write(content)
        try file.synchronize()
        return file
    }

    private func removeAbandoned() {
        for entry in (try? Folder.entries(of: drafts)) ?? [] where entry.name.hasSuffix(".parquet") {
            var status = stat()
            let path = drafts + "/" + entry.name
            guard stat(path, &status) == 0 else { continue }
            if time(nil) - status.st_mtim.tv_sec > Self.abandonedSeconds { unlink(path) }
        }
    }

    /// The footer of a file; nil if there is no file. It is empty for a file that is no Parquet.
    private func footer(of path: String) throws(SinkFault) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .file(path) }
            return nil
        }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let tail = Self.read(descriptor, ParquetMetadata.tailBytes, at: size - ParquetMetadata.tailBytes)
        guard let length = ParquetMetadata.footerLength(tail) else { return [] }
        return Self.read(descriptor, length, at: size - ParquetMetadata.tailBytes - length)
    }

    private static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        guard offset >= 0, count > 0, count < 64 << 20 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }
}
