internal import BellwetherService
internal import CEmbedded

/// A file of the repository that is built into the program (`Scripts/embed` lists them).
struct EmbeddedFile {
    let bytes: [UInt8]
    /// The first 24 hex digits of the SHA-256 of the bytes.
    let digest: String

    /// The files by their paths in the repository.
    private static let all: [String: EmbeddedFile] = {
        var all: [String: EmbeddedFile] = [:]
        while let file = bellwether_embedded_file(all.count)?.pointee {
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            let digest = Digest.hex(Digest.sha256(bytes).prefix(12))
            all[String(cString: file.path)] = EmbeddedFile(bytes: bytes, digest: digest)
        }
        return all
    }()

    private init(bytes: [UInt8], digest: String) { (self.bytes, self.digest) = (bytes, digest) }

    static func at(_ path: String) -> EmbeddedFile? { all[path] }
}
