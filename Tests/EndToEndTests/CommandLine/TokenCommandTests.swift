import BellwetherJSON
import TestSupport
import Testing

/// `bellwether token` (docs/reference/http-api.md#commands-that-ask-a-daemon).
@Suite struct TokenCommandTests {
    private let daemon: Daemon
    private let environment: [String: String]

    init() throws {
        daemon = try Daemon(
            [], environment: ["BELLWETHER_TOKENS": "root:admin:*:\(GuardedDaemon.digest("root"))"])
        environment = ["BELLWETHER_URL": "http://127.0.0.1:\(daemon.port)", "BELLWETHER_TOKEN": "root"]
    }

    private func token(_ arguments: String..., environment: [String: String]? = nil) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "token"] + arguments, environment: environment ?? self.environment)
    }

    private func status(_ text: String) throws -> Int {
        try daemon.get("/v1/apps/one/messages?client_id=c", headers: GuardedDaemon.bearer(text)).status
    }

    @Test func `A token is made, listed and revoked`() throws {
        let made = try token(
            "create", "--name", "my phones", "--scope", "client", "--app", "*", "--expires", "2999-01-01T00:00:00Z")
        #expect((made.status, made.errors, made.lines.count) == (0, "", 1))
        let text = try #require(made.lines.first)
        #expect(try status(text) == 404)
        let list = try token("list")
        #expect(list.status == 0)
        let rows = list.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(rows.first == ["name", "scope", "app", "source", "web", "created", "expires", "last_used", "revoked"])
        #expect(rows[1].prefix(5) == ["root", "admin", "*", "config", "false"])
        #expect(rows[2].prefix(5) == ["my", "phones", "client", "*", "api"])
        #expect(rows[2].last == "-")
        #expect(!list.output.contains(text))
        let json = try token("list", "--json").lines.map { try JSONValue(parsing: $0) }
        #expect(json.map { $0["name"] } == ["root", "my phones"])
        #expect(json[1]["expires"] == "2999-01-01T00:00:00Z")
        let revoked = try token("revoke", "my phones")
        #expect((revoked.status, revoked.output, revoked.errors) == (0, "", ""))
        #expect(try status(text) == 401)
    }

    @Test func `Everything about a new token is there as JSON`() throws {
        let made = try token("create", "--name", "n", "--scope", "owner", "--app", "one", "--json")
        let value = try JSONValue(parsing: try #require(made.lines.first))
        #expect(value["app"] == "one")
        #expect(value["token"].string?.hasPrefix("bw_") == true)
    }

    @Test func `A token may begin as its owner likes`() throws {
        let made = try token(
            "create", "--name", "phones", "--scope", "client", "--app", "*", "--prefix", "owl_client_")
        let text = try #require(made.lines.first)
        #expect(made.status == 0 && text.hasPrefix("owl_client_"))
        #expect(try status(text) == 404)
        #expect(try token("create", "--name", "x", "--scope", "client", "--app", "*", "--prefix", "Owl").status == 64)
    }

    @Test func `A refusal is told in the daemon's words, and ends with 1`() throws {
        let taken = try token("create", "--name", "root", "--scope", "owner", "--app", "*")
        #expect((taken.status, taken.output) == (1, ""))
        #expect(taken.errors.contains("409 Name taken"))
        #expect(taken.errors.contains("[name_taken]"))
        let nobody = try token("revoke", "nobody/../x?y")
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("404"))
        var other = environment
        other["BELLWETHER_TOKEN"] = "wrong"
        let stranger = try token("list", environment: other)
        #expect(stranger.status == 1)
        #expect(stranger.errors.contains("401"))
        #expect(!stranger.errors.contains("wrong"))
    }

    @Test func `The token may come out of a file, which goes first`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("root\n", to: "token")
        var other = environment
        other["BELLWETHER_TOKEN"] = "wrong"
        #expect(try token("list", "--token-file", file, environment: other).status == 0)
        #expect(try token("list", "--token-file", file + ".missing").status == 64)
    }

    @Test func `A daemon that is not there is told`() throws {
        let result = try token("list", "--url", "http://127.0.0.1:1")
        #expect(result.status == 1)
        #expect(result.errors.contains("cannot be reached"))
    }

    @Test(
        arguments: [
            ["create", "--name", "n", "--scope", "root", "--app", "*"], ["create", "--name", "n", "--app", "*"],
            ["create", "--name", "n", "--scope", "owner", "--app", "*", "--expires", "soon"], ["revoke"],
            ["list", "--url", "nonsense"], ["list", "--url", "ftp://127.0.0.1"], ["list", "--url", "http://a:b@c"],
        ])
    func `What cannot be meant is a usage error`(_ arguments: [String]) throws {
        let result = try Command.run([BellwetherProgram.path, "token"] + arguments, environment: environment)
        #expect((result.status, result.output) == (64, ""))
    }

    @Test(arguments: ["test", "test\n", "test\r\n"])
    func `A token's hash is what the configuration takes`(_ input: String) throws {
        let result = try Command.bellwether("token", "hash", input: input)
        #expect(result.status == 0)
        #expect(result.lines == ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    }

    @Test(arguments: ["", "\n", "two words", "two\nlines", "ü"])
    func `What is no token has no hash`(_ input: String) throws {
        let result = try Command.bellwether("token", "hash", input: input)
        #expect((result.status, result.output) == (1, ""))
    }
}
