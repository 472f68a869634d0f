import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import Surveys
import Testing

@testable import BellwetherAPI

/// Public tokens (docs/reference/http-api.md#public-tokens).
@Suite struct WebAccessTests {
    /// SHA-256 of "test".
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let secret = Array("sixteen bytes or more".utf8)
    private static let slug = "/v1/apps/app/questionnaires/q"
    private static let longID = "0123456789abcdefghijkl"

    private let world: WorkerUnderTest

    init() throws { world = try Self.world { _ in } }

    private static func world(
        isOpen: Bool = false, _ change: (inout APISettings) -> Void
    ) throws -> WorkerUnderTest {
        var settings = APISettings.open
        settings.isOpen = isOpen
        settings.tokens = TokenTable([try Token("test:web:app:\(digest)")])
        settings.identitySecrets = ["app": secret]
        change(&settings)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["web"] = ["origins": ["https://shop.example"]]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?", "required": true]]],
        ]
        return try WorkerUnderTest(manifest: .object(manifest), recipes: ["q": recipe], settings: settings)
    }

    private func send(
        _ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil, origin: String? = nil, host: String? = nil,
        key: String? = nil, to other: WorkerUnderTest? = nil
    ) throws -> RecordedResponse {
        var headers = [(name: "Authorization", value: "Bearer test")]
        if let key { headers.append((name: "Idempotency-Key", value: key)) }
        if let origin { headers.append((name: "Origin", value: origin)) }
        if let host { headers.append((name: "Host", value: host)) }
        var request = try Request(method, target, headers: headers, body: body?.encoded ?? [])
        request.peer = .ipv4(0xC000_0201, port: 1)
        return (other ?? world).send(request)
    }

    private func proof(_ userID: String) -> String {
        Digest.hex(Array(HMAC.authenticationCode(for: Array("app\0\(userID)".utf8), key: Self.secret)))
    }

    private func save(_ member: (String, String), complete: Bool = false) -> JSONValue {
        .object([member.0: .string(member.1), "answers": ["q1": "x"], "is_complete": .bool(complete)])
    }

    @Test func aUserNeedsAProof() throws {
        let refusal = try send(.get, Self.slug + "?user_id=u")
        #expect(refusal.status == 403 && refusal.json["errors"][0]["code"] == "identity_proof")
        let proved = "user_id=u&user_proof=\(proof("u"))"
        #expect(try send(.get, "\(Self.slug)?\(proved)").json["eligible"] == true)
        #expect(try send(.get, "\(Self.slug)?user_id=v&user_proof=\(proof("u"))").status == 403)
        for body in [save(("user_id", "u")), ["client_id": .string(Self.longID), "user_id": "u"]] {
            let path = body.object?["answers"] == nil ? "/v1/apps/app/identify" : "\(Self.slug)/responses"
            #expect(try send(.post, path, body).status == 403)
            var members = body.object ?? [:]
            members["user_proof"] = .string(proof("u").uppercased())
            #expect(try send(.post, path, .object(members)).status < 300)
        }
        #expect(try send(.post, "/v1/apps/app/questionnaires/dismiss", ["user_id": "u"]).status == 403)
        #expect(try send(.get, "/v1/questionnaires/q?user_id=u").status == 403)
        #expect(try send(.get, "/v1/apps/app/messages?client_id=c&user_id=u").status == 200)
    }

    @Test func withoutTheSecretOfItsAppNobodyIsProved() throws {
        let world = try Self.world { $0.identitySecrets = ["other": Self.secret] }
        #expect(try send(.get, "\(Self.slug)?user_id=u&user_proof=\(proof("u"))", to: world).status == 403)
    }

    @Test func whoGuessesAClientIDReadsNoAnswers() throws {
        let first = try send(.post, "\(Self.slug)/responses", save(("client_id", "short")))
        #expect(first.status == 201)
        let id = try #require(first.json["id"].string)
        #expect(try send(.get, "\(Self.slug)?client_id=short").json["in_progress"] == .null)
        #expect(try send(.post, "\(Self.slug)/responses", save(("client_id", "short"))).json["id"] == .null)
        let named = try send(.get, "\(Self.slug)?client_id=short&response_id=\(id)")
        #expect(named.json["in_progress"]["answers"]["q1"] == "x")
        #expect(try send(.get, "\(Self.slug)?response_id=\(id)").json["in_progress"]["response_id"] == .string(id))
        _ = try send(.post, "\(Self.slug)/responses", save(("client_id", Self.longID)))
        let long = try send(.get, "\(Self.slug)?client_id=\(Self.longID)")
        #expect(long.json["in_progress"]["answers"]["q1"] == "x")
    }

    @Test func pagesOfOtherOriginsAreRefused() throws {
        let path = "/v1/apps/app/messages?client_id=c"
        let allowed = try send(.get, path, origin: "https://shop.example")
        #expect(allowed.status == 200)
        #expect(allowed.headers.contains("Access-Control-Allow-Origin: https://shop.example\r\n"))
        let refusal = try send(.get, path, origin: "https://evil.example")
        #expect(refusal.status == 403 && refusal.json["errors"][0]["code"] == "origin")
        #expect(!refusal.headers.contains("Access-Control-Allow-Origin"))
        #expect(try send(.get, path).status == 200)
        #expect(try send(.get, path, origin: "https://bw.example", host: "bw.example").status == 200)
        #expect(try send(.get, path, origin: "https://bw.example:8443", host: "bw.example").status == 403)
    }

    /// The response to the same request is kept, and must not be sent to a page of another origin.
    @Test func `A repeated request for flags is refused, too`() throws {
        let path = "/v1/apps/app/ofrep/v1/evaluate/flags"
        let body: JSONValue = ["context": ["targetingKey": "c"]]
        for _ in 0..<3 { #expect(try send(.post, path, body, origin: "https://shop.example").status == 200) }
        #expect(try send(.post, path, body, origin: "https://evil.example").status == 403)
    }

    @Test func aPreflightKnowsTheAppByItsPath() throws {
        func preflight(_ path: String, _ method: String) throws -> String {
            let headers = [
                (name: "Origin", value: "https://shop.example"),
                (name: "Access-Control-Request-Method", value: method),
            ]
            return try world.send(.options, path, headers: headers).headers
        }
        let allow = "Access-Control-Allow-Origin: https://shop.example\r\n"
        #expect(try preflight("/v1/apps/app/messages", "POST").contains(allow))
        #expect(try preflight("\(Self.slug)/responses", "POST").contains("Access-Control-Allow-Methods"))
        #expect(try !preflight("/v1/apps/other/messages", "POST").contains(allow))
        // A route for owners on the same path.
        #expect(try !preflight("\(Self.slug)/responses", "GET").contains(allow))
    }

    @Test func anAddressPollsWritesAndBeginsSoOften() throws {
        let world = try Self.world {
            $0.rates.webPolls = .init(perSecond: 1, burst: 2)
            $0.rates.webWrites = .init(perSecond: 1, burst: 5)
            $0.rates.webRespondents = .init(perHour: 2)
        }
        let path = "/v1/apps/app/messages?client_id=c"
        #expect(try (0..<3).map { _ in try send(.get, path, to: world).status } == [200, 200, 429])
        let responses = "\(Self.slug)/responses"
        let statuses = try ["a", "b", "c", "a", "d"].map {
            try send(.post, responses, save(("client_id", $0)), to: world).status
        }
        #expect(statuses == [201, 201, 429, 200, 429])
        #expect(try send(.post, responses, save(("client_id", "a")), to: world).status == 429)
        world.pass(seconds: 1800)
        #expect(try send(.post, responses, save(("client_id", "d")), to: world).status == 201)
    }

    /// Before a run begins, the address consumes one begin of its limit. That step's result must not be stored as the
    /// response of the key.
    @Test func aFirstSaveUnderAKeyBeginsARun() throws {
        let world = try Self.world { $0.rates.webRespondents = .init(perHour: 2) }
        let statuses = try ["a", "a", "b", "c"].map {
            try send(.post, "\(Self.slug)/responses", save(("client_id", $0)), key: "key-of-\($0)", to: world).status
        }
        #expect(statuses == [201, 201, 201, 429])
        world.pass(seconds: 3600)
        let later = try send(.post, "\(Self.slug)/responses", save(("client_id", "c")), key: "key-of-c", to: world)
        #expect(later.status == 201)
    }

    @Test func aTokenThatIsSentHoldsInDevelopmentToo() throws {
        let world = try Self.world(isOpen: true) { _ in }
        #expect(try send(.get, Self.slug + "?user_id=u", to: world).status == 403)
        #expect(try world.send(.get, Self.slug + "?user_id=u").status == 200)
        #expect(try send(.get, "/v1/tokens", to: world).status == 403)
    }

    @Test func onlyAClientsTokenIsPublic() throws {
        let world = try Self.world(isOpen: true) { _ in }
        let made = try world.send(.post, "/v1/tokens", body: ["scope": "client", "app": "app", "web": true])
        #expect(made.status == 201 && made.json["web"] == true)
        #expect(made.json["name"].string?.isEmpty == false)
        let refusal = try world.send(.post, "/v1/tokens", body: ["scope": "owner", "app": "app", "web": true])
        #expect(refusal.status == 400 && refusal.json["errors"][0]["pointer"] == "/web")
    }

    @Test func aManifestNamesOriginsAsBrowsersSendThem() throws {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["web"] = ["origins": ["https://a.example/", "*", 1], "media_origins": "x", "more": 1]
        let open = try WorkerUnderTest()
        let refusal = try open.send(.put, "/v1/apps/new/manifest", body: .object(manifest))
        #expect(refusal.status == 422)
        let pointers = (refusal.json["errors"].array ?? []).compactMap { $0["pointer"].string }.sorted()
        #expect(pointers == ["/web/media_origins", "/web/more", "/web/origins/0", "/web/origins/1", "/web/origins/2"])
    }
}
