import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// People's accounts, and the links with which they sign in (docs/reference/http-api.md#accounts), on one worker.
@Suite struct AccountTests {
    private static let root: SessionTests.Headers = [("Authorization", "Bearer root")]
    private static let document: JSONValue = ["messages": [:]]

    private let worker: WorkerUnderTest

    init() throws {
        var settings = APISettings()
        settings.tokens = TokenTable([try Self.token("root", "admin")])
        worker = try WorkerUnderTest(over: TestStore(), settings: settings)
        _ = try asRoot(.put, "/v1/apps/app/manifest", WorkerUnderTest.manifest)
        _ = try asRoot(.put, "/v1/apps/news/manifest", WorkerUnderTest.manifest)
    }

    private static func token(_ name: String, _ scope: String) throws -> Token {
        try Token("\(name):\(scope):*:\(Digest.hex(Token.digest(of: Array(name.utf8))))")
    }

    @discardableResult
    private func asRoot(_ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil) throws -> RecordedResponse {
        let answer = try worker.send(method, target, headers: Self.root, body: body)
        worker.serveWhatIsPublished()
        return answer
    }

    /// The text of a new person's link.
    private func invite(_ name: String, _ roles: JSONValue) throws -> String {
        let answer = try asRoot(.post, "/v1/accounts", ["name": .string(name), "roles": roles])
        #expect(answer.status == 201, "\(answer.json)")
        return try Self.text(of: answer)
    }

    private static func text(of answer: RecordedResponse) throws -> String {
        let link = try #require(answer.json["link"].string)
        let prefix = "/console/sign-in#link="
        #expect(link.hasPrefix(prefix + "bwi_"))
        return String(link.dropFirst(prefix.count))
    }

    private func use(_ link: String) throws -> RecordedResponse {
        let body: JSONValue = ["link": .string(link)]
        var request = try Request(
            .post, "/v1/session", headers: SessionTests.own + [("Content-Type", "application/json")],
            body: body.encoded)
        request.peer = .ipv4(0xC000_0201, port: 1)
        let answer = worker.send(request)
        worker.serveWhatIsPublished()
        return answer
    }

    private func signIn(_ name: String, _ roles: JSONValue) throws -> String {
        try SessionTests.cookie(of: try use(invite(name, roles)))
    }

    private func ask(
        _ cookie: String, _ method: HTTPMethod = .get, _ target: String = "/v1/session", _ body: JSONValue? = nil
    ) throws -> RecordedResponse {
        let answer = try worker.send(
            method, target, headers: SessionTests.own + [("Cookie", cookie)], body: body)
        worker.serveWhatIsPublished()
        return answer
    }

    private func code(_ answer: RecordedResponse) -> String? { answer.json["errors"][0]["code"].string }

    @Test func `A link signs its person in, once`() throws {
        let link = try invite("Ben Bauer", ["app": "reviewer"])
        let first = try use(link)
        #expect(first.status == 201)
        #expect(first.json["name"] == "Ben Bauer")
        #expect(first.json["roles"] == ["app": "reviewer"])
        #expect(first.json["can"] == ["read", "review"])
        let again = try use(link)
        #expect(again.status == 401 && again.headers.contains("Set-Cookie") == false)
        #expect(again.json["detail"] == "The link was used, has expired, or was replaced: ask for another one.")
        #expect(try use("bwi_guessed").json == again.json)
        #expect(try ask(try SessionTests.cookie(of: first)).status == 200)
    }

