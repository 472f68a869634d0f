internal import CTLS
internal import Glibc

/// A certificate with its chain, and its key, as texts in PEM.
public struct TLSCertificate: Sendable, Hashable {
    /// The certificate, then those that issued it, without the root.
    public let chain: [UInt8]
    public let key: [UInt8]
    /// The name of the chain's file, for messages.
    public let name: String

    public init(chain: [UInt8], key: [UInt8], name: String) { (self.chain, self.key, self.name) = (chain, key, name) }
}

/// The reasons why certificates cannot be used, a sentence each. A reason names files and never quotes their content.
public struct TLSFaults: Error, Sendable, Hashable {
    public let sentences: [String]

    public init(_ sentences: [String]) { self.sentences = sentences }
}

/// The certificates that a server shows, ready for use (docs/reference/tls.md#certificates). A value never changes: a
/// reload makes a new one, and connections keep theirs.
public final class TLSCredentials: Sendable {
    /// The number of bytes of the secret from which the keys of tickets are derived.
    public static let secretBytes = Int(BELLWETHER_TICKET_SECRET_BYTES)

    /// The end of the first certificate that expires, in seconds since 1970.
    public let notAfter: Int64
    /// The DNS names of the first certificate.
    public let names: [String]

    private let contexts: ContextTable
    /// Issues the certificates of clients; nil if clients need none.
    private let authorities: Authorities?

    /// - Parameters:
    ///   - certificates: the first is shown to a client that asks for no name, or for an unknown one. Several with the
    ///     same names and other kinds of keys (RSA, ECDSA) are offered together.
    ///   - authorities: the certificates, in PEM, that issue the certificates of clients.
    ///   - secret: the same for all nodes that may resume each other's sessions; `secretBytes` long.
    ///   - now: seconds since 1970. A certificate that has expired, or is not yet valid, is a fault.
    public init(
        _ certificates: [TLSCertificate], authorities: TLSCertificate? = nil, secret: [UInt8], now: Int64
    ) throws(TLSFaults) {
        var faults: [String] = []
        let table = ContextTable()
        var (notAfter, names): (Int64, [String]) = (.max, [])
        for (position, certificate) in certificates.enumerated() {
            do throws(TLSFaults) {
                let parsed = try ParsedCertificate(certificate, now: now)
                try table.add(parsed, secret: secret)
                notAfter = min(notAfter, parsed.notAfter)
                if position == 0 { names = parsed.names }
            } catch {
                faults += error.sentences
            }
        }
        if certificates.isEmpty { faults.append("there is no certificate") }
        var issuers: Authorities?
        if let authorities {
            do throws(TLSFaults) { issuers = try Authorities(authorities) } catch { faults += error.sentences }
        }
        guard faults.isEmpty else { throw TLSFaults(faults) }
        (self.notAfter, self.names) = (notAfter, names)
        (contexts, self.authorities) = (table, issuers)
        contexts.choose(for: self)
    }

    /// A new connection of a server; nil without memory.
    func makeConnection(demandsCertificate: Bool) -> OpaquePointer? {
        guard let context = contexts.first, let connection = SSL_new(context) else { return nil }
        guard demandsCertificate else { return connection }
        guard let authorities, authorities.demand(from: connection) else {
            SSL_free(connection)
            return nil
        }
        return connection
    }

    /// Chooses the context for the name that the client asks for.
    fileprivate func choose(_ connection: OpaquePointer?) {
        guard let connection, let name = bellwether_tls_server_name(connection),
            let context = contexts.context(for: String(cString: name))
        else { return }
        SSL_set_SSL_CTX(connection, context)
        // The authorities belong to the certificates that were replaced.
        if let authorities, SSL_get_verify_mode(connection) & SSL_VERIFY_PEER != 0 { authorities.verify(connection) }
    }
}

/// The contexts of OpenSSL by the names of their certificates. The pointers are immutable once the credentials are
/// made, and OpenSSL counts their references atomically.
private final class ContextTable: @unchecked Sendable {
    private var byNames: [[String]: OpaquePointer] = [:]
    private var byName: [String: OpaquePointer] = [:]
    private(set) var first: OpaquePointer?

    func add(_ certificate: ParsedCertificate, secret: [UInt8]) throws(TLSFaults) {
        let key = certificate.names.sorted()
        let context: OpaquePointer
        if let known = byNames[key] {
            context = known
        } else {
            guard let made = bellwether_tls_context(secret) else { throw TLSFaults(["TLS: the system gave no memory"]) }
            context = made
            byNames[key] = made
            first = first ?? made
        }
        try certificate.use(in: context)
        for name in key where byName[name] == nil { byName[name] = context }
    }

    /// The context for a name, or for a pattern with a `*` instead of the name's first label.
    func context(for name: String) -> OpaquePointer? {
        let name = name.lowercased()
        return byName[name] ?? name.firstIndex(of: ".").flatMap { byName["*" + name[$0...]] }
    }

