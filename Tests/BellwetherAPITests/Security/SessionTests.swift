import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Sessions of people (docs/reference/http-api.md#sessions), on one worker, at any time. `SessionPropertyTests` has two
/// workers.
@Suite struct SessionTests {
    typealias Headers = [(name: String, value: String)]

    static let own: Headers = [("Sec-Fetch-Site", "same-origin")]
    private static let root: Headers = [("Authorization", "Bearer root")]

    private let worker: WorkerUnderTest

    init() throws { worker = try WorkerUnderTest(settings: try Self.settings()) }

    /// Tokens whose texts are their names.
    private static func settings(anna scope: String = "owner") throws -> APISettings {
        let token = { (name: String, rest: String) in
            let parts = rest.split(separator: " ")
            let expires = parts.count > 2 ? ":\(parts[2])" : ""
            let digest = Digest.hex(Token.digest(of: Array(name.utf8)))
            return try Token("\(name):\(parts[0]):\(parts[1]):\(digest)\(expires)")
        }
        var settings = APISettings()
        settings.tokens = TokenTable([
            try token("root", "admin *"), try token("anna", "\(scope) app"), try token("ben", "reader app"),
            try token("phones", "client app"), try token("page", "web app"),
            try token("short", "owner app 2026-03-10T12:10:00Z"),
        ])
        return settings
    }

    private func signIn(
        _ token: String, _ headers: Headers = Self.own, peer: PeerAddress? = nil
    ) throws -> RecordedResponse {
        let body: JSONValue = ["token": .string(token)]
        let type: Headers = headers.contains { $0.name == "Content-Type" } ? [] : [("Content-Type", "application/json")]
        var request = try Request(.post, "/v1/session", headers: headers + type, body: body.encoded)
        if let peer { request.peer = peer }
        let answer = worker.send(request)
        try informWorker()
        return answer
    }

    /// The value of the cookie that a browser sends back.
    private func cookie(_ token: String) throws -> String { try Self.cookie(of: try signIn(token)) }

    static func cookie(of answer: RecordedResponse) throws -> String {
        let line = answer.headers.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
        return String(try #require(line).dropFirst("Set-Cookie: ".count).prefix { $0 != ";" })
    }

    /// Hands the changed tokens to every worker, as the program does.
    private func informWorker() throws {
        let living = try worker.store.loadTokens().tokens.filter { $0.revokedAt == nil }
        worker.worker.receive(IssuedTokens(TokenTable(issued: living)))
    }

    private func ask(
        _ cookie: String, _ method: HTTPMethod = .get, _ target: String = "/v1/session", _ headers: Headers = Self.own,
        body: JSONValue? = nil
    ) throws -> RecordedResponse {
        let answer = try worker.send(method, target, headers: headers + [("Cookie", cookie)], body: body)
        try informWorker()
        return answer
    }

    @Test func `Who signs in is told who they are, and signs out`() throws {
        let answer = try signIn("anna")
        #expect(answer.status == 201)
        #expect(
            answer.json == [
                "name": "anna", "scope": "owner", "app": "app", "roles": ["app": "owner"],
                "can": ["read", "texts", "respond", "publish", "review"], "sign_out_url": .null,
                "can_in": ["app": ["read", "texts", "respond", "publish", "review"]],
                "expires": "2026-03-11T00:00:00Z", "idle_seconds": 1800,
                "settings": [
                    "require_approval": false, "minimum_cell": 5, "dev": false, "hosted_public": false,
                    "public_url": .null,
                ], "version": "0",
            ])
        let cookie = try Self.cookie(of: answer)
        #expect(cookie.hasPrefix("__Host-bellwether=bw_"))
        #expect(answer.headers.contains("\(cookie); Path=/; Secure; HttpOnly; SameSite=Strict\r\n"))
        #expect(answer.headers.contains("Cache-Control: no-store"))
        #expect(try ask(cookie).json == answer.json)
        #expect(try ask("theme=dark; \(cookie); x=y").status == 200)
        #expect(try ask(cookie, .get, "/v1/apps/app/recipes").status == 200)
        let out = try ask(cookie, .delete)
        #expect(out.status == 204)
        #expect(out.headers.contains("Set-Cookie: __Host-bellwether=; Max-Age=0; Path=/; Secure; HttpOnly"))
        #expect(try ask(cookie).status == 401)
    }

    @Test func `A session ends 30 minutes after its last use`() throws {
        let cookie = try cookie("anna")
        for _ in 0..<3 {
            worker.pass(seconds: 1799)
            #expect(try ask(cookie).status == 200)
        }
        worker.pass(seconds: 1800)
        let sessions = try worker.send(.get, "/v1/sessions", headers: Self.root)
        #expect(sessions.json == ["sessions": []])
        #expect(try ask(cookie).status == 401)
    }

    @Test func `A session ends 12 hours after it began`() throws {
        let cookie = try cookie("anna")
        for _ in 0..<24 {
            worker.pass(seconds: 1799)
            #expect(try ask(cookie).status == 200)
        }
        worker.pass(seconds: 23)
        #expect(try ask(cookie).status == 200)
        worker.pass(seconds: 1)
        #expect(try ask(cookie).status == 401)
    }

    @Test func `A session ends with its token, which expires or is revoked`() throws {
        let short = try signIn("short")
        #expect(short.json["expires"] == "2026-03-10T12:10:00Z")
        let made = try worker.send(
            .post, "/v1/tokens", headers: Self.root, body: ["name": "carl", "scope": "owner", "app": "app"])
        try informWorker()
        let carl = try cookie(try #require(made.json["token"].string))
        #expect(try ask(carl).json["name"] == "carl")
        #expect(try worker.send(.delete, "/v1/tokens/carl", headers: Self.root).status == 204)
        try informWorker()
        #expect(try ask(carl).status == 401)
        worker.pass(seconds: 599)
        #expect(try ask(try Self.cookie(of: short)).status == 200)
        worker.pass(seconds: 1)
        #expect(try ask(try Self.cookie(of: short)).status == 401)
    }

    @Test(
        arguments: [
            ([("Sec-Fetch-Site", "same-origin")], true), ([("Origin", "https://localhost")], true),
            ([("Origin", "http://localhost")], true),
            ([("Origin", "https://b.example"), ("Host", "b.example")], true),
            ([("Origin", "http://b.example"), ("Host", "b.example")], false),
            ([("Sec-Fetch-Site", "same-site")], false), ([("Sec-Fetch-Site", "cross-site")], false),
            ([("Sec-Fetch-Site", "none")], false),
            ([("Sec-Fetch-Site", "same-site"), ("Origin", "https://localhost")], false),
            ([("Origin", "http://localhost:8081")], false), ([("Origin", "null")], false),
            ([("Origin", "https://localhost.evil.example")], false),
        ] as [(Headers, Bool)])
    func `Only pages of the daemon's own origin may use a session`(_ headers: Headers, _ isOwn: Bool) throws {
        let cookie = try cookie("anna")
        for method in [HTTPMethod.get, .delete] {
            let answer = try ask(cookie, method, method == .get ? "/v1/session" : "/v1/sessions/0", headers)
            #expect(answer.status == (isOwn ? (method == .get ? 200 : 404) : 403))
            if !isOwn { #expect(answer.json["errors"][0]["code"] == "origin") }
        }
        let signedIn = try signIn("anna", headers)
        #expect(signedIn.status == (isOwn ? 201 : 403))
        if !isOwn { #expect(!signedIn.headers.contains("Set-Cookie")) }
    }

    @Test func `A cookie needs a page, and a body that says that it is JSON`() throws {
        let cookie = try cookie("anna")
        let document: JSONValue = ["messages": [:]]
        let type: Headers = [("Content-Type", "text/plain")]
        #expect(try ask(cookie, .get, "/v1/session", []).status == 403)
        #expect(try ask(cookie, .put, "/v1/apps/app/recipes/r", Self.own + type, body: document).status == 415)
        #expect(try ask(cookie, .put, "/v1/apps/app/recipes/r", body: document).status == 201)
        #expect(try signIn("anna", Self.own + type).status == 415)
        // The command line is not a web page: it needs none of a browser's headers to sign in.
        #expect(try signIn("anna", []).status == 201)
    }

    @Test func `Of a token's 20 sessions the oldest ends when another begins, and no other person's`() throws {
        let other = try cookie("ben")
        let cookies = try (0..<20).map { _ in try cookie("anna") }
        #expect(try ask(cookies[0]).status == 200)
        let last = try cookie("anna")
        #expect(
            try [cookies[0], cookies[1], cookies[19], last, other].map { try ask($0).status }
                == [401, 200, 200, 200, 200])
        let sessions = try worker.send(.get, "/v1/sessions", headers: Self.root).json["sessions"].array
        #expect(sessions?.count == 21)
    }

    @Test func `A session may do what its token may do now`() throws {
        let cookie = try cookie("anna")
        let document: JSONValue = ["messages": [:]]
        #expect(try ask(cookie, .put, "/v1/apps/app/recipes/r", body: document).status == 201)
        let living = TokenTable(issued: try worker.store.loadTokens().tokens)
        worker.worker.receive(
            Publication(snapshot: worker.snapshot, settings: try Self.settings(anna: "reader"), issued: living))
        #expect(try ask(cookie).json["can"] == ["read"])
        #expect(try ask(cookie, .put, "/v1/apps/app/recipes/r", body: document).status == 403)
        worker.worker.receive(
            Publication(snapshot: worker.snapshot, settings: try Self.settings(anna: "pipeline"), issued: living))
        #expect(try ask(cookie).json["can"] == ["log"])
        #expect(try ask(cookie, .get, "/v1/apps/app/recipes").status == 403)
    }

    @Test func `Ten tries a minute fail from one address`() throws {
        let (peer, other) = (PeerAddress.ipv4(0xC000_0201, port: 1), PeerAddress.ipv4(0xC000_0202, port: 1))
        for _ in 0..<20 { #expect(try signIn("anna", peer: peer).status == 201, "it counts none that succeeds") }
        for _ in 0..<10 { #expect(try signIn("guess", peer: peer).status == 401) }
        let refused = try signIn("guess", peer: peer)
        #expect(refused.status == 429)
        #expect(refused.headers.contains("Retry-After: 6"))
        #expect(try signIn("anna", peer: peer).status == 201, "others share the address")
        #expect(try signIn("guess", peer: other).status == 401)
        worker.pass(seconds: 6)
        #expect(try signIn("guess", peer: peer).status == 401)
    }

    @Test func `The sessions of one token do not end those of others`() throws {
        let ben = try cookie("ben")
        let first = try cookie("anna")
        let others = try (0..<20).map { _ in try cookie("anna") }
        #expect(try ask(first).status == 401, "the oldest of 21 sessions of a token has ended")
        #expect(try ask(ben).status == 200 && others.allSatisfy { try ask($0).status == 200 })
    }

    @Test func `Nobody signs in with a client's token, or one that has expired`() throws {
        #expect(try [signIn("phones"), signIn("page")].map(\.status) == [403, 403])
        worker.pass(seconds: 600)
        let expired = try signIn("short")
        #expect(expired.status == 401)
        #expect(try signIn("nobody").json == expired.json, "the answer does not tell why")
        let withoutToken = try worker.send(.post, "/v1/session", headers: Self.own, body: ["name": "anna"])
        #expect(withoutToken.status == 400)
    }

    @Test func `Sessions are listed and ended by who has the token, and by administrators`() throws {
        let (anna, further, ben) = (try cookie("anna"), try cookie("anna"), try cookie("ben"))
        let root = try cookie("root")
        let list = { (cookie: String) in try ask(cookie, .get, "/v1/sessions").json["sessions"].array ?? [] }
        let own = try list(anna)
        #expect(own.map { $0["is_current"] } == [true, false])
        let id = try #require(own.first?["id"].string)
        #expect(
            own.first == [
                "id": .string(id), "token": "anna", "app": "app", "scope": "owner", "roles": ["app": "owner"],
                "created": "2026-03-10T12:00:00Z", "last_used": "2026-03-10T12:00:00Z",
                "expires": "2026-03-11T00:00:00Z", "is_current": true,
            ])
        #expect(try list(ben).map { $0["token"] } == ["ben"])
        #expect(try list(root).map { $0["token"] } == ["anna", "anna", "ben", "root"])
        #expect(try ask(ben, .delete, "/v1/sessions/\(id)").status == 404)
        #expect(try ask(further, .delete, "/v1/sessions/\(id)").status == 204)
        #expect(try [anna, further].map { try ask($0).status } == [401, 200])
        let other = try #require(list(ben).first?["id"].string)
        #expect(try ask(root, .delete, "/v1/sessions/\(other)").status == 204)
        #expect(try ask(ben).status == 401)
    }

    @Test func `A session is no token`() throws {
        let cookie = try cookie("anna")
        let text = cookie.dropFirst("__Host-bellwether=".count)
        #expect(try worker.send(.get, "/v1/session", headers: [("Authorization", "Bearer \(text)")]).status == 401)
        #expect(try worker.send(.delete, "/v1/tokens/anna", headers: Self.root).status == 409)
        let tokens = try worker.send(.get, "/v1/tokens", headers: Self.root)
        #expect(tokens.json["tokens"].array?.count == 6)
        // The cookie is ignored if the request has a token.
        let both = try ask(cookie, .get, "/v1/session", Self.root)
        #expect(both.json["name"] == "root" && both.json["idle_seconds"] == .null)
        #expect(!String(decoding: tokens.body, as: UTF8.self).contains(text))
    }

    @Test func `With --dev nobody signs in`() throws {
        let open = try WorkerUnderTest()
        let answer = try open.send(.get, "/v1/session", headers: Self.own)
        #expect(answer.status == 200 && answer.json["name"] == "dev" && answer.json["settings"]["dev"] == true)
        #expect(answer.json["expires"] == .null && answer.json["idle_seconds"] == .null)
        #expect(try open.send(.delete, "/v1/session", headers: Self.own).status == 204)
    }
}
