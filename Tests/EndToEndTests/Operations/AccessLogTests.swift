import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The access log (setting `log.access`), in a file and on standard output.
@Suite struct AccessLogTests {
    private let folder: TemporaryDirectory
    private var file: String { folder.path + "/access.log" }

    init() throws { folder = try TemporaryDirectory() }

    private func daemon(_ environment: [String: String] = [:], log: String? = nil) throws -> Daemon {
        try Daemon(
            ["--dev", "--workers", "2"],
            environment: ["BELLWETHER_LOG_ACCESS": log ?? file].merging(environment) { $1 })
    }

    /// Lets a new daemon answer requests, and ends it. It gives up its last lines if they take longer than two seconds,
    /// and says so; on a slow machine another one may have the time.
    private func end(after requests: (Daemon) throws -> Void) throws {
        for _ in 0..<10 {
            for path in [file, file + ".1"] { try? FileManager.default.removeItem(atPath: path) }
            let daemon = try self.daemon()
            try requests(daemon)
            daemon.signal(SIGTERM)
            #expect(try daemon.wait() == 0)
            if !daemon.logText.contains("the access log is not whole") { return }
        }
        throw Failure("ten daemons had no time for their last lines")
    }

    /// The lines of a file once it has this many. They are written after the responses.
    private func lines(_ count: Int, of path: String? = nil) throws -> [JSONValue] {
        var lines: [JSONValue] = []
        _ = try eventually {
            let text = (try? Data(contentsOf: URL(fileURLWithPath: path ?? file))) ?? Data()
            guard text.isEmpty || text.last == 0x0A else { return false }
            lines = try text.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
            return lines.count >= count
        }
        return lines
    }

    @Test func `Each request has a line, all of them when the daemon has ended`() throws {
        var path = ""
        try end { daemon in
            let app = try TestApp(on: daemon)
            path = app.path
            _ = try app.poll("somebody", headers: ["X-Request-Id": "poll-1"])
            try app.record("somebody", Event.behavior("visit"))
            _ = try daemon.get("/nowhere")
        }
        let all = try lines(4)
        #expect(all.map { $0["status"] } == [201, 200, 200, 404])
        #expect(all.map { $0["method"] } == ["PUT", "GET", "POST", "GET"])
        #expect(all[1]["id"] == "poll-1" && all[1]["path"] == .string("\(path)/messages"))
        #expect(all.allSatisfy { $0["peer"] == "127.0.0.1" })
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("somebody"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect((mode ?? 0) & 0o007 == 0)
    }

    @Test func `SIGHUP opens the file anew, and none is lost between`() throws {
        try end { daemon in
            for _ in 0..<5 { _ = try daemon.get("/__version__") }
            #expect(try lines(5).count == 5)
            try FileManager.default.moveItem(atPath: file, toPath: file + ".1")
            for _ in 0..<5 { _ = try daemon.get("/__version__") }
            #expect(try lines(10, of: file + ".1").count == 10)
            daemon.signal(SIGHUP)
            #expect(eventually { FileManager.default.fileExists(atPath: file) })
            for _ in 0..<5 { _ = try daemon.get("/__version__") }
        }
        // A request that arrived while the file was reopened may be in either file. All lines are written when the
        // daemon has ended.
        #expect(try lines(0).count + lines(0, of: file + ".1").count == 15)
    }

    @Test func `On standard output the lines come after the one that says where it listens`() throws {
        let daemon = try self.daemon(log: "-")
        _ = try daemon.get("/__version__")
        let line = try #require(daemon.furtherOutput())
        #expect(try JSONValue(parsing: Array(line.utf8))["path"] == "/__version__")
    }

    @Test func `Without the setting there is no log`() throws {
        let daemon = try Daemon()
        _ = try daemon.get("/__version__")
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(daemon.furtherOutput() == nil)
    }

    @Test func `A file that cannot be opened stops the start, and a reload keeps what was`() throws {
        let refused = try Command.run(
            [BellwetherProgram.path, "serve", "--dev", "--port", "0", "--data", folder.path + "/data"],
            environment: ["BELLWETHER_LOG_ACCESS": folder.path + "/none/access.log"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("log.access") && refused.errors.contains("/none/access.log"))
        let config = try folder.write("log: {access: \(file)}\n", to: "c.yaml")
        let daemon = try Daemon(["--dev", "--config", config])
        try folder.write("log: {access: \(folder.path)/none/access.log}\n", to: "c.yaml")
        daemon.signal(SIGHUP)
        #expect(eventually { daemon.logText.contains("the configuration was not reloaded") })
        _ = try daemon.get("/__version__")
        #expect(try lines(1).count == 1)
    }

    /// /dev/full accepts no data: the lines are counted, and the daemon continues to serve.
    @Test func `What cannot be written is counted`() throws {
        let daemon = try self.daemon(log: "/dev/full")
        for _ in 0..<5 { _ = try daemon.get("/__version__") }
        func dropped() throws -> Double? {
            try PrometheusText(try daemon.get("/metrics").text).values["bellwether_access_log_dropped_total"]
        }
        #expect(try eventually { try dropped() ?? 0 >= 5 })
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    @Test func `Behind a trusted proxy the client is who the proxy says it is`() throws {
        let daemon = try self.daemon(["BELLWETHER_HTTP_TRUSTED_PROXIES": "127.0.0.0/8,10.0.0.0/8"])
        let headers = ["X-Forwarded-For": "6.6.6.6, 203.0.113.9, 10.0.0.7", "Forwarded": "for=7.7.7.7"]
        _ = try daemon.get("/__version__", headers: headers)
        #expect(try lines(1).map { $0["peer"] } == ["203.0.113.9"])
    }

    @Test func `Without one nobody is believed`() throws {
        let daemon = try self.daemon()
        _ = try daemon.get("/__version__", headers: ["X-Forwarded-For": "203.0.113.9"])
        #expect(try lines(1).map { $0["peer"] } == ["127.0.0.1"])
    }

    @Test func `What is no block of addresses stops the start`() throws {
        let yaml = "http: {trusted_proxies: [10.0.0.1/8, proxy], forwarded_field: X-Real-IP}\n"
        let config = try folder.write(yaml, to: "c.yaml")
        let refused = try Command.bellwether("serve", "--check", "--config", config)
        #expect(refused.status == 1)
        for part in ["\"10.0.0.1/8\"", "\"proxy\"", "X-Real-IP"] { #expect(refused.errors.contains(part)) }
    }
}
