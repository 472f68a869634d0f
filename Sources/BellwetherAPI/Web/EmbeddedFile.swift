internal import BellwetherService
internal import CEmbedded
internal import Gzip
internal import Synchronization

/// A file of the repository that is built into the program (`Scripts/embed` lists them).
final class EmbeddedFile: Sendable {
    /// The bytes in the program, which are never freed.
    nonisolated(unsafe) private let stored: UnsafeBufferPointer<UInt8>
    private let derived = Mutex(Derived())

    /// The values that are made of the bytes at the first request, and then kept.
    private struct Derived {
        var digest: String?
        var compressed: [UInt8]?
    }

    /// The files by their paths in the repository.
    private static let all: [String: EmbeddedFile] = {
        var all: [String: EmbeddedFile] = [:]
        while let file = bellwether_embedded_file(all.count)?.pointee {
            all[String(cString: file.path)] = EmbeddedFile(UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
        return all
    }()

    private init(_ stored: UnsafeBufferPointer<UInt8>) { self.stored = stored }

    static func at(_ path: String) -> EmbeddedFile? { all[path] }

    var bytes: [UInt8] { Array(stored) }

    /// The first 24 hex digits of the SHA-256 of the bytes.
    var digest: String {
        derived.withLock { derived in
            let digest = derived.digest ?? Digest.hex(Digest.sha256(bytes).prefix(12))
            derived.digest = digest
            return digest
        }
    }

    /// The bytes, compressed with gzip; nil without memory for it.
    var compressed: [UInt8]? {
        derived.withLock { derived in
            derived.compressed = derived.compressed ?? Deflation.gzip(bytes, level: 9)
            return derived.compressed
        }
    }
}