    @Test func `Ten guesses of links a minute fail from one address`() throws {
        let link = try invite("ben", ["*": "reader"])
        for _ in 0..<10 { #expect(try use("bwi_guess").status == 401) }
        #expect(try use("bwi_guess").status == 429)
        #expect(try use(link).status == 201, "others share the address")
    }

    /// A node reads the tokens again before it changes them, because other nodes change them, too.
    @Test func `A guessed link costs no read of a shared store`() throws {
        let store = TestStore(sharing: .asked)
        let worker = try WorkerUnderTest(over: store, settings: APISettings())
        store.fail(.unavailable("gone"))
        let body: JSONValue = ["link": "bwi_guess"]
        #expect(try worker.send(.post, "/v1/session", headers: SessionTests.own, body: body).status == 401)
    }

    @Test func `A link ends after a day, and with the next one`() throws {
        let first = try invite("ben", ["*": "reader"])
        let second = try Self.text(of: asRoot(.post, "/v1/accounts/ben/link"))
        #expect(try use(first).status == 401)
        worker.pass(seconds: 24 * 3600 - 1)
        #expect(try use(second).status == 201)
        let third = try Self.text(of: asRoot(.post, "/v1/accounts/ben/link"))
        worker.pass(seconds: 24 * 3600)
        #expect(try use(third).status == 401)
        let fourth = try Self.text(of: asRoot(.post, "/v1/accounts/ben/link"))
        #expect(try use(fourth).status == 201)
    }

    @Test func `A session of a link lasts for weeks, a session of a token for minutes`() throws {
        let answer = try use(invite("ben", ["*": "reader"]))
        #expect(answer.json["idle_seconds"] == 1_209_600)
        #expect(answer.json["expires"] == "2026-06-08T12:00:00Z")
        #expect(answer.headers.contains("; Max-Age=7776000; Path=/; Secure; HttpOnly; SameSite=Strict\r\n"))
        let ben = try SessionTests.cookie(of: answer)
        let root = try worker.send(.post, "/v1/session", headers: SessionTests.own, body: ["token": "root"])
        worker.serveWhatIsPublished()
        for _ in 0..<6 {
            worker.pass(seconds: 14 * 86_400 - 1)
            #expect(try ask(ben).status == 200)
        }
        #expect(try ask(try SessionTests.cookie(of: root)).status == 401)
        worker.pass(seconds: 14 * 86_400)
        #expect(try ask(ben).status == 401)
    }

    @Test func `A link and an account are no token`() throws {
        let link = try invite("ben", ["*": "admin"])
        for text in [link, "ben"] {
            let answer = try worker.send(.get, "/v1/accounts", headers: [("Authorization", "Bearer \(text)")])
            #expect(answer.status == 401)
        }
        let body: JSONValue = ["token": .string(link)]
        #expect(try worker.send(.post, "/v1/session", headers: SessionTests.own, body: body).status == 401)
        let both: JSONValue = ["token": "root", "link": .string(link)]
        #expect(try worker.send(.post, "/v1/session", headers: SessionTests.own, body: both).status == 400)
        #expect(try use(link).status == 201, "the tries did not use the link")
    }

    @Test func `Roles hold for their apps`() throws {
        let ben = try signIn("ben", ["app": "owner", "news": "reader"])
        #expect(try ask(ben).json["scope"] == .null)
        #expect(try ask(ben).json["can_in"]["news"] == ["read"])
        #expect(try ask(ben, .put, "/v1/apps/app/recipes/r", Self.document).status == 201)
        let refused = try ask(ben, .put, "/v1/apps/news/recipes/r", Self.document)
        #expect(refused.status == 403)
        #expect(try ask(ben, .get, "/v1/apps/news/recipes").status == 200)
        #expect(try ask(ben, .get, "/v1/apps/other/recipes").status == 403)
        #expect(try ask(ben, .get, "/v1/apps").json["apps"].array?.count == 2)
        let general = try signIn("carl", ["*": "reader", "news": "owner"])
        #expect(try ask(general, .put, "/v1/apps/news/recipes/r", Self.document).status == 201)
        #expect(try ask(general, .put, "/v1/apps/app/recipes/r", Self.document).status == 403)
        #expect(try ask(general, .get, "/v1/apps/app/recipes").status == 200)
    }

    @Test func `An administrator of one app makes no accounts`() throws {
        let ben = try signIn("ben", ["app": "admin", "news": "reader"])
        #expect(try ask(ben, .get, "/v1/accounts").status == 403)
        let body: JSONValue = ["name": "eve", "roles": ["*": "admin"]]
        #expect(try ask(ben, .post, "/v1/accounts", body).status == 403)
        #expect(try ask(ben, .post, "/v1/tokens", ["name": "eve", "scope": "admin", "app": "*"]).status == 403)
    }

    @Test func `Other roles hold at once, for the sessions that are open`() throws {
        let ben = try signIn("ben", ["app": "owner"])
        let changed = try asRoot(.put, "/v1/accounts/ben", ["roles": ["app": "reader"]])
        #expect(changed.status == 200 && changed.json["roles"] == ["app": "reader"])
        #expect(try ask(ben, .put, "/v1/apps/app/recipes/r", Self.document).status == 403)
        #expect(try ask(ben).json["can"] == ["read"])
        _ = try asRoot(.put, "/v1/accounts/ben", ["roles": ["app": "owner"]])
        #expect(try ask(ben, .put, "/v1/apps/app/recipes/r", Self.document).status == 201)
    }

    @Test func `Who is removed is out, with all links`() throws {
        let ben = try signIn("ben", ["app": "owner"])
        let link = try Self.text(of: asRoot(.post, "/v1/accounts/ben/link"))
        #expect(try asRoot(.delete, "/v1/accounts/ben").status == 204)
        #expect(try ask(ben).status == 401)
        #expect(try use(link).status == 401)
        #expect(try asRoot(.delete, "/v1/accounts/ben").status == 404)
        #expect(try asRoot(.post, "/v1/accounts/ben/link").status == 404)
        #expect(try asRoot(.get, "/v1/accounts").json["accounts"] == [])
        let again = try signIn("ben", ["app": "reader"])
        #expect(try ask(again).json["can"] == ["read"])
    }

    @Test func `The list has links that wait, and sessions`() throws {
        _ = try signIn("ben", ["app": "reader"])
        _ = try invite("anna", ["*": "owner"])
        let listed = try asRoot(.get, "/v1/accounts")
        #expect(listed.headers.contains("Cache-Control: no-store"))
        #expect(
            listed.json["accounts"] == [
                [
                    "name": "anna", "display_name": .null, "roles": ["*": "owner"], "source": "link",
                    "created": "2026-03-10T12:00:00Z", "last_used": .null, "link_expires": "2026-03-11T12:00:00Z",
                    "sessions": 0,
                ],
                [
                    "name": "ben", "display_name": .null, "roles": ["app": "reader"], "source": "link",
                    "created": "2026-03-10T12:00:00Z", "last_used": "2026-03-10T12:00:00Z", "link_expires": .null,
                    "sessions": 1,
                ],
            ])
    }