    func choose(for credentials: TLSCredentials) {
        // A connection retains its credentials, so they exist whenever OpenSSL calls.
        let argument = Unmanaged.passUnretained(credentials).toOpaque()
        for context in byNames.values {
            bellwether_tls_on_name(
                context,
                { connection, _, argument in
                    guard let argument else { return SSL_TLSEXT_ERR_NOACK }
                    Unmanaged<TLSCredentials>.fromOpaque(argument).takeUnretainedValue().choose(connection)
                    return SSL_TLSEXT_ERR_OK
                }, argument)
        }
    }

    deinit { for context in byNames.values { SSL_CTX_free(context) } }
}

/// The certificates that issue those of clients.
private final class Authorities: @unchecked Sendable {
    private let store: OpaquePointer
    private let certificates: PEMCertificates

    init(_ file: TLSCertificate) throws(TLSFaults) {
        certificates = try PEMCertificates(file.chain, name: file.name)
        guard let store = X509_STORE_new() else { throw TLSFaults(["TLS: the system gave no memory"]) }
        self.store = store
        for certificate in certificates.all { X509_STORE_add_cert(store, certificate) }
        // The file names whom to trust; it need not have a root.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    /// Makes a connection end in the handshake unless the client has a certificate of theirs.
    func demand(from connection: OpaquePointer) -> Bool {
        for certificate in certificates.all { SSL_add_client_CA(connection, certificate) }
        return verify(connection)
    }

    @discardableResult
    func verify(_ connection: OpaquePointer) -> Bool { bellwether_tls_demand(connection, store) == 1 }

    deinit { X509_STORE_free(store) }
}

/// The certificates of a text in PEM.
private final class PEMCertificates {
    private(set) var all: [OpaquePointer] = []

    init(_ text: [UInt8], name: String) throws(TLSFaults) {
        guard let source = BIO_new_mem_buf(text, Int32(clamping: text.count)) else {
            throw TLSFaults(["TLS: the system gave no memory"])
        }
        defer { BIO_free(source) }
        while let certificate = PEM_read_bio_X509(source, nil, nil, nil) { all.append(certificate) }
        // The end of the text is reported as an error, too.
        ERR_clear_error()
        guard !all.isEmpty else { throw TLSFaults(["\(name) has no certificate in PEM"]) }
    }

    deinit { for certificate in all { X509_free(certificate) } }
}

/// A certificate whose key fits and whose dates include the present.
private final class ParsedCertificate {
    let names: [String]
    let notAfter: Int64
    private let chain: PEMCertificates
    private let leaf: OpaquePointer
    private let key: OpaquePointer

    init(_ file: TLSCertificate, now: Int64) throws(TLSFaults) {
        chain = try PEMCertificates(file.chain, name: file.name)
        leaf = chain.all[0]
        names = TLSNames.read(leaf, all: false).map { $0.lowercased() }
        notAfter = bellwether_tls_seconds(X509_get0_notAfter(leaf))
        guard let key = Self.readKey(file.key) else {
            ERR_clear_error()
            throw TLSFaults(["\(file.name): its key cannot be read as PEM without a password"])
        }
        self.key = key
        let faults = faults(of: file, now: now)
        guard faults.isEmpty else { throw TLSFaults(faults) }
    }

    private static func readKey(_ text: [UInt8]) -> OpaquePointer? {
        guard let source = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
        defer { BIO_free(source) }
        return bellwether_tls_key(source)
    }

    private func faults(of file: TLSCertificate, now: Int64) -> [String] {
        var faults: [String] = []
        if X509_check_private_key(leaf, key) != 1 { faults.append("\(file.name): the key is of another certificate") }
        if notAfter <= now { faults.append("\(file.name): the certificate has expired") }
        if bellwether_tls_seconds(X509_get0_notBefore(leaf)) > now {
            faults.append("\(file.name): the certificate is not valid yet")
        }
        if names.isEmpty { faults.append("\(file.name): the certificate has no DNS name") }
        for (certificate, issuer) in zip(chain.all, chain.all.dropFirst())
        where X509_check_issued(issuer, certificate) != X509_V_OK {
            faults.append("\(file.name): a certificate of the chain is not issued by the one after it")
            break
        }
        ERR_clear_error()
        return faults
    }

    func use(in context: OpaquePointer) throws(TLSFaults) {
        var isUsed = SSL_CTX_use_certificate(context, leaf) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
        for issuer in chain.all.dropFirst() { isUsed = isUsed && bellwether_tls_add_chain(context, issuer) == 1 }
        guard isUsed else { throw TLSFaults(["a certificate cannot be used: \(TLSNames.reason())"]) }
    }

    deinit { EVP_PKEY_free(key) }
}

/// The names in certificates, and the reasons of OpenSSL.
enum TLSNames {
    /// The DNS names; with `all`, also the addresses of e-mail, the URIs and the common name.
    static func read(_ certificate: OpaquePointer, all: Bool) -> [String] {
        guard let text = bellwether_tls_names(certificate, all ? 1 : 0) else { return [] }
        defer { free(text) }
        return String(cString: text).split(separator: "\n").map(String.init)
    }

    static func reason() -> String { String(cString: bellwether_tls_reason()) }
}
