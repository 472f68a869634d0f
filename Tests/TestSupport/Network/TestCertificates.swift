internal import Foundation

/// Certificates that the tests make with openssl: an authority, and what it issues.
public struct TestCertificates: Sendable {
    /// Certificates for `localhost`, made once for the process.
    public static let shared = Result { try TestCertificates() }
    /// Whether the tests speak TLS with their servers and daemons: TEST_TLS is set.
    public static let areUsed = ProcessInfo.processInfo.environment["TEST_TLS"] != nil

    public enum Key: String, Sendable { case ec, rsa }

    private let directory: TemporaryDirectory
    /// The authority's certificate.
    public let authority: String
    /// The certificate for `localhost` with its chain, and its key.
    public let chain: String
    public let key: String

    /// The settings with which a daemon also speaks TLS, as variables of the environment.
    public var settings: [String: String] {
        [
            "BELLWETHER_HTTP_TLS_LISTEN": "127.0.0.1:0",
            "BELLWETHER_HTTP_TLS_CERTIFICATES": "\(chain)=\(key)",
        ]
    }

    public init() throws {
        directory = try TemporaryDirectory()
        authority = directory.path + "/authority.pem"
        try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=Authority of tests", "-keyout", directory.path + "/authority.key", "-out", authority,
        ])
        (chain, key) = try Self.issue("localhost", "DNS:localhost,IP:127.0.0.1", .ec, 30, in: directory)
    }

    /// Issues a certificate, and returns the paths of its chain and its key.
    ///
    /// - Parameters:
    ///   - name: the common name, and the name of the files.
    ///   - names: the alternative names in OpenSSL's form.
    ///   - days: how long the certificate is valid; less than 0 for one that has expired.
    public func issue(
        _ name: String, names: String, key type: Key = .ec, days: Int = 30
    ) throws -> (chain: String, key: String) {
        try Self.issue(name, names, type, days, in: directory)
    }

    private static func issue(
        _ name: String, _ names: String, _ type: Key, _ days: Int, in directory: TemporaryDirectory
    ) throws -> (chain: String, key: String) {
        let base = directory.path + "/\(name)-\(UUID().uuidString)"
        let kind = type == .ec ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["rsa:2048"]
        try openssl(
            ["req", "-newkey"] + kind
                + ["-nodes", "-subj", "/CN=\(name)", "-keyout", base + ".key", "-out", base + ".csr"])
        try directory.write("subjectAltName=\(names)\n", to: URL(fileURLWithPath: base).lastPathComponent + ".ext")
        try openssl([
            "x509", "-req", "-in", base + ".csr", "-CA", directory.path + "/authority.pem", "-CAkey",
            directory.path + "/authority.key",
            "-set_serial", "\(UInt32.random(in: 1 ... .max))", "-days", "\(days)", "-extfile", base + ".ext", "-out",
            base + ".pem",
        ])
        return (base + ".pem", base + ".key")
    }

    private static func openssl(_ arguments: [String]) throws {
        let result = try Command.run(["openssl"] + arguments)
        guard result.status == 0 else { throw Failure("openssl: \(result.errors)") }
    }
}