    @Test func `A name belongs to one token or account`() throws {
        _ = try invite("ben", ["*": "reader"])
        let roles: JSONValue = ["*": "reader"]
        for name in ["ben", "root"] {
            let answer = try asRoot(.post, "/v1/accounts", ["name": .string(name), "roles": roles])
            #expect(answer.status == 409 && code(answer) == "name_taken")
        }
        let token = try asRoot(.post, "/v1/tokens", ["name": "ben", "scope": "owner", "app": "*"])
        #expect(token.status == 409 && code(token) == "name_taken")
        #expect(try asRoot(.post, "/v1/accounts", ["name": "daemon", "roles": roles]).status == 422)
        #expect(try asRoot(.delete, "/v1/tokens/ben").status == 404, "an account is no token")
    }

    @Test(
        arguments: [
            (["name": "eve"], ["required /roles"]), (["name": "eve", "roles": [:]], ["count /roles"]),
            (
                ["name": "", "roles": ["app": "client", "news": "king"], "more": 1],
                ["identifier /name", "scope /roles/app", "choice /roles/news", "unknown_key /more"]
            ),
        ] as [(JSONValue, [String])])
    func `All faults are told at once`(_ body: JSONValue, _ faults: [String]) throws {
        let answer = try asRoot(.post, "/v1/accounts", body)
        #expect(answer.status == 400)
        let told = answer.json["errors"].array?.map { "\($0["code"].string ?? "") \($0["pointer"].string ?? "")" }
        #expect(told?.sorted() == faults.sorted())
        #expect(try asRoot(.get, "/v1/accounts").json["accounts"] == [])
    }

