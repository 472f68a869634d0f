import BellwetherJSON
import TestSupport
import Testing

/// Hundreds of clients that keep their connections: other clients are served, and memory is bounded.
@Suite struct SlowClientTests {
    private static let beginnings = [
        "G", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "GET / HTTP/1.1\r\n",
        "POST /v1/apps/a/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{",
        "PUT /v1/apps/a/recipes/r HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12000\r\n\r\n{",
        "POST /v1/apps/a/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nfff",
    ]

    private func expectServing(_ app: TestApp) throws {
        for number in 0..<20 {
            #expect(try app.poll("c\(number)").status == 200)
            try app.record("c\(number)", Event.behavior("visit"))
        }
    }

    @Test func `Heads and bodies that never end`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"])
        let app = try TestApp(on: daemon)
        try expectServing(app)
        try expectMemory(of: daemon, within: 60) {
            let slow = try (0..<600).map { _ in try daemon.connect() }
            for round in 0..<3 {
                for (number, connection) in slow.enumerated() {
                    let text = round == 0 ? Self.beginnings[number % Self.beginnings.count] : "a"
                    try? connection.send(Array(text.utf8))
                }
                try expectServing(app)
            }
        }
    }

    @Test func `Each of them is told that its time is over`() throws {
        let daemon = try Daemon(environment: [
            "BELLWETHER_LIMITS_HEAD_SECONDS": "1", "BELLWETHER_LIMITS_BODY_SECONDS": "1",
        ])
        let slow = try (0..<120).map { number in
            let connection = try daemon.connect()
            try connection.send(Array(Self.beginnings[number % Self.beginnings.count].utf8))
            return connection
        }
        for connection in slow {
            expectProblem(try connection.receive(), 408)
            #expect(try connection.isEnded())
        }
    }

    @Test(arguments: ["Content-Length: \(12 << 20)\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nC00000\r\n"])
    func `Bodies that together are too much`(_ framing: String) throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_BUFFERED_BYTES": "\(16 << 20)"])
        let app = try TestApp(on: daemon)
        try expectServing(app)
        try expectMemory(of: daemon, within: 120) {
            let head = "PUT \(app.path)/recipes/r HTTP/1.1\r\nHost: localhost\r\n" + framing
            let part = Array(head.utf8) + [UInt8](repeating: 0x20, count: 8 << 20)
            let slow = try (0..<20).map { _ in
                let connection = try daemon.connect()
                // Refused connections are closed while the client still sends.
                try? connection.send(part)
                return connection
            }
            try expectServing(app)
            // The kernel may still have bodies that the daemon has not read.
            try waitUntil("most are refused") {
                let metrics = try PrometheusText(try daemon.get("/metrics").text)
                return (metrics.values[#"bellwether_rejected_total{reason="overload"}"#] ?? 0) >= 18
            }
            withExtendedLifetime(slow) {}
        }
        try app.publish("r", Sample.message("m"))
    }

    @Test func `Readers that do not read`() throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_BUFFERED_BYTES": "\(32 << 20)"])
        let app = try TestApp(on: daemon)
        try app.publish("long", Sample.message("m", ["text": .string(String(repeating: "x", count: 8 << 20))]))
        #expect(try daemon.get("\(app.path)/bundle").body.count > 8 << 20)
        try expectMemory(of: daemon, within: 150) {
            let slow = try (0..<60).map { _ in
                let connection = try daemon.connect()
                try connection.send("GET", "\(app.path)/bundle")
                return connection
            }
            try expectServing(app)
            withExtendedLifetime(slow) {}
        }
    }

    @Test func `Connections on which nothing ever comes are closed`() throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_IDLE_SECONDS": "1"])
        let silent = try (0..<200).map { _ in try daemon.connect() }
        let served = try (0..<200).map { _ in
            let connection = try daemon.connect()
            // On a slow machine the connection may be closed before this.
            try? connection.send("GET", "/__lbheartbeat__")
            _ = try? connection.receive()
            return connection
        }
        for connection in silent + served { #expect(try connection.isEnded()) }
        #expect(eventually { (try? daemon.get("/__lbheartbeat__").status) == 200 })
    }
}
