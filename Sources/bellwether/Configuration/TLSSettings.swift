internal import BellwetherBase
internal import BellwetherCommands
internal import EventLoop
internal import Glibc

/// The certificates of the settings `http.tls.*`, as files (docs/reference/tls.md).
struct TLSSettings: Sendable {
    /// The largest file of certificates or keys that is read, in bytes.
    private static let maximumBytes = 1 << 20

    /// The files of the keys by the files of the certificates with their chains.
    let certificates: [String: String]
    /// The file of the certificates that issue those of clients; empty if clients need none.
    let authorities: String

    /// The content of the files. Equal contents make equal credentials.
    struct Content: Sendable, Equatable {
        var certificates: [TLSCertificate] = []
        var authorities: TLSCertificate?

        /// - Parameter secret: the installation's secret, from which the keys of tickets are derived.
        func credentials(secret: [UInt8]) throws(SettingsError) -> TLSCredentials {
            let label = Array("tls tickets".utf8)
            do {
                return try TLSCredentials(
                    certificates, authorities: authorities,
                    secret: Array(HMAC.authenticationCode(for: label, key: secret)),
                    now: Int64(Glibc.time(nil)))
            } catch {
                throw SettingsError(error.sentences.map { "http.tls: \($0)" })
            }
        }
    }

    /// Reads the files, in the order of their names. Throws the faults of all of them.
    func read() throws(SettingsError) -> Content {
        var content = Content()
        var faults: [String] = []
        for (chain, key) in certificates.sorted(by: { $0.key < $1.key }) {
            guard let chainBytes = Self.read(chain, &faults), let keyBytes = Self.read(key, &faults) else { continue }
            content.certificates.append(TLSCertificate(chain: chainBytes, key: keyBytes, name: chain))
        }
        if !authorities.isEmpty, let bytes = Self.read(authorities, &faults) {
            content.authorities = TLSCertificate(chain: bytes, key: [], name: authorities)
        }
        guard faults.isEmpty else { throw SettingsError(faults) }
        return content
    }

    private static func read(_ path: String, _ faults: inout [String]) -> [UInt8]? {
        // The file may be a pipe without a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            faults.append("http.tls: \(path) cannot be read: \(String(cString: strerror(errno)))")
            return nil
        }
        defer { close(descriptor) }
        guard let bytes = FileDescriptor.read(descriptor, upTo: maximumBytes) else {
            faults.append("http.tls: \(path) has more than \(maximumBytes) bytes")
            return nil
        }
        return bytes
    }
}
