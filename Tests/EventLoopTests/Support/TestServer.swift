import EventLoop
import HTTPWire
import Synchronization
import TestSupport

/// A running server with its board. It is drained when the test releases it.
final class TestServer {
    let server: Server
    let board = Board()

    init(workers: Int = 1, adjust: (inout Limits) -> Void = { _ in }) throws {
        var limits = Limits()
        // Machines under load are slow: only tests about a time limit make it short.
        limits.drainSeconds = 30
        limits.lingerSeconds = 30
        limits.drainIdleSeconds = 0.05
        adjust(&limits)
        let settings = ServerSettings(host: "127.0.0.1", port: 0, workers: workers, limits: limits)
        server = try Server(settings) { [board] in TestResponder($0, $1, board) }
        try server.start()
    }

    deinit { server.drain { _ in } }

    var port: Int { server.port }
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
