import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The messages to a service manager (sd_notify(3)), over a real socket.
@Suite struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func `Ready when it listens, reloading and ready again, and stopping`(_ isAbstract: Bool) throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        let daemon = try Daemon(environment: ["NOTIFY_SOCKET": socket.name])
        #expect(try socket.receive() == ["READY=1", "STATUS=listening on http://127.0.0.1:\(daemon.port)"])
        daemon.signal(SIGHUP)
        let reloading = try socket.receive()
        #expect(reloading.first == "RELOADING=1")
        let time = try #require(reloading.last.flatMap { $0.wholeMatch(of: /MONOTONIC_USEC=([0-9]+)/) }?.output.1)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        #expect((UInt64(now.tv_sec - 60) * 1_000_000...UInt64(now.tv_sec + 1) * 1_000_000).contains(UInt64(time) ?? 0))
        #expect(try socket.receive().first == "READY=1")
        daemon.signal(SIGTERM)
        #expect(try socket.receive() == ["STOPPING=1", "STATUS=draining"])
        #expect(try daemon.wait() == 0)
    }

    @Test func `A configuration that was not reloaded is told, in one line`() throws {
        let socket = try NotifySocket(isAbstract: true)
        let folder = try TemporaryDirectory()
        let config = try folder.write("log: {level: info}\n", to: "c.yaml")
        let daemon = try Daemon(["--dev", "--config", config], environment: ["NOTIFY_SOCKET": socket.name])
        _ = try socket.receive()
        try folder.write("a: [", to: "c.yaml")
        daemon.signal(SIGHUP)
        _ = try socket.receive("RELOADING=1")
        let ready = try socket.receive()
        #expect(ready.count == 2 && ready.first == "READY=1")
        #expect(ready.last?.contains("was not reloaded") == true)
    }

    /// Each watchdog message has passed the main loop and every worker.
    @Test func `Signs of life come as often as they are wanted, and not for another process`() throws {
        let socket = try NotifySocket(isAbstract: true)
        var environment = ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "20000"]
        let daemon = try Daemon(["--dev", "--workers", "2"], environment: environment)
        for _ in 0..<3 { _ = try socket.receive("WATCHDOG=1") }
        #expect(try daemon.get("/__lbheartbeat__").status == 200)
        try daemon.kill()
        environment["WATCHDOG_PID"] = "1"
        let other = try NotifySocket(isAbstract: true)
        environment["NOTIFY_SOCKET"] = other.name
        let second = try Daemon(["--dev"], environment: environment)
        #expect(try other.receive().first == "READY=1")
        second.signal(SIGTERM)
        #expect(try other.receive().first == "STOPPING=1")
        #expect(try second.wait() == 0)
    }

    @Test(arguments: ["relative", "", "@", "/nowhere/at/all", "@" + String(repeating: "n", count: 200), "vsock:2:1"])
    func `A socket that cannot be told is no reason not to serve`(_ name: String) throws {
        let daemon = try Daemon(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "x"])
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }
}
