import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// Tokens that the daemon issues, on one worker, at any time.
@Suite struct TokenRouteTests {
    private static let admin = [(name: "Authorization", value: "Bearer root")]

    private let worker: WorkerUnderTest

    init() throws {
        var settings = APISettings()
        settings.tokens = TokenTable([
            try Token("root:admin:*:\(Digest.hex(Token.digest(of: Array("root".utf8))))"),
            try Token("phones:client:app:\(String(repeating: "0", count: 64))"),
        ])
        worker = try WorkerUnderTest(settings: settings)
    }

    private func create(_ more: JSONObject = [:]) throws -> RecordedResponse {
        var body: JSONObject = ["name": "t", "scope": "client", "app": "app"]
        for (key, value) in more { body[key] = value }
        return try post(.object(body))
    }

    private func post(_ body: JSONValue) throws -> RecordedResponse {
        let answer = try worker.send(.post, "/v1/tokens", headers: Self.admin, body: body)
        try informWorker()
        return answer
    }

    private func revoke(_ name: String) throws -> Int {
        let status = try worker.send(.delete, "/v1/tokens/\(name)", headers: Self.admin).status
        try informWorker()
        return status
    }

    /// Hands the changed tokens to every worker, as the program does.
    private func informWorker() throws {
        let living = try worker.store.loadTokens().tokens.filter { $0.revokedAt == nil }
        worker.worker.receive(IssuedTokens(TokenTable(issued: living)))
    }

    private func poll(_ token: String?) throws -> Int {
        let headers = [(name: "Authorization", value: "Bearer \(token ?? "")")]
        return try worker.send(.get, "/v1/apps/app/messages?client_id=c", headers: headers).status
    }

    private func list() throws -> [JSONValue] {
        try worker.send(.get, "/v1/tokens", headers: Self.admin).json["tokens"].array ?? []
    }

