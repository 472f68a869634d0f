internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import Glibc
internal import ObjectStore

/// Backups in a store of objects (docs/operators-guide.md#backups-in-an-object-store).
///
/// Each file of the backup `NAME` is cut into objects `NAME/FILE/0`, `NAME/FILE/1`, … The list of its files,
/// `NAME.json`, is written last and removed first: a backup with a list is complete. It blocks, and one thread uses it.
struct BackupObjects {
    /// An object is sent from memory.
    static let objectBytes = 32 << 20
    private static let listBytes = 16 << 20
    private static let suffix = ".json"
    /// The object that names the installation.
    private static let owner = "owner"

    let store: ObjectStore

    /// The names of the complete backups, the oldest first.
    func names() throws(ObjectStoreFault) -> [String] { Self.names(in: try store.list("")) }

    private static func names(in keys: [String]) -> [String] {
        keys.filter { $0.hasSuffix(suffix) && BackupName.time(String($0.dropLast(suffix.count))) != nil }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// Reserves the prefix for the installation whose secret is in a folder. Throws if another one has it, because its
    /// backups would be removed.
    func reserve(forInstallationOf folder: String) throws {
        let secret = try SourceFile(folder + "/secret").read(1024)
        let bytes = Array(Digest.hex(Digest.sha256(Array("bellwether backups ".utf8) + secret)).utf8)
        guard try store.put(Self.owner, bytes, if: .absent) == .refused else { return }
        guard try store.get(Self.owner, limit: 1024) == bytes else {
            throw StoreError.unusable(
                "the backups of another installation are there; each needs a prefix of its own")
        }
    }

    /// Copies the folder of a backup.
    func add(_ name: String, from folder: String) throws {
        var list = BackupList(files: [])
        for entry in try Folder.entries(of: folder) {
            var object = BackupList.File(name: entry.name, digests: [])
            let source = try SourceFile(folder + "/" + entry.name)
            while true {
                let bytes = try source.read(Self.objectBytes)
                if bytes.isEmpty { break }
                _ = try store.put(Self.key(name, object, object.digests.count), bytes)
                object.digests.append(Digest.hex(Digest.sha256(bytes)))
            }
            list.files.append(object)
        }
        _ = try store.put(name + Self.suffix, list.json.encoded)
    }

    /// Writes the files of a backup into a folder that has none of them.
    ///
    /// - Parameter progress: receives the number of objects that were read, and of all.
    func fetch(_ name: String, into folder: String, _ progress: (Int, Int) -> Void) throws {
        guard let bytes = try store.get(name + Self.suffix, limit: Self.listBytes) else {
            let names = try names()
            let others = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
            throw StoreError.unusable("there is no backup \(name); \(others)")
        }
        guard let list = BackupList(reading: bytes) else {
            throw StoreError.unusable("the list of the backup \(name) cannot be read")
        }
        let total = list.files.reduce(0) { $0 + $1.digests.count }
        var count = 0
        for file in list.files {
            let target = try NewFile("\(folder)/\(file.name).partial")
            for (number, digest) in file.digests.enumerated() {
                let key = Self.key(name, file, number)
                let bytes = try store.get(key, limit: ObjectStore.maximumBytes)
                guard let bytes, Digest.hex(Digest.sha256(bytes)) == digest else {
                    let fault = bytes == nil ? "is missing" : "has other bytes than the ones that were sent"
                    throw StoreError.unusable("the backup \(name) is damaged: the object \(key) \(fault)")
                }
                try target.write(bytes)
                count += 1
                progress(count, total)
            }
            try target.rename(to: "\(folder)/\(file.name)")
        }
    }

    /// Removes all backups but this one and the newest others, and the objects of backups that were never completed.
    func removeOlder(than name: String, keeping count: Int) throws(ObjectStoreFault) {
        let keys = try store.list("")
        let others = Self.names(in: keys).filter { $0 != name }
        for name in others.dropLast(count - 1) { try store.delete(name + Self.suffix) }
        let kept = Set(others.suffix(count - 1) + [name])
        for key in keys {
            guard let slash = key.firstIndex(of: "/") else { continue }
            let name = String(key[..<slash])
            if BackupName.time(name) != nil, !kept.contains(name) { try store.delete(key) }
        }
    }

    private static func key(_ name: String, _ file: BackupList.File, _ number: Int) -> String {
        "\(name)/\(file.name)/\(number)"
    }
}

/// The files of a backup, with the SHA-256 of each of their objects.
private struct BackupList {
    struct File {
        let name: String
        var digests: [String]
    }

    var files: [File]

    init(files: [File]) { self.files = files }

    /// Nil if the text is not a list. A name with a slash, or one of a hidden file, is not one of a backup's file.
    init?(reading bytes: [UInt8]) {
        guard let list = try? JSONValue(parsing: bytes), let values = list["files"].array else { return nil }
        files = []
        for value in values {
            guard let name = value["name"].string, !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
                let digests = value["sha256"].array
            else { return nil }
            files.append(File(name: name, digests: digests.compactMap(\.string)))
            guard files.last?.digests.count == digests.count else { return nil }
        }
    }

    var json: JSONValue {
        let files = files.map { file -> JSONValue in
            ["name": .string(file.name), "sha256": .array(file.digests.map { .string($0) })]
        }
        return ["files": .array(files)]
    }
}

/// A file that is read from its beginning to its end.
private final class SourceFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(SinkFault) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path) }
    }

    deinit { close(descriptor) }

    /// The next bytes; fewer than asked for only at the end of the file.
    func read(_ count: Int) throws(SinkFault) -> [UInt8] {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while length < count {
                let read = Glibc.read(descriptor, buffer.baseAddress.map { $0 + length }, count - length)
                if read < 0, errno == EINTR { continue }
                hasFailed = read < 0
                if read <= 0 { break }
                length += read
            }
        }
        guard !hasFailed else { throw .file(path) }
        return bytes
    }
}
