import BellwetherJSON
import TestSupport
import Testing

/// Sessions of people over real sockets: approvals and the audit name them, and no secret is stored.
@Suite struct SessionTests {
    private static let own = ["Sec-Fetch-Site": "same-origin"]
    private let folder: TemporaryDirectory
    private let daemon: Daemon
    private let root = GuardedDaemon.bearer("root")

    /// Four workers, approval by a second person, and tokens that the daemon issues.
    init() throws {
        folder = try TemporaryDirectory()
        let tokens = "tokens: [\"root:admin:*:\(try GuardedDaemon.digest("root"))\"]\n"
        let file = try folder.write("publish: {require_approval: true}\n" + tokens, to: "c.yaml")
        daemon = try Daemon(["--config", file, "--workers", "4"])
        let made = try daemon.put("/v1/apps/a/manifest", TestApp.manifest, headers: root)
        guard made.status == 201 else { throw Failure("no app: \(made.text)") }
    }

    private func issue(_ name: String) throws -> String {
        let body: JSONValue = ["name": .string(name), "scope": "owner", "app": "a"]
        let answer = try daemon.post("/v1/tokens", body, headers: root)
        return try #require(answer.json["token"].string)
    }

    /// The headers that a browser sends automatically.
    private func signIn(_ token: String) throws -> [String: String] {
        let answer = try daemon.post("/v1/session", ["token": .string(token)], headers: Self.own)
        #expect(answer.status == 201, "\(answer.text)")
        let cookie = try #require(answer.header("Set-Cookie")).prefix { $0 != ";" }
        return Self.own.merging(["Cookie": String(cookie)]) { $1 }
    }

    @Test func `Every worker knows a session, and knows it no more`() throws {
        let anna = try signIn(try issue("anna"))
        // The kernel spreads connections over the four workers by their ports: with 40 connections, each worker gets
        // some.
        func statuses() throws -> Set<Int> {
            Set(try (0..<40).map { _ in try daemon.get("/v1/session", headers: anna).status })
        }
        #expect(try statuses() == [200])
        #expect(try daemon.send("DELETE", "/v1/session", headers: anna).status == 204)
        #expect(try statuses() == [401])
        let next = try signIn(try issue("ben"))
        #expect(try daemon.send("DELETE", "/v1/tokens/ben", headers: root).status == 204)
        #expect(try (0..<40).allSatisfy { _ in try daemon.get("/v1/session", headers: next).status == 401 })
    }

    @Test func `Approvals and the audit name the person`() throws {
        let texts = try ["anna", "ben"].map(issue)
        let (anna, ben) = (try signIn(texts[0]), try signIn(texts[1]))
        let path = "/v1/apps/a/recipes/r"
        #expect(try daemon.put(path, Sample.message("m"), headers: anna).json["state"] == "draft")
        let live: JSONValue = ["state": "live"]
        // The cookie and the token identify the same person.
        for headers in [anna, GuardedDaemon.bearer(texts[0])] {
            let refused = try daemon.post(path + "/state", live, headers: headers)
            #expect(expectProblem(refused, 403).map { $0["code"] } == ["own_revision"])
        }
        let named: JSONValue = ["state": "live", "revision": 1]
        #expect(try daemon.post(path + "/state", named, headers: ben).json["state"] == "live")
        #expect(try daemon.send("DELETE", "/v1/session", headers: ben).status == 204)
        let audit = try daemon.get("/v1/audit", headers: root).text
        let records = try audit.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        let told = records.filter { ["recipe", "session"].contains($0["kind"]) }.map { record in
            [record["by"], record["action"], record["kind"], record["name"]].map { $0.string ?? "" }
        }
        #expect(
            told == [
                ["anna", "create", "session", "anna"], ["ben", "create", "session", "ben"],
                ["anna", "create", "recipe", "r"], ["ben", "state", "recipe", "r"],
                ["ben", "revoke", "session", "ben"],
            ])
        for secret in [anna, ben].compactMap({ $0["Cookie"]?.dropFirst("__Host-bellwether=".count) }) {
            #expect(!audit.contains(secret) && !daemon.logText.contains(secret))
        }
        #expect(daemon.logText.contains("signed in"))
    }

    @Test func `A page of another origin may use no cookie`() throws {
        let cookie = try signIn(try issue("anna")).filter { $0.key == "Cookie" }
        for headers in [[:], ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "same-site"]] {
            let answer = try daemon.put(
                "/v1/apps/a/recipes/r", Sample.message("m"), headers: cookie.merging(headers) { $1 })
            #expect(expectProblem(answer, 403).map { $0["code"] } == ["origin"])
            #expect(answer.header("Access-Control-Allow-Credentials") == nil)
        }
        let origin = ["Origin": "http://127.0.0.1:\(daemon.port)", "Host": "127.0.0.1:\(daemon.port)"]
        #expect(try daemon.get("/v1/session", headers: cookie.merging(origin) { $1 }).status == 200)
    }

    @Test func `A session survives a crash, and lists no secret`() throws {
        let anna = try signIn(try issue("anna"))
        try daemon.kill()
        let tokens = ["BELLWETHER_TOKENS": "root:admin:*:\(try GuardedDaemon.digest("root"))"]
        let next = try Daemon([], data: daemon.data, environment: tokens)
        #expect(try next.get("/v1/session", headers: anna).json["name"] == "anna")
        let listed = try next.get("/v1/sessions", headers: root)
        #expect(listed.json["sessions"].array?.map { $0["token"] } == ["anna"])
        #expect(!listed.text.contains("bw_"))
    }
}
