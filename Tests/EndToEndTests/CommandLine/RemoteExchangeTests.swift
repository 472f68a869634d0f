import Foundation
import TestSupport
import Testing

/// The commands call a daemon through libcurl, which only they load
/// (docs/decisions/archive/0024-the-command-line-loads-libcurl.md).
@Suite struct RemoteExchangeTests {
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer() }

    private func command(_ arguments: String..., environment: [String: String] = [:]) throws -> RunningCommand {
        let own = ["BELLWETHER_TOKEN": "bw_secret", "BELLWETHER_URL": server.url]
        return try RunningCommand([BellwetherProgram.path] + arguments, environment: own.merging(environment) { $1 })
    }

    @Test func `A request says who asks, and is answered`() throws {
        let list = try command("token", "list", "--json")
        let head = try server.receive()
        #expect(head.hasPrefix("GET /v1/tokens HTTP/1.1\r\n"))
        #expect(head.contains("\r\nAuthorization: Bearer bw_secret\r\n"))
        let body = #"{"tokens":[{"name":"n"}]}"#
        server.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(list.readLine() == #"{"name":"n"}"#)
        #expect(try list.wait() == 0)
    }

    @Test(arguments: [301, 302, 307, 308])
    func `A redirect is not followed, and a token is sent nowhere else`(_ status: Int) throws {
        let other = try ScriptedServer()
        let list = try command("token", "list")
        _ = try server.receive()
        server.send("HTTP/1.1 \(status) Moved\r\nLocation: \(other.url)/v1/tokens\r\nContent-Length: 0\r\n\r\n")
        #expect(try list.wait() == 1)
        #expect(list.errors.contains("The daemon answered \(status)."))
        #expect(!list.errors.contains("bw_secret"))
        #expect(!other.isAwaited && !server.isAwaited)
    }

    /// `tail` uses the cursor of the final head, with its name in any case; the interim head does not count.
    @Test func `Requests go over one connection, and an interim answer is none`() throws {
        let tail = try command("tail", "--app", "a")
        #expect(try server.receive().contains("/v1/apps/a/telemetry?limit=1000&last=0 "))
        server.send("HTTP/1.1 103 Early Hints\r\nBellwether-Next: early\r\nX: y\r\n\r\n")
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try server.receive().contains("&after=&wait=60 "))
        server.send("HTTP/1.1 200 OK\r\nBELLWETHER-next:  t7 \r\nContent-Length: 0\r\n\r\n")
        #expect(try server.receive().contains("&after=t7&wait=60 "))
        #expect(!server.isAwaited)
        tail.signal(SIGINT)
        #expect(try tail.wait() == 0)
        #expect(tail.errors == "")
    }

    /// Each error is one sentence from libcurl, without control characters for a terminal.
    @Test(arguments: [
        "", "nonsense\u{1B}[2J\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 ",
    ])
    func `What is no answer is a failure`(_ text: String) throws {
        let list = try command("token", "list")
        _ = try server.receive()
        server.send(text)
        server.hangUp()
        #expect(try list.wait() == 1)
        let lines = list.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("Error: \(server.url) cannot be reached: "))
        #expect(!list.errors.contains("bw_secret") && !list.errors.contains("\u{1B}"))
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"])
    func `An answer that is no JSON is told`(_ text: String) throws {
        let list = try command("token", "list")
        _ = try server.receive()
        server.send(text)
        #expect(try list.wait() == 1)
        #expect(list.errors.contains("The answer is not JSON"))
    }

    @Test func `Plain HTTP where TLS was asked for is told`() throws {
        let port = try Servers.shared().port
        let list = try command("token", "list", "--url", "https://127.0.0.1:\(port)")
        #expect(try list.wait() == 1)
        #expect(list.errors.hasPrefix("Error: https://127.0.0.1:\(port) cannot be reached: "))
        #expect(list.errors.split(separator: "\n").count == 1 && !list.errors.contains("bw_secret"))
    }

    /// Files of that name that are not libraries are found first.
    @Test func `A libcurl that is missing is told, and only to those who need it`() throws {
        let folder = try TemporaryDirectory()
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] { try folder.write("none", to: name) }
        let environment = ["LD_LIBRARY_PATH": folder.path]
        let list = try command("token", "list", environment: environment)
        #expect(try list.wait() == 1)
        #expect(list.errors.contains("libcurl.so.4 is not installed (apt-get install libcurl4)"))
        #expect(!server.isAwaited)
        #expect(try Command.bellwether("token", "hash", environment: environment, input: "test").status == 0)
    }

    /// A library that the daemon never uses occupies no memory of it.
    @Test func `A daemon that serves has neither libcurl nor FoundationNetworking`() throws {
        // Other tests let the shared daemon call servers.
        let daemon = try Daemon()
        _ = try daemon.get("/__heartbeat__")
        let maps = try String(contentsOfFile: "/proc/\(daemon.pid)/maps", encoding: .utf8)
        #expect(maps.contains("/bellwether"))
        for library in ["libcurl", "FoundationNetworking"] { #expect(!maps.contains(library)) }
    }
}
