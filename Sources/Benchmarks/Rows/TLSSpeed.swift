import CTLS
import Foundation

/// The processor time of the daemon for requests over HTTPS beside plain ones: on one connection, with a new connection
/// for each, and with a new connection that resumes a session. A further row has the memory of idle connections.
enum TLSSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            TLSRow("request, one connection", .keptPlain, nil, bench),
            TLSRow(
                "request over TLS, one connection", .kept, ("request, one connection", .atMost(2.0, aim: 1.6)), bench),
            TLSRow("connection and request", .newPlain, nil, bench),
            TLSRow("handshake and request", .new, ("connection and request", .atMost(16, aim: 12)), bench),
            TLSRow("resumed handshake and request", .resumed, ("connection and request", .atMost(12, aim: 9)), bench),
            IdleTLSConnections(bench),
        ]
    }

    /// The daemon with a certificate that openssl makes.
    fileprivate static func server(_ bench: Workbench) throws -> TLSServer {
        try bench.server("tls") { try TLSServer(named: "tls", bench) }
    }

    fileprivate static let request = HTTPText.get("/__lbheartbeat__")
}

/// The daemon with a port for HTTPS.
private final class TLSServer: RunningServer {
    private let plain: BellwetherServer
    let httpsPort: Int
    var pid: pid_t { plain.pid }
    var port: Int { plain.port }

    /// - Parameter name: the name of the daemon's directory.
    init(named name: String, _ bench: Workbench) throws {
        let (chain, key) = ("\(bench.directory)/tls.pem", "\(bench.directory)/tls.key")
        let make = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain,
        ]
        _ = try Child(make, core: bench.loadCore, log: "\(bench.directory)/openssl").finish(within: 60)
        httpsPort = try ReferenceServer.freePort()
        let settings = ["HTTP_TLS_LISTEN": "127.0.0.1:\(httpsPort)", "HTTP_TLS_CERTIFICATES": "\(chain)=\(key)"]
        plain = try BellwetherServer(named: name, recipes: 100, settings: settings, bench: bench)
    }

    func stop() { plain.stop() }
}

private final class TLSRow: Benchmark {
    enum Kind { case keptPlain, kept, newPlain, new, resumed }

    let name: String
    let comparisons: [Comparison]
    private let kind: Kind
    private let bench: Workbench

    init(_ name: String, _ kind: Kind, _ comparison: (base: String, limit: Limit)?, _ bench: Workbench) {
        (self.name, self.kind, self.bench) = (name, kind, bench)
        comparisons = comparison.map { [Comparison(base: $0.base, figure: \.cpu, limit: $0.limit)] } ?? []
    }

    func prepare() throws { _ = try measure(seconds: 1) }

    func sample(round: Int) throws -> Sample? { try measure(seconds: bench.seconds) }

    private func measure(seconds: Int) throws -> Sample {
        let server = try TLSSpeed.server(bench)
        try bench.takeLoadCore()
        let client = try BenchClient()
        let isPlain = kind == .keptPlain || kind == .newPlain
        let port = isPlain ? server.port : server.httpsPort
        let isKept = kind == .keptPlain || kind == .kept
        if kind == .resumed {
            try client.connect(port, isPlain: false, resuming: false)
            // The ticket comes with the first response.
            try client.ask(TLSSpeed.request)
        }
        if isKept { try client.connect(port, isPlain: isPlain, resuming: false) }
        let before = try ProcessUsage.cpu(of: server.pid)
        let end = MonotonicClock.now + Int64(seconds) * 1_000_000_000
        let start = MonotonicClock.now
        var count = 0
        while MonotonicClock.now < end {
            if !isKept { try client.connect(port, isPlain: isPlain, resuming: kind == .resumed) }
            try client.ask(TLSSpeed.request)
            count += 1
        }
        let elapsed = Double(MonotonicClock.now - start) / 1e9
        let cpu = try ProcessUsage.cpu(of: server.pid) - before
        return Sample(cpu: cpu / Double(count), rate: Double(count) / elapsed)
    }
}

/// One blocking connection, plain or over TLS.
private final class BenchClient {
    private let context: OpaquePointer
    private var connection: OpaquePointer?
    private var session: OpaquePointer?
    private var descriptor: Int32 = -1
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init() throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Failure("OpenSSL has no memory") }
        self.context = context
    }

    deinit {
        close()
        SSL_SESSION_free(session)
        SSL_CTX_free(context)
    }

    func connect(_ port: Int, isPlain: Bool, resuming: Bool) throws {
        close()
        descriptor = try LoopbackSocket.connect(to: port)
        guard !isPlain else { return }
        connection = SSL_new(context)
        if resuming, let session { SSL_set_session(connection, session) }
        SSL_set_fd(connection, descriptor)
        guard SSL_connect(connection) == 1 else { throw Failure("the handshake failed") }
        guard !resuming || session == nil || SSL_session_reused(connection) == 1 else {
            throw Failure("the session was not resumed")
        }
    }

    /// Sends a request and receives its response, which is small.
    func ask(_ request: [UInt8]) throws {
        let count = Int32(request.count)
        let sent =
            connection.map { SSL_write($0, request, count) } ?? Int32(send(descriptor, request, request.count, 0))
        guard sent == count else { throw Failure("the server took no request") }
        let size = Int32(buffer.count)
        let received =
            connection.map { SSL_read($0, &buffer, size) } ?? Int32(recv(descriptor, &buffer, buffer.count, 0))
        guard received > 12, buffer.starts(with: Array("HTTP/1.1 200".utf8)) else { throw Failure("no response") }
    }

    private func close() {
        if let connection {
            SSL_SESSION_free(session)
            // The ticket has come before the response.
            session = SSL_get1_session(connection)
            SSL_set_shutdown(connection, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
            SSL_free(connection)
        }
        connection = nil
        if descriptor >= 0 { LoopbackSocket.closeByReset(descriptor) }
        descriptor = -1
    }
}

/// The memory that 1,000 idle connections over TLS take, in megabytes.
private final class IdleTLSConnections: Benchmark {
    let name = "memory of 1,000 connections over TLS"
    let unit: String? = "MB"
    let limit: Limit? = .atMost(25)
    private let bench: Workbench

    init(_ bench: Workbench) { self.bench = bench }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? {
        guard round == 1 else { return nil }
        let server = try TLSServer(named: "idle-tls", bench)
        defer { server.stop() }
        func measured(isPlain: Bool) throws -> Double {
            let clients = try (0..<1_000).map { _ in
                let client = try BenchClient()
                try client.connect(isPlain ? server.port : server.httpsPort, isPlain: isPlain, resuming: false)
                try client.ask(TLSSpeed.request)
                return client
            }
            // Idle connections release their buffers after a short delay.
            usleep(1_500_000)
            return try withExtendedLifetime(clients) { try ProcessUsage.resident(of: server.pid) }
        }
        let plain = try measured(isPlain: true)
        return Sample(quantity: try measured(isPlain: false) - plain)
    }
}
