import TestSupport
import Testing

/// The system calls of a poll: one to read, one to write, and at most one to wait for it.
@Suite struct SystemCallTests {
    private static let connections = 64
    private static let rounds = 50

    @Test(
        .enabled(if: SystemCalls.obstacle == nil, "\(SystemCalls.obstacle ?? "")"),
        .disabled(if: Daemon.isSeveral, "the calls of one process are counted"), arguments: [200, 304])
    func `A keep-alive request takes one call to read, one to write and at most one wait`(_ status: Int) throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        try app.publish("r", Sample.message("m"))
        let clients = try (0..<Self.connections).map { number in
            let tag = try app.poll("c\(number)", "&surface=card").header("ETag") ?? ""
            let condition = status == 304 ? "If-None-Match: \(tag)\r\n" : ""
            let target = "\(app.path)/messages?client_id=c\(number)&surface=card"
            let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(condition)\r\n"
            return (connection: try daemon.connect(), request: Array(request.utf8))
        }
        /// Sends a request on each connection before it reads the first response.
        func poll(rounds: Int) throws {
            for _ in 0..<rounds {
                for client in clients { try client.connection.send(client.request) }
                for client in clients { #expect(try client.connection.receive().status == status) }
            }
        }
        try poll(rounds: 2)
        let calls = try SystemCalls(of: daemon) { try poll(rounds: Self.rounds) }
        let requests = Self.rounds * Self.connections
        #expect(calls["recvfrom"] == requests && calls["sendto"] == requests, "\(calls.description)")
        // One wait serves all requests that are ready. How many are ready is up to the scheduler: at the worst, one.
        // The worker's timers cost a few calls each second, however long the requests take.
        let waits = calls["epoll_wait"]
        let others = calls.total - 2 * requests - waits
        #expect(waits <= requests + requests / 10, "\(requests) requests: \(calls.description)")
        #expect(others <= requests / 10, "\(requests) requests: \(calls.description)")
    }
}
