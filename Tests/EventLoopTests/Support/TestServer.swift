import EventLoop
import Foundation
import HTTPWire
import Synchronization
import TestSupport

/// A running server with its board. It is drained when the test releases it.
final class TestServer {
    let server: Server
    let board = Board()

    /// - Parameters:
    ///   - credentials: the certificates and keys; without any, the tests' shared ones.
    ///   - secret: the secret from which the keys of tickets are derived.
    init(
        workers: Int = 1, credentials: [(chain: String, key: String)] = [], secret: UInt8 = 1,
        adjust: (inout Limits) -> Void = { _ in }
    ) throws {
        var limits = Limits()
        // Machines under load are slow: only tests about a time limit make it short.
        limits.idleSeconds = 3600
        limits.handshakeSeconds = 600
        limits.headSeconds = 600
        limits.contentSeconds = 600
        limits.writeSeconds = 600
        limits.streamWriteSeconds = 600
        limits.drainSeconds = 600
        limits.lingerSeconds = 30
        limits.drainIdleSeconds = 0.05
        adjust(&limits)
        var settings = ServerSettings(host: "127.0.0.1", port: 0, workers: workers, limits: limits)
        settings.further = [.https, .httpsWithCertificate, .redirect].map {
            ListenAddress(.network(host: "127.0.0.1", port: 0), $0)
        }
        server = try Server(settings, credentials: try Self.credentials(credentials, secret: secret)) { [board] in
            TestResponder($0, $1, board)
        }
        try server.start()
    }

    static func credentials(
        _ certificates: [(chain: String, key: String)] = [], secret: UInt8 = 1
    ) throws -> TLSCredentials {
        let shared = try TestCertificates.shared.get()
        let files = certificates.isEmpty ? [(chain: shared.chain, key: shared.key)] : certificates
        func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
        return try TLSCredentials(
            files.map { TLSCertificate(chain: try read($0.chain), key: try read($0.key), name: $0.chain) },
            authorities: TLSCertificate(chain: try read(shared.authority), key: [], name: shared.authority),
            secret: [UInt8](repeating: secret, count: TLSCredentials.secretBytes), now: Int64(time(nil)))
    }

    deinit { server.drain { _ in } }

    /// The port of plain HTTP, or of HTTPS if the tests speak TLS.
    var port: Int { TestCertificates.areUsed ? httpsPort : server.port }
    var httpsPort: Int { server.ports[1] }
    var certificatePort: Int { server.ports[2] }
    var redirectPort: Int { server.ports[3] }
    var statistics: ServerStatistics { server.statistics }

    func client() throws -> TestClient { try TestClient(port) }

    /// Begins a drain; the returned box has its result when the drain is over.
    func drain() -> Box<Bool> {
        let box = Box<Bool>()
        server.drain { box.value = $0 }
        return box
    }

    /// Begins a drain of a server with one worker, and waits until it has begun: a connection without a request is
    /// closed then.
    func beginDrain() throws -> Box<Bool> {
        let idle = try client()
        idle.send(.get("/idle"))
        _ = try idle.answer()
        let drained = drain()
        _ = try idle.rest()
        return drained
    }

    /// Waits until the server has noticed the test's actions.
    func eventually(_ condition: (TestServer) -> Bool) -> Bool { TestSupport.eventually { condition(self) } }
}

/// A value that another thread sets.
final class Box<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension String {
    /// A request without content.
    static func get(_ path: String, _ headers: String...) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n"
    }

    static func post(_ path: String, _ content: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"
    }
}
