import BellwetherJSON
import TestSupport
import Testing

/// Who may do what: every route, every scope (api.md 1).
@Suite struct TokenTests {
    private static let guarded = Result { try GuardedDaemon() }

    /// Each route with the scope that it needs, and a body that it would understand.
    private static let routes: [(method: String, path: String, scope: String)] = [
        ("GET", "/v1/apps/one/messages?client_id=c", "client"), ("HEAD", "/v1/apps/one/messages?client_id=c", "client"),
        ("POST", "/v1/apps/one/messages", "client"), ("POST", "/v1/apps/one/events", "client"),
        ("POST", "/v1/apps/one/responses", "client"), ("GET", "/v1/apps/one/manifest", "owner"),
        ("PUT", "/v1/apps/one/manifest", "owner"), ("DELETE", "/v1/apps/one/strings/xx", "owner"),
        ("GET", "/v1/apps/one/strings/xx", "owner"), ("PUT", "/v1/apps/one/strings/xx", "owner"),
        ("GET", "/v1/apps/one/recipes", "owner"), ("GET", "/v1/apps/one/recipes/r", "owner"),
        ("PUT", "/v1/apps/one/recipes/r", "owner"), ("DELETE", "/v1/apps/one/recipes/r", "owner"),
        ("POST", "/v1/apps/one/recipes/validate", "owner"), ("POST", "/v1/apps/one/explain", "owner"),
        ("GET", "/v1/apps/one/telemetry", "pipeline"), ("GET", "/v1/tokens", "admin"),
        ("POST", "/v1/tokens", "admin"), ("DELETE", "/v1/tokens/nobody", "admin"), ("GET", "/v1/audit", "admin"),
    ]

    /// Sends the empty object, which no writing route takes: a token that is let in meets a 4xx of another kind.
    private func send(_ index: Int, _ headers: [String: String]) throws -> HTTPAnswer {
        let route = Self.routes[index]
        let body: [UInt8]? = route.method == "GET" || route.method == "HEAD" ? nil : Array("[]".utf8)
        return try Self.guarded.get().daemon.send(route.method, route.path, headers: headers, body: body)
    }

    @Test(arguments: routes.indices)
    func `A route lets in its scope and app, and nobody else`(_ index: Int) throws {
        let scope = Self.routes[index].scope
        for (text, token) in try Self.guarded.get().living {
            // What administrators do here is about all apps.
            let isRightApp = token.app == "*" || token.app == "one" && scope != "admin"
            let isRightScope = token.scope == "admin" || token.scope == scope
            let answer = try send(index, GuardedDaemon.bearer(text))
            if isRightApp && isRightScope {
                #expect(![401, 403].contains(answer.status), "\(text)")
            } else {
                #expect(answer.status == 403, "\(text)")
            }
        }
    }

    @Test(arguments: routes.indices)
    func `Without a token that is known and valid a route is closed`(_ index: Int) throws {
        let guarded = try Self.guarded.get()
        let headers: [[String: String]] =
            [
                [:], ["Authorization": "Bearer unknown"], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
                ["Authorization": "Basic Y2xpZW50LW9uZTo="], ["Authorization": "client-one"],
                GuardedDaemon.bearer(GuardedDaemon.expired), GuardedDaemon.bearer("client-one " + "x"),
            ] + guarded.revoked.map(GuardedDaemon.bearer)
        for header in headers {
            let answer = try send(index, header)
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer")
        }
    }

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

    @Test(arguments: ["/__lbheartbeat__", "/__heartbeat__", "/__version__", "/metrics"])
    func `Operations need no token`(_ path: String) throws {
        #expect(try Self.guarded.get().daemon.get(path).status == 200)
    }

    @Test func `No token's text is in any log`() throws {
        let daemon = try Self.guarded.get().daemon
        _ = try daemon.put(
            "/v1/apps/two/recipes/logged", Sample.message("m"), headers: GuardedDaemon.bearer("owner-all"))
        // Its name is, with what it did.
        #expect(daemon.logText.contains("by=owner-all"))
        let other = try Command.bellwether(
            "serve", "--port", "0", environment: ["BELLWETHER_TOKENS": "my-secret-token,a:b:c:my-other-secret"])
        #expect(other.status == 1)
        #expect(!other.errors.contains("secret"))
        #expect(other.errors.contains("number 1"))
        #expect(other.errors.contains("number 2"))
    }
}
