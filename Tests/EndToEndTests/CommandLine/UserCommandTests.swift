import BellwetherJSON
import TestSupport
import Testing

/// `bellwether user` (docs/reference/http-api.md#commands-that-ask-a-daemon).
@Suite struct UserCommandTests {
    private let daemon: Daemon
    private let environment: [String: String]

    init() throws {
        daemon = try Daemon(
            [], environment: ["BELLWETHER_TOKENS": "root:admin:*:\(GuardedDaemon.digest("root"))"])
        environment = ["BELLWETHER_URL": "http://127.0.0.1:\(daemon.port)", "BELLWETHER_TOKEN": "root"]
    }

    private func user(_ arguments: String...) throws -> Command {
        try Command.run([BellwetherProgram.path, "user"] + arguments, environment: environment)
    }

    private func signIn(_ command: Command) throws -> HTTPResponse {
        let address = "http://127.0.0.1:\(daemon.port)/console/sign-in#link="
        let line = try #require(command.lines.first)
        #expect(line.hasPrefix(address))
        let body: JSONValue = ["link": .string(String(line.dropFirst(address.count)))]
        return try daemon.post("/v1/session", body, headers: ["Sec-Fetch-Site": "same-origin"])
    }

    @Test func `A person gets a link, another one, and is removed`() throws {
        let first = try user("add", "Ben Bauer", "--role", "owner:one", "--role", "reader:*")
        #expect((first.status, first.errors, first.lines.count) == (0, "", 1))
        let second = try user("link", "Ben Bauer")
        #expect(try signIn(first).status == 401)
        let signedIn = try signIn(second)
        #expect(signedIn.status == 201)
        #expect(signedIn.json["roles"] == ["*": "reader", "one": "owner"])
        let listed = try user("list", "--json").lines.map { try JSONValue(parsing: $0) }
        #expect(listed.map { $0["name"] } == ["Ben Bauer"] && listed[0]["sessions"] == 1)
        #expect(try user("list").lines.count == 2)
        let removed = try user("remove", "Ben Bauer")
        #expect((removed.status, removed.output, removed.errors) == (0, "", ""))
        #expect(try user("list", "--json").lines.isEmpty)
    }

    @Test func `A refusal is told, and changes nothing`() throws {
        for arguments in [["add", "ben"], ["add", "ben", "--role", "owner"], ["add", "ben", "--role", "king:one"]] {
            let refused = try Command.run([BellwetherProgram.path, "user"] + arguments, environment: environment)
            #expect(refused.status == 64)
        }
        let client = try user("add", "ben", "--role", "client:one")
        #expect(client.status == 1 && client.errors.contains("/roles/one"))
        #expect(try user("remove", "nobody").errors.contains("404"))
        #expect(try user("list", "--json").lines.isEmpty)
    }
}