    @Test func `Sessions of one person are bounded`() throws {
        let first = try signIn("ben", ["*": "reader"])
        let other = try signIn("anna", ["*": "reader"])
        var cookies: [String] = []
        for _ in 0..<20 {
            let link = try Self.text(of: asRoot(.post, "/v1/accounts/ben/link"))
            cookies.append(try SessionTests.cookie(of: try use(link)))
        }
        #expect(try ask(first).status == 401)
        #expect(try ask(other).status == 200 && ask(cookies[0]).status == 200)
    }

    @Test func `The audit names who made and changed an account, and who signed in`() throws {
        _ = try signIn("ben", ["app": "owner", "news": "reader"])
        _ = try asRoot(.put, "/v1/accounts/ben", ["roles": ["app": "reader"]])
        _ = try asRoot(.delete, "/v1/accounts/ben")
        let items = try asRoot(.get, "/v1/audit?before=&limit=100").json["items"].array ?? []
        let records = items.reversed().compactMap { record -> String? in
            guard let kind = record["kind"].string, ["account", "link", "session"].contains(kind) else { return nil }
            let facts = record["roles"].object == nil ? record["scope"].string ?? "" : record["roles"].text
            return "\(record["by"].string ?? "") \(record["action"].string ?? "") \(kind) \(facts)"
        }
        let roles = #"{"app":"owner","news":"reader"}"#
        #expect(
            records == [
                "root create account \(roles)", "root create link \(roles)", "ben create session \(roles)",
                "root change account reader", "root revoke account reader", "root revoke session \(roles)",
            ])
    }

    /// A configuration without an administrator's token.
    @Test func `The last administrator stays`() throws {
        let store = TestStore()
        let first = try #require(try WorkerUnderTest(over: store).tokens.issueFirst())
        let worker = try WorkerUnderTest(over: store, settings: APISettings())
        let headers = [(name: "Authorization", value: "Bearer \(first.text)")]
        let send = { (method: HTTPMethod, target: String, body: JSONValue?) in
            let answer = try worker.send(method, target, headers: headers, body: body)
            worker.serveWhatIsPublished()
            return answer
        }
        let invited = try send(.post, "/v1/accounts", ["name": "ann", "roles": ["*": "admin"]])
        #expect(try send(.post, "/v1/accounts", ["name": "ben", "roles": ["*": "admin"]]).status == 201)
        #expect(try send(.put, "/v1/accounts/ben", ["roles": ["*": "owner"]]).status == 200)
        #expect(try send(.delete, "/v1/tokens/admin", nil).status == 204)
        let body: JSONValue = ["link": .string(try Self.text(of: invited))]
        let ann = try SessionTests.cookie(
            of: worker.send(.post, "/v1/session", headers: SessionTests.own, body: body))
        worker.serveWhatIsPublished()
        let asAnn = { (method: HTTPMethod, target: String, body: JSONValue?) in
            try worker.send(method, target, headers: SessionTests.own + [("Cookie", ann)], body: body)
        }
        let removed = try asAnn(.delete, "/v1/accounts/ann", nil)
        #expect(removed.status == 409 && code(removed) == "last_administrator")
        let changed = try asAnn(.put, "/v1/accounts/ann", ["roles": ["app": "admin"]])
        #expect(changed.status == 409 && code(changed) == "last_administrator")
        #expect(try asAnn(.get, "/v1/accounts", nil).json["accounts"][0]["roles"] == ["*": "admin"])
    }
}
