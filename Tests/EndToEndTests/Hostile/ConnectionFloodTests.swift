import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// More connections than the limit allows.
@Suite struct ConnectionFloodTests {
    @Test func `A flood is turned away, those inside are served, and there is room again after it`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"], environment: ["BELLWETHER_LIMITS_CONNECTIONS": "50"])
        let inside = try (0..<40).map { _ in
            let connection = try daemon.connect()
            try connection.send("GET", "/__lbheartbeat__")
            #expect(try connection.receive().status == 200)
            return connection
        }
        try expectMemory(of: daemon, within: 40) {
            for _ in 0..<5 {
                let flood = try (0..<300).map { _ in try daemon.connect() }
                for connection in inside {
                    try connection.send("GET", "/__lbheartbeat__")
                    #expect(try connection.receive().status == 200)
                }
                withExtendedLifetime(flood) {}
            }
        }
        // A client after the flood may still find the connections at the limit; it is then told to retry.
        #expect(eventually { (try? daemon.get("/__lbheartbeat__").status) == 200 })
    }

    @Test func `Where few files may be open, a flood leaves the daemon those that it needs`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"], openFiles: 256)
        let app = try TestApp(on: daemon)
        for _ in 0..<3 {
            let flood = try (0..<600).map { _ in try daemon.connect() }
            withExtendedLifetime(flood) {}
        }
        #expect(eventually { (try? app.poll().status) == 200 })
        #expect(throws: Failure.self) { _ = try Daemon(["--dev", "--workers", "2"], openFiles: 100) }
    }

    @Test func `Ten thousand idle connections cost little, and others are served`() throws {
        let count = try min(10_000, Self.descriptors() - 2000)
        let daemon = try Daemon(
            ["--dev", "--workers", "2"],
            environment: ["BELLWETHER_LIMITS_CONNECTIONS": "20000", "BELLWETHER_LIMITS_IDLE_SECONDS": "3600"])
        let app = try TestApp(on: daemon)
        #expect(try app.poll().status == 200)
        // 4 KB for each connection, and a margin for the clients that are served.
        let idle = try expectMemory(of: daemon, within: 10 + count * 4 / 1024) {
            let idle = try (0..<count).map { _ in try daemon.connect() }
            // The connections are accepted once the daemon has counted them.
            #expect(eventually { (try? daemon.metric("bellwether_connections")) == count + 1 })
            for number in 0..<50 {
                #expect(try app.poll("c\(number)").status == 200)
                try app.record("c\(number)", Event.behavior("visit"))
            }
            return idle
        }
        for connection in [idle.first, idle.last].compactMap(\.self) {
            try connection.send("GET", "/__lbheartbeat__")
            #expect(try connection.receive().status == 200)
        }
    }

    /// Raises the limit of open files of this process to the system's maximum, and returns it.
    private static func descriptors() throws -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw Failure("no limit") }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }

    @Test func `Requests that are broken off by the hundred leave nothing behind`() throws {
        let daemon = try Daemon(["--dev", "--workers", "2"])
        let app = try TestApp(on: daemon)
        let wait = "\(app.path)/telemetry?wait=60"
        for round in 0..<200 {
            let connection = try daemon.connect()
            switch round % 3 {
            case 0: try connection.send("GET", wait)
            case 1: try connection.send(Array("POST \(app.path)/events HTTP/1.1\r\nHost: localhost\r\n".utf8))
            default: try connection.send("GET", "\(app.path)/messages?client_id=c")
            }
        }
        let isEmpty = eventually {
            // The request for the metrics has one connection.
            (try? daemon.metric("bellwether_connections")) == 1
                && (try? daemon.metric("bellwether_exchanges_parked")) == 0
        }
        #expect(isEmpty)
        #expect(try app.poll().status == 200)
    }
}
