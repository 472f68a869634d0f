import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The first start of an installation without tokens issues one and prints it once.
@Suite struct FirstTokenTests {
    private static let mark = "shown this once): "

    private func shown(_ daemon: Daemon) -> [String] {
        daemon.logText.split(separator: "\n").compactMap { line in
            line.range(of: Self.mark).map { String(line[$0.upperBound...]) }
        }
    }

    private func status(_ daemon: Daemon, _ token: String) throws -> Int {
        try daemon.get("/v1/tokens", headers: GuardedDaemon.bearer(token)).status
    }

    @Test func `It is shown on standard error once, and opens everything`() throws {
        let daemon = try Daemon([])
        let token = try #require(shown(daemon).first)
        #expect(shown(daemon).count == 1)
        #expect(token.hasPrefix("bw_"))
        #expect(try status(daemon, token) == 200)
        let manifest = try daemon.put(
            "/v1/apps/a/manifest", TestApp.manifest, headers: GuardedDaemon.bearer(token))
        #expect(manifest.status == 201)
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(daemon.furtherOutput() == nil)
        let next = try Daemon([], data: daemon.data)
        #expect(shown(next) == [])
        #expect(try status(next, token) == 200)
    }

    @Test func `It is not made again when it was revoked`() throws {
        let daemon = try Daemon([])
        let token = try #require(shown(daemon).first)
        let answer = try daemon.send("DELETE", "/v1/tokens/admin", headers: GuardedDaemon.bearer(token))
        #expect(answer.status == 204)
        try daemon.kill()
        let next = try Daemon([], data: daemon.data)
        #expect(shown(next) == [])
        #expect(try status(next, token) == 401)
    }

    @Test func `Who has tokens, or asks for none, gets none`() throws {
        let tokens = ["BELLWETHER_TOKENS": "root:admin:*:\(try GuardedDaemon.digest("root"))"]
        let configured = try Daemon([], environment: tokens)
        #expect(shown(configured) == [])
        #expect(
            try configured.get("/v1/tokens", headers: GuardedDaemon.bearer("root")).json["tokens"].array?.count == 1)
        let open = try Daemon(["--dev"])
        #expect(shown(open) == [])
        #expect(try open.get("/v1/tokens").json["tokens"] == [])
    }
}
