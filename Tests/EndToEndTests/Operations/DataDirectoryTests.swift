import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// One data directory, one daemon (api.md 5).
@Suite struct DataDirectoryTests {
    @Test func `A second daemon on the same directory refuses to start, in a sentence`() throws {
        let daemon = try Daemon()
        let second = try Command.bellwether("serve", "--dev", "--port", "0", "--data", daemon.data.path + "/data")
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("in use by another process"))
        #expect(!second.errors.contains("unusable("))
        #expect(try daemon.get("/__lbheartbeat__").status == 200)
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let next = try Daemon(data: daemon.data)
        #expect(try next.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test func `A directory that cannot be used is told`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("in the way", to: "file")
        let result = try Command.bellwether("serve", "--dev", "--port", "0", "--data", file + "/data")
        #expect(result.status == 1)
        #expect(result.errors.contains(file))
    }

    @Test func `A port that is taken is told`() throws {
        // Other daemons would share a port on purpose (SO_REUSEPORT); this socket does not.
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(other, $0, length)
                _ = listen(other, 1)
                getsockname(other, $0, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        let folder = try TemporaryDirectory()
        let result = try Command.bellwether("serve", "--dev", "--port", "\(port)", "--data", folder.path + "/data")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Cannot listen on 127.0.0.1 port \(port)"))
    }

    @Test func `The derived uuid of a press survives a restart`() throws {
        let daemon = try Daemon()
        var app = try TestApp(on: daemon)
        try app.publish("x", Sample.message("m", ["action": "https://example.org/{uuid}"]))
        let uuid = try app.poll().json["messages"][0]["action"]["uuid"]
        try daemon.kill()
        app = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        #expect(try app.poll().json["messages"][0]["action"]["uuid"] == uuid)
        #expect(uuid != .null)
    }
}
