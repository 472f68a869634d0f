import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Tokens that the daemon issues: every worker accepts or refuses a token before the request that created or revoked it
/// is answered.
@Suite struct IssuedTokenTests {
    private static let path = "/v1/apps/one/messages?client_id=c"

    /// A daemon with a configured administrator and four workers.
    private static func daemon(data: TemporaryDirectory? = nil) throws -> Daemon {
        try Daemon(
            ["--workers", "4"], data: data,
            environment: ["BELLWETHER_TOKENS": "root:admin:*:\(GuardedDaemon.digest("root"))"])
    }

    private let root = GuardedDaemon.bearer("root")

    private func make(_ daemon: Daemon, _ more: JSONObject = [:]) throws -> String {
        var body: JSONObject = ["name": "phones", "scope": "client", "app": "*"]
        for (key, value) in more { body[key] = value }
        let answer = try daemon.post("/v1/tokens", .object(body), headers: root)
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json["token"].string ?? ""
    }

    @Test func `The next request on every worker knows`() throws {
        let daemon = try Self.daemon()
        // The kernel spreads connections over the four workers by their ports: with 40 connections, each worker gets
        // some.
        let connections = try (0..<40).map { _ in try daemon.connect() }
        func statuses(_ token: String) throws -> Set<Int> {
            for connection in connections {
                try connection.send("GET", Self.path, headers: GuardedDaemon.bearer(token))
            }
            return Set(try connections.map { try $0.receive().status })
        }
        for _ in 1...5 {
            let text = try make(daemon)
            #expect(try statuses(text) == [404])
            #expect(try daemon.send("DELETE", "/v1/tokens/phones", headers: root).status == 204)
            #expect(try statuses(text) == [401])
        }
    }

    @Test func `It survives a crash, and so does its revocation`() throws {
        var daemon = try Self.daemon()
        let kept = try make(daemon)
        let revoked = try make(daemon, ["name": "lost"])
        #expect(try daemon.send("DELETE", "/v1/tokens/lost", headers: root).status == 204)
        try daemon.kill()
        daemon = try Self.daemon(data: daemon.data)
        #expect(try daemon.get(Self.path, headers: GuardedDaemon.bearer(kept)).status == 404)
        #expect(try daemon.get(Self.path, headers: GuardedDaemon.bearer(revoked)).status == 401)
    }

    @Test func `A reload of the configuration leaves it`() throws {
        let folder = try TemporaryDirectory()
        func write(_ name: String) throws -> String {
            try folder.write("tokens:\n  - \(name):admin:*:\(try GuardedDaemon.digest(name))\n", to: "c.yaml")
        }
        let daemon = try Daemon(["--config", try write("root")])
        let text = try make(daemon)
        _ = try write("next")
        daemon.signal(SIGHUP)
        let next = GuardedDaemon.bearer("next")
        #expect(eventually { daemon.reloads == 1 })
        #expect(try daemon.get("/v1/tokens", headers: next).status != 401)
        #expect(try daemon.get("/v1/tokens", headers: root).status == 401)
        #expect(try daemon.get(Self.path, headers: GuardedDaemon.bearer(text)).status == 404)
    }

    @Test func `It expires by the daemon's clock`() throws {
        let daemon = try Self.daemon()
        // On a slow machine, a time that is too near may pass before the token is made.
        var token: String?
        for seconds in [2.0, 8, 32] where token == nil {
            let expires = JSONValue.string(Date(timeIntervalSinceNow: seconds).ISO8601Format())
            let body: JSONValue = ["name": "phones", "scope": "client", "app": "*", "expires": expires]
            token = try daemon.post("/v1/tokens", body, headers: root).json["token"].string
        }
        let text = try #require(token)
        #expect(try eventually { try daemon.get(Self.path, headers: GuardedDaemon.bearer(text)).status == 401 })
        let answer = try daemon.get(Self.path, headers: GuardedDaemon.bearer(text))
        expectProblem(answer, 401)
        #expect(answer.json["detail"].string?.contains("expired") == true)
    }

    @Test func `Two that want one name get one`() throws {
        let daemon = try Self.daemon()
        let connections = try (0..<16).map { _ in try daemon.connect() }
        let body: JSONValue = ["name": "n", "scope": "client", "app": "*"]
        for connection in connections {
            try connection.send("POST", "/v1/tokens", headers: root, body: body.encoded)
        }
        let statuses = try connections.map { try $0.receive().status }
        #expect(statuses.sorted() == [201] + [Int](repeating: 409, count: 15))
    }

    @Test func `Its text is in no file and no log`() throws {
        let daemon = try Self.daemon()
        let text = try make(daemon)
        _ = try daemon.get(Self.path, headers: GuardedDaemon.bearer(text))
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let found = try Command.run(["grep", "--recursive", "--files-with-matches", text, daemon.data.path])
        #expect((found.status, found.output) == (1, ""))
        #expect(daemon.logText.contains("token made"))
    }
}
