import BellwetherJSON
import TestSupport
import Testing

/// Tokens in requests (docs/reference/http-api.md#tokens-and-scopes); `AuthorizationTests` has the permissions.
@Suite struct TokenTests {
    private static let guarded = Result { try GuardedDaemon() }

    @Test func `The scheme's name has no case, and a token may expire later`() throws {
        let daemon = try Self.guarded.get().daemon
        for header in ["bearer client-one", "BEARER client-one", "Bearer client-fresh"] {
            #expect(
                try daemon.get("/v1/apps/one/messages?client_id=c", headers: ["Authorization": header]).status == 200)
        }
    }

    @Test func `An unknown app is 404 for who may see it, and 403 for who may not`() throws {
        let daemon = try Self.guarded.get().daemon
        let path = "/v1/apps/nobody/messages?client_id=c"
        expectProblem(try daemon.get(path, headers: GuardedDaemon.bearer("client-all")), 404)
        expectProblem(try daemon.get(path, headers: GuardedDaemon.bearer("client-one")), 403)
    }

    @Test func `The list of apps shows those of the token`() throws {
        let daemon = try Self.guarded.get().daemon
        func apps(_ token: String) throws -> [String] {
            try daemon.get("/v1/apps", headers: GuardedDaemon.bearer(token)).json["apps"].strings("app")
        }
        #expect(try apps("owner-one") == ["one"])
        #expect(try apps("owner-all") == ["one", "two"])
        expectProblem(try daemon.get("/v1/apps", headers: GuardedDaemon.bearer("client-all")), 403)
        expectProblem(try daemon.get("/v1/apps"), 401)
    }

    @Test func `An idempotency key is a token's own`() throws {
        let daemon = try Self.guarded.get().daemon
        func put(_ token: String, _ text: JSONValue) throws -> Int {
            let headers = GuardedDaemon.bearer(token).merging(["Idempotency-Key": "k"]) { $1 }
            let recipe = Sample.message("m", ["text": text])
            return try daemon.put("/v1/apps/two/recipes/keyed", recipe, headers: headers).status
        }
        #expect(try put("owner-two", "1") == 201)
        #expect(try put("owner-all", "2") == 200)
        #expect(try put("owner-two", "3") == 409)
        #expect(try put("owner-two", "1") == 201)
    }

    @Test func `No token's text is in any log`() throws {
        let daemon = try Self.guarded.get().daemon
        _ = try daemon.put(
            "/v1/apps/two/recipes/logged", Sample.message("m"), headers: GuardedDaemon.bearer("owner-all"))
        // The token's name is logged with its action.
        #expect(daemon.logText.contains("by=owner-all"))
        let other = try Command.bellwether(
            "serve", "--port", "0", environment: ["BELLWETHER_TOKENS": "my-secret-token,a:b:c:my-other-secret"])
        #expect(other.status == 1)
        #expect(!other.errors.contains("secret"))
        #expect(other.errors.contains("number 1"))
        #expect(other.errors.contains("number 2"))
    }
}
