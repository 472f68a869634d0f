import BellwetherJSON
import TestSupport
import Testing

/// The clients that may call, and for which app, if tokens are required (docs/reference/http-api.md#tokens-and-scopes;
/// docs/reference/http-api.md#public-interfaces).
@Suite struct CirrusAccessTests {
    private static let body: JSONValue = ["client_id": "c", "context": ["app_id": "one"]]

    private func daemon(_ folder: TemporaryDirectory, _ settings: String) throws -> Daemon {
        let tokens = try GuardedDaemon.tokens.sorted { $0.key < $1.key }.map { text, token in
            "  - \(text):\(token.scope):\(token.app):\(try GuardedDaemon.digest(text))"
        }
        let lines = ["tokens:"] + tokens + [settings, ""]
        let daemon = try Daemon(["--config", try folder.write(lines.joined(separator: "\n"), to: "bellwether.yaml")])
        for app in ["one", "two"] {
            let bearer = GuardedDaemon.bearer("admin-all")
            let manifest: JSONValue = ["app_name": .string(app), "default_locale": "en-US", "surfaces": ["card"]]
            #expect(try daemon.put("/v1/apps/\(app)/manifest", manifest, headers: bearer).status == 201)
            let recipe = Sample.message("of-\(app)")
            #expect(try daemon.put("/v1/apps/\(app)/recipes/r", recipe, headers: bearer).status == 201)
        }
        return daemon
    }

    /// The app whose features are in the response; nil for none.
    private func app(_ answer: HTTPResponse) -> String? {
        let messages = answer.json["messaging"]["messages"]
        return ["one", "two"].first { messages["of-\($0)"] != .null }
    }

    @Test func `Closed, it asks for a client's token, which says the app`() throws {
        let folder = try TemporaryDirectory()
        let daemon = try daemon(folder, "public: [glean, remote_settings]")
        func ask(_ headers: [String: String]) throws -> HTTPResponse {
            try daemon.post("/v1/features/", Self.body, headers: headers)
        }
        expectProblem(try ask([:]), 401)
        expectProblem(try ask(GuardedDaemon.bearer("unknown")), 401)
        expectProblem(try ask(GuardedDaemon.bearer("owner-one")), 403)
        expectProblem(try ask(GuardedDaemon.bearer("pipeline-all")), 403)
        #expect(try app(ask(GuardedDaemon.bearer("client-one"))) == "one")
        #expect(try app(ask(GuardedDaemon.bearer("client-two"))) == "two")
        #expect(try app(ask(GuardedDaemon.bearer("client-all"))) == "one")
        #expect(try app(ask(GuardedDaemon.bearer("admin-one"))) == "one")
    }

    @Test func `Named in public it is open, and a setting says the app`() throws {
        let folder = try TemporaryDirectory()
        let daemon = try daemon(folder, "public: [cirrus]\ncirrus:\n  app: two")
        #expect(try app(daemon.post("/v1/features/", Self.body)) == "two")
        #expect(try app(daemon.post("/v1/features", Self.body)) == "two")
        #expect(try app(daemon.post("/v1/features/", Self.body, headers: GuardedDaemon.bearer("client-one"))) == "one")
        expectProblem(try daemon.post("/v1/features/", Self.body, headers: GuardedDaemon.bearer("unknown")), 401)
        expectProblem(try daemon.get("/v1/apps/one/messages?client_id=c"), 401)
    }
}
