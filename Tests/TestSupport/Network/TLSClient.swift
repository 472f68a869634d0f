internal import CTLS
internal import Glibc

/// The client's half of TLS over a blocking socket. It checks the server's certificate against the tests' authority.
public final class TLSClient {
    /// A session to resume.
    public final class Session: @unchecked Sendable {
        fileprivate let pointer: OpaquePointer
        fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { SSL_SESSION_free(pointer) }
    }

    private let descriptor: Int32
    private let context: OpaquePointer
    private let connection: OpaquePointer

    /// Performs the handshake. The descriptor stays the caller's.
    ///
    /// - Parameters:
    ///   - name: the name that the client asks for, and that the certificate must have.
    ///   - certificate: the client's certificate and key.
    public init(
        _ descriptor: Int32, to name: String = "localhost", trusting certificates: TestCertificates,
        as certificate: (chain: String, key: String)? = nil, resuming session: Session? = nil
    ) throws {
        guard let context = SSL_CTX_new(TLS_client_method()), let connection = SSL_new(context) else {
            throw Failure("TLS: no memory")
        }
        (self.descriptor, self.context, self.connection) = (descriptor, context, connection)
        SSL_CTX_load_verify_locations(context, certificates.authority, nil)
        SSL_set_verify(connection, SSL_VERIFY_PEER, nil)
        SSL_set1_host(connection, name)
        bellwether_tls_ask(connection, name)
        if let certificate {
            SSL_use_certificate_file(connection, certificate.chain, SSL_FILETYPE_PEM)
            SSL_use_PrivateKey_file(connection, certificate.key, SSL_FILETYPE_PEM)
        }
        if let session { SSL_set_session(connection, session.pointer) }
        SSL_set_fd(connection, descriptor)
        guard SSL_connect(connection) == 1 else { throw Failure("TLS: \(String(cString: bellwether_tls_reason()))") }
    }

    /// Sends bytes, and returns how many were sent; 0 or less if the connection broke.
    public func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(SSL_write(connection, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Receives bytes; 0 or less at the end.
    public func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        defer { ERR_clear_error() }
        return Int(SSL_read(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Sends only bytes that fit now; false if none do.
    public func sendWithoutWaiting(_ bytes: [UInt8]) -> Bool {
        withoutWaiting { SSL_write(connection, bytes, Int32(bytes.count)) > 0 }
    }

    /// Whether no byte of the server arrives within this time. Its tickets do not count.
    public func isQuiet(milliseconds: Int32) -> Bool {
        let end = ContinuousClock.now + .milliseconds(Int(milliseconds))
        while true {
            var byte: UInt8 = 0
            let error = withoutWaiting {
                let result = SSL_peek(connection, &byte, 1)
                return result > 0 ? SSL_ERROR_NONE : SSL_get_error(connection, result)
            }
            guard error == SSL_ERROR_WANT_READ else { return false }
            guard ContinuousClock.now < end else { return true }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&watched, 1, 1)
        }
    }

    private func withoutWaiting<Result>(_ body: () -> Result) -> Result {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        defer {
            _ = fcntl(descriptor, F_SETFL, flags)
            ERR_clear_error()
        }
        return body()
    }

    /// Whether bytes are decrypted and not received.
    public var hasBytes: Bool { SSL_pending(connection) > 0 }

    /// Tells the server that nothing more comes.
    public func finish() { SSL_shutdown(connection) }

    public var isResumed: Bool { SSL_session_reused(connection) == 1 }

    /// The session, once its ticket has come: after the first bytes of the server.
    public var session: Session? { SSL_get1_session(connection).map(Session.init) }

    deinit {
        // Without an end, OpenSSL regards the session as broken.
        SSL_set_shutdown(connection, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(connection)
        SSL_CTX_free(context)
    }
}