    @Test func `A token is made, shown once, used, listed and revoked`() throws {
        let made = try create()
        #expect(made.status == 201)
        #expect(made.headers.contains("Cache-Control: no-store"))
        let text = try #require(made.json["token"].string)
        #expect(text.hasPrefix("bw_"))
        #expect(try poll(text) == 200)
        let listed = try list()
        #expect(listed.count == 3)
        #expect(
            listed[2] == [
                "name": "t", "scope": "client", "app": "app", "source": "api", "web": false,
                "created": "2026-03-10T12:00:00Z",
                "expires": nil, "last_used": "2026-03-10T12:00:00Z", "revoked": nil,
            ])
        worker.pass(seconds: 5)
        #expect(try revoke("t") == 204)
        #expect(try poll(text) == 401)
        #expect(try list()[2]["revoked"] == "2026-03-10T12:00:05Z")
        #expect(try revoke("t") == 404)
    }

    @Test func `A token may begin as its owner likes`() throws {
        let body: JSONValue = ["scope": "client", "app": "app", "prefix": "owl_client_"]
        let made = try worker.send(.post, "/v1/tokens", headers: Self.admin, body: body)
        let text = try #require(made.json["token"].string)
        try informWorker()
        #expect(made.status == 201 && text.hasPrefix("owl_client_"))
        #expect(try poll(text) == 200)
        #expect(try poll(String(text.dropFirst("owl_client_".count))) == 401, "the prefix is part of it")
        for prefix in ["", "Owl_", "a-b", .string(String(repeating: "a", count: 33)), 1] as [JSONValue] {
            let body: JSONValue = ["scope": "client", "app": "app", "prefix": prefix]
            let refused = try worker.send(.post, "/v1/tokens", headers: Self.admin, body: body)
            #expect(refused.status == 400)
            #expect(refused.json["errors"].array?.map { $0["pointer"] } == ["/prefix"])
        }
    }

    @Test func `The list tells those of the configuration apart, and nothing that opens a door`() throws {
        let text = try #require(try create().json["token"].string)
        let answer = try worker.send(.get, "/v1/tokens", headers: Self.admin)
        #expect(answer.headers.contains("Cache-Control: no-store"))
        #expect(
            answer.json["tokens"][0] == [
                "name": "root", "scope": "admin", "app": "*", "source": "config", "web": false, "created": nil,
                "expires": nil,
                "last_used": "2026-03-10T12:00:00Z", "revoked": nil,
            ])
        #expect(answer.json["tokens"][1]["last_used"] == .null)
        let body = String(decoding: answer.body, as: UTF8.self)
        for secret in [text, Digest.hex(Token.digest(of: Array(text.utf8))), String(repeating: "0", count: 64)] {
            #expect(!body.contains(secret))
        }
    }

    @Test func `It expires at its second, and leaves its name to another`() throws {
        let text = try create(["expires": "2026-03-10T12:00:10Z"]).json["token"].string
        worker.pass(seconds: 9)
        #expect(try poll(text) == 200)
        #expect(try create().status == 409)
        worker.pass(seconds: 1)
        #expect(try poll(text) == 401)
        let next = try create()
        #expect(next.status == 201)
        #expect(try poll(next.json["token"].string) == 200)
        #expect(try poll(text) == 401)
        #expect(try list().filter { $0["name"] == "t" }.map { $0["revoked"] == .null } == [false, true])
    }

    @Test(arguments: ["t", "root", "phones"])
    func `A name is one living token's`(_ name: String) throws {
        _ = try create()
        let answer = try create(["name": .string(name)])
        #expect(answer.status == 409)
        #expect(answer.json["errors"][0]["code"] == "name_taken")
        #expect(answer.json["token"] == .null)
    }

    @Test func `A revoked token's name is free`() throws {
        let first = try create().json["token"].string
        #expect(try revoke("t") == 204)
        let second = try create().json["token"].string
        #expect(try (poll(first), poll(second)) == (401, 200))
    }

    @Test func `What stands in the configuration is not revoked here`() throws {
        let answer = try worker.send(.delete, "/v1/tokens/phones", headers: Self.admin)
        #expect(answer.status == 409)
        #expect(answer.json["errors"][0]["code"] == "read_only")
    }

    @Test(
        arguments: [
            ([] as JSONValue, [""]), (["name": 1], ["/app", "/name", "/scope"]),
            (["name": "", "scope": "root", "app": ""], ["/app", "/name", "/scope"]),
            (["name": "a\u{7}", "scope": "admin", "app": "*"], ["/name"]),
            (["name": "a", "scope": "client", "app": "b", "expires": "soon", "digest": "x"], ["/digest", "/expires"]),
            (["name": "a", "scope": "client", "app": "b", "expires": 5], ["/expires"]),
            (["name": .string(String(repeating: "n", count: 129)), "scope": "client", "app": "b"], ["/name"]),
        ] as [(JSONValue, [String])])
    func `Every fault of a request is told`(_ body: JSONValue, _ pointers: [String]) throws {
        let answer = try post(body)
        #expect(answer.status == 400)
        let found = (answer.json["errors"].array ?? []).compactMap { $0["pointer"].string }
        #expect(Set(found) == Set(pointers))
        #expect(try list().count == 2)
    }

    @Test(arguments: ["file", "dev", "daemon"])
    func `The audit's other authors, and a time that is over, are refused`(_ name: String) throws {
        let answer = try create(["name": .string(name), "expires": "2026-03-10T12:00:00Z"])
        #expect(answer.status == 422)
        #expect(answer.json["errors"].array?.map { $0["code"] } == ["reserved", "past"])
        #expect(throws: TokenSyntaxError.self) { try Token("\(name):client:*:\(String(repeating: "0", count: 64))") }
    }

    @Test func `There are only so many`() throws {
        var group = WriteGroup()
        group.rows = (0..<TokenRegister.livingBound).map { number in
            let token = StoredToken(
                name: "n\(number)", scope: .client, app: "app", digest: Digest.sha256(Array("\(number)".utf8)),
                createdAt: worker.now)
            return RowWrite(
                name: .token(digest: token.digest), expected: 0,
                value: .token(KeptToken(token, number: Int64(number + 10))))
        }
        _ = try worker.store.write([group])
        #expect(try create().json["errors"][0]["code"] == "too_many_tokens")
        #expect(try revoke("n7") == 204)
        #expect(try create().status == 201)
    }

    @Test func `A store that is down makes and revokes none`() throws {
        let text = try create().json["token"].string
        worker.store.fail(.unavailable("gone"))
        for answer in [
            try worker.send(.get, "/v1/tokens", headers: Self.admin),
            try worker.send(
                .post, "/v1/tokens", headers: Self.admin, body: ["name": "u", "scope": "owner", "app": "a"]),
            try worker.send(.delete, "/v1/tokens/t", headers: Self.admin),
            try worker.send(.get, "/v1/audit", headers: Self.admin),
        ] {
            #expect(answer.status == 503)
        }
        worker.store.fail(nil)
        #expect(try poll(text) == 200)
        #expect(try list().count == 3)
    }
}
