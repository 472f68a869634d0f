import BellwetherJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// SIGTERM: requests in flight are finished, then the daemon exits with 0
/// (docs/reference/http-api.md#the-command-serve).
@Suite struct DrainTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `It ends with 0 and prints nothing further`(_ signal: Int32) throws {
        let daemon = try Daemon()
        let idle = try daemon.connect()
        try idle.send("GET", "/__lbheartbeat__")
        _ = try idle.receive()
        daemon.signal(signal)
        #expect(try daemon.wait() == 0)
        #expect(daemon.furtherOutput() == nil)
        #expect(try idle.isEnded())
        #expect(daemon.logText.contains("stopped"))
    }

    @Test func `To be told again changes nothing`() throws {
        for _ in 0..<5 {
            let daemon = try Daemon()
            // The signal is repeated until the last line of the log, also after the loop that waits for signals has
            // ended.
            let isStopped = eventually {
                daemon.signal(SIGTERM)
                return daemon.logText.contains("stopped")
            }
            #expect(isStopped)
            #expect(try daemon.wait() == 0)
        }
    }

    @Test func `What was sent before is answered and kept`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"])
        let app = try TestApp(on: daemon)
        try app.publish("x", Sample.survey())
        let clients = try (0..<20).map { _ in try daemon.connect() }
        for (index, client) in clients.enumerated() {
            let answer: JSONValue = ["client_id": .string("c\(index)"), "message": "survey", "option": "1"]
            try client.send("POST", "\(app.path)/responses", body: answer.encoded)
        }
        daemon.signal(SIGTERM)
        let statuses = try clients.map { try $0.receive().status }
        #expect(statuses.allSatisfy { $0 == 201 })
        #expect(try daemon.wait() == 0)
        let again = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        #expect(try again.recorded().filter { $0 == "microsurvey.submit_button_tapped" }.count == 20)
    }

    /// Many clients that send a request as soon as they have the last response, while the daemon stops.
    @Test(arguments: 1...4)
    func `A busy keep-alive connection ends with an answer that says so`(_ round: Int) throws {
        let daemon = try Daemon(["--dev", "--workers", "2"])
        let answered = Mutex(0)
        let clients = (0..<64).map { _ -> @Sendable () throws -> BusyClient.End in
            { try BusyClient(daemon).run { answered.withLock { $0 += 1 } } }
        }
        let stopping = Thread {
            _ = eventually { answered.withLock { $0 } > round * 2000 }
            daemon.signal(SIGTERM)
        }
        stopping.start()
        let ends = try together(clients)
        #expect(try daemon.wait() == 0)
        #expect(ends.count == 64 && ends.count { $0 == .unanswered } == 0)
    }

    @Test func `A request that has begun to arrive is finished`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let body = JSONValue.object(["client_id": "c", "events": [Event.behavior("visit")]]).encoded
        let client = try daemon.connect()
        let head = "POST \(app.path)/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n"
        try client.send(Array((head + "Expect: 100-continue\r\n\r\n").utf8))
        #expect(try client.receive().status == 100)
        daemon.signal(SIGTERM)
        // Wait until the daemon has handled the signal: an earlier response leaves the connection open.
        #expect(eventually { (try? daemon.connect()) == nil })
        try client.send(body)
        let answer = try client.receive()
        #expect(answer.status == 200)
        #expect(answer.header("Connection") == "close")
        #expect(try daemon.wait() == 0)
    }

    @Test func `Who never finishes is cut off at the deadline`() throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_DRAIN_SECONDS": "1"])
        let client = try daemon.connect()
        let head = "POST /v1/apps/a/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
        try client.send(Array((head + "Expect: 100-continue\r\n\r\n").utf8))
        #expect(try client.receive().status == 100)
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(try client.isEnded())
    }
}

/// A client with one connection that always has a request under way, until the daemon closes the connection.
private struct BusyClient {
    enum End {
        /// The last response had `Connection: close`, and nothing came after it.
        case announced
        /// A request got no response.
        case unanswered
        /// A late request got no response, because this client did not get the processor. That is the client's risk.
        case late
    }

    /// The longest delay of a request in time; the daemon keeps an idle connection for a second.
    private static let patience = Duration.milliseconds(500)

    private let connection: HTTPConnection

    init(_ daemon: Daemon) throws { connection = try daemon.connect() }

    func run(_ answered: () -> Void) throws -> End {
        var last = ContinuousClock.now
        while true {
            do {
                try connection.send("GET", "/__lbheartbeat__")
                let isLate = ContinuousClock.now - last > Self.patience
                guard let answer = try? connection.receive() else { return isLate ? .late : .unanswered }
                guard answer.header("Connection") != "close" else {
                    return try connection.isEnded() ? .announced : .unanswered
                }
            } catch {
                return ContinuousClock.now - last > Self.patience ? .late : .unanswered
            }
            last = ContinuousClock.now
            answered()
        }
    }
}
