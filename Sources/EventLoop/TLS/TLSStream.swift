internal import CTLS
internal import Glibc

/// The TLS of one connection: decrypts what its socket receives, and encrypts what it sends.
///
/// It never blocks, and never calls the kernel more than a plain connection would, but for the handshake.
final class TLSStream {
    enum Input {
        /// Bytes that the client sent, at least one.
        case bytes(Int)
        /// Nothing more can be decrypted before the next event.
        case none
        /// The client has ended its side.
        case ended
        /// The connection cannot go on.
        case failed(Failure)
    }

    enum Failure {
        /// The client sent a plain HTTP request.
        case plainHTTP
        case other
    }

    /// The maximum number of records that one event decrypts, so that a fast client does not hold the worker.
    private static let records = 16

    private let connection: OpaquePointer
    /// OpenSSL reads them during the handshake.
    private let credentials: TLSCredentials
    /// Whether the handshake is complete.
    private(set) var isEstablished = false
    /// Whether bytes may be left inside OpenSSL, for which no event comes.
    private(set) var mayHaveMore = false
    /// Whether the handshake waits until the socket is writable.
    private(set) var waitsToWrite = false
    private var hasFailed = false
    /// The number of bytes that were decrypted.
    private var decrypted = 0

    /// Returns nil without memory.
    init?(_ credentials: TLSCredentials, descriptor: Int32, demandsCertificate: Bool) {
        guard let connection = credentials.makeConnection(demandsCertificate: demandsCertificate) else { return nil }
        self.connection = connection
        self.credentials = credentials
        SSL_set_fd(connection, descriptor)
        SSL_set_accept_state(connection)
    }

    /// Decrypts bytes into a buffer, after the handshake if it is not complete.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Input {
        var filled = 0
        var left = Self.records
        waitsToWrite = false
        while filled < buffer.count && left > 0 {
            left -= 1
            ERR_clear_error()
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let result = SSL_read(connection, rest.baseAddress, Int32(clamping: rest.count))
            guard result <= 0 else {
                isEstablished = true
                filled += Int(result)
                decrypted += Int(result)
                continue
            }
            mayHaveMore = false
            return ended(SSL_get_error(connection, result), filled)
        }
        mayHaveMore = true
        return .bytes(filled)
    }

    private func ended(_ error: Int32, _ filled: Int) -> Input {
        if SSL_is_init_finished(connection) == 1 { isEstablished = true }
        switch error {
        case SSL_ERROR_WANT_READ: return filled > 0 ? .bytes(filled) : .none
        case SSL_ERROR_WANT_WRITE:
            waitsToWrite = true
            return filled > 0 ? .bytes(filled) : .none
        case SSL_ERROR_ZERO_RETURN:
            // The end is read again at the next event.
            guard filled == 0 else {
                mayHaveMore = true
                return .bytes(filled)
            }
            return .ended
        default:
            hasFailed = true
            defer { ERR_clear_error() }
            return .failed(bellwether_tls_was_plain_http() == 1 ? .plainHTTP : .other)
        }
    }

    /// Encrypts and sends bytes. Returns how many the kernel accepted, or nil if the connection cannot go on. The rest
    /// must be offered again, with more bytes after it or not.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var sent = 0
        while sent < bytes.count {
            ERR_clear_error()
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let result = SSL_write(connection, rest.baseAddress, Int32(clamping: rest.count))
            guard result <= 0 else {
                sent += Int(result)
                continue
            }
            let error = SSL_get_error(connection, result)
            if error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ { return sent }
            hasFailed = true
            ERR_clear_error()
            return nil
        }
        return sent
    }

    /// The number of bytes that OpenSSL has read, and that were not decrypted, with all that encryption adds; 0 if it
    /// holds none.
    var undecrypted: Int {
        SSL_has_pending(connection) == 1 ? max(0, Int(BIO_number_read(SSL_get_rbio(connection))) - decrypted) : 0
    }

    /// Tells the client that nothing more comes.
    func finish() {
        guard isEstablished, !hasFailed else { return }
        SSL_shutdown(connection)
        ERR_clear_error()
    }

    /// The names in the client's certificate: DNS names, addresses of e-mail, URIs and the common name; empty without a
    /// certificate.
    var clientNames: [String] {
        guard let certificate = SSL_get0_peer_certificate(connection) else { return [] }
        return TLSNames.read(certificate, all: true)
    }

    deinit { SSL_free(connection) }
}
