import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Questionnaires with Owlmetry's paths, statuses and errors (docs/reference/http-api.md#owlmetry).
@Suite struct OwlmetryRouteTests {
    let world: WorkerUnderTest
    private let path = "/v1/questionnaires/weekly"
    private static let manifest: JSONValue = [
        "app_name": "a", "app_id": "com.example.owl", "default_locale": "en-US", "surfaces": ["card"],
    ]

    init() throws {
        var settings = APISettings()
        let digest = SHA256.hash(Array("owl".utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        settings.tokens = TokenTable([try Token("owl:client:\(WorkerUnderTest.app):\(digest.joined())")])
        let bare: JSONValue = [
            "kind": "questionnaire", "name": "Bare",
            "schema": [
                "questions": [
                    ["id": "t", "type": "text", "title": "T?", "required": nil],
                    ["id": "r", "type": "rating", "title": "R?"],
                    ["id": "s", "type": "rating", "title": "S?", "scale": 7, "required": true],
                ]
            ],
        ]
        world = try WorkerUnderTest(
            manifest: Self.manifest,
            recipes: [QuestionnaireTests.slug: QuestionnaireTests.definition(), "bare": bare], settings: settings)
    }

    private func send(_ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil) throws -> RecordedResponse {
        try world.send(method, target, headers: [(name: "Authorization", value: "Bearer owl")], body: body)
    }

    private func claim(_ anonymous: String, _ user: String) throws -> RecordedResponse {
        try send(.post, "/v1/identity/claim", ["anonymous_id": .string(anonymous), "user_id": .string(user)])
    }

    private func fetch(_ user: String) throws -> JSONValue { try send(.get, "\(path)?user_id=\(user)").json }

    private func save(_ user: String, _ answers: JSONValue, isComplete: Bool = false) throws -> RecordedResponse {
        let body: JSONValue = ["user_id": .string(user), "answers": answers, "is_complete": .bool(isComplete)]
        return try send(.post, "\(path)/responses", body)
    }

    private func with(_ body: JSONObject, bundle: JSONValue) -> JSONValue {
        var body = body
        body["bundle_id"] = bundle
        return .object(body)
    }

    @Test func aQuestionnaireIsFetchedSavedAndSubmitted() throws {
        let fetched = try fetch("u1")
        #expect(fetched["eligible"] == true && fetched["questionnaire"]["slug"] == "weekly")
        #expect(fetched.object?["in_progress"] == nil)
        #expect(try save("u1", ["q1": "x"]).status == 201)
        #expect(try fetch("u1")["in_progress"]["answers"] == ["q1": "x"])
        let submitted = try save("u1", ["q2": "yes"], isComplete: true)
        #expect(submitted.status == 200 && submitted.json["was_submitted"] == true)
        let again = try save("u1", ["q2": "yes"], isComplete: true)
        #expect(again.status == 409 && again.json["reason"] == "already_responded" && again.json["error"].string != nil)
    }

    @Test func `Every member that the SDKs read is there`() throws {
        let fetched = try send(.get, "/v1/questionnaires/bare").json["questionnaire"]
        #expect(fetched["name"] == "Bare" && fetched["description"] == .null && fetched["schema"]["version"] == 1)
        let questions = fetched["schema"]["questions"]
        #expect(questions.array?.map { $0["required"] } == [false, false, true])
        #expect(questions.array?.map { $0["scale"] } == [.null, 5, 7])
        #expect(questions[0].object?["scale"] == nil)
        #expect(try fetch("u1")["questionnaire"]["name"] == "Weekly")
    }

    @Test func faultsAreFourHundredWithAnError() throws {
        let answer = try save("u1", ["q5": 11])
        #expect(answer.status == 400 && answer.json["error"].string?.contains("0 to 10") == true)
        #expect(answer.json["status"] == 400 && answer.json["title"] == "Bad Request")
        let session: JSONValue = ["user_id": "u1", "session_id": "x", "environment": "banana", "answers": [:]]
        let refused = try send(.post, "\(path)/responses", session)
        #expect(refused.status == 400)
        #expect(refused.json["errors"].array?.map { $0["pointer"] } == ["/session_id", "/environment"])
        #expect(try send(.get, "/v1/questionnaires/none").status == 404)
        #expect(try send(.get, "\(path)?user_id=\(String(repeating: "u", count: 129))").status == 400)
        #expect(try send(.post, "/v1/questionnaires/dismiss", [:]).status == 400)
        #expect(try world.send(.get, path).json["error"].string != nil, "without a token")
    }

    @Test(arguments: ["ios", "ipados", "macos", "watchos", "android", "web", "backend"])
    func `An environment is one that Owlmetry knows`(_ environment: String) throws {
        let body: JSONValue = ["user_id": "u", "environment": .string(environment), "answers": ["q1": "x"]]
        #expect(try send(.post, "\(path)/responses", body).status == 201)
    }

    @Test func aUserWantsNoMore() throws {
        #expect(try send(.post, "/v1/questionnaires/dismiss", ["user_id": "u1"]).json["dismissed_at"].string != nil)
        #expect(try fetch("u1") == ["eligible": false, "reason": "globally_dismissed"])
    }

    @Test func `Another bundle is refused on every route, a missing one passes`() throws {
        let event: JSONValue = ["session_id": "s", "level": "info", "message": "m"]
        let bodies: [(String, JSONObject)] = [
            ("\(path)/responses", ["user_id": "u", "answers": ["q1": "x"]]),
            ("/v1/questionnaires/dismiss", ["user_id": "v"]),
            ("/v1/identity/claim", ["anonymous_id": "owl_anon_1", "user_id": "w"]),
            ("/v1/ingest", ["events": [event]]),
        ]
        for (target, body) in bodies {
            let refused = try send(.post, target, with(body, bundle: "com.other"))
            #expect(refused.status == 403 && refused.json["error"].string != nil, "\(target)")
            for passes in [with(body, bundle: "com.example.owl"), .object(body)] {
                #expect((200...201).contains(try send(.post, target, passes).status), "\(target)")
            }
        }
        #expect(try send(.get, "\(path)?bundle_id=com.other").status == 403)
        #expect(try fetch("v&bundle_id=com.example.owl")["reason"] == "globally_dismissed")
    }

    /// `URLComponents` does not encode a plus sign.
    @Test func `A plus sign of a user id is one`() throws {
        #expect(try save("anna+x@example.org", ["q2": "yes"], isComplete: true).status == 201)
        for spelled in ["anna+x@example.org", "anna%2Bx@example.org"] {
            #expect(try fetch(spelled)["reason"] == "already_responded")
        }
        #expect(try fetch("anna%20x@example.org")["eligible"] == true)
    }

    @Test func `At a login drafts become the user's`() throws {
        #expect(try save("owl_anon_1", ["q1": "x"]).status == 201)
        let claimed = try claim("owl_anon_1", "nora")
        #expect(claimed.status == 200 && claimed.json == ["claimed": true, "events_reassigned_count": 0])
        #expect(try fetch("nora")["in_progress"]["answers"] == ["q1": "x"])
        #expect(try claim("owl_anon_1", "nora").status == 200, "again")
        #expect(try save("owl_anon_1", ["q2": "yes"], isComplete: true).json["was_submitted"] == true)
        #expect(try fetch("nora")["reason"] == "already_responded", "what the installation sends later")
    }

    @Test func `At a login a dismissal becomes the user's`() throws {
        #expect(try send(.post, "/v1/questionnaires/dismiss", ["user_id": "owl_anon_1"]).status == 200)
        #expect(try fetch("nora")["eligible"] == true)
        #expect(try claim("owl_anon_1", "nora").status == 200)
        #expect(try fetch("nora")["reason"] == "globally_dismissed")
    }

    @Test func `At a login the response that was submitted stays`() throws {
        #expect(try save("owl_anon_1", ["q2": "yes"], isComplete: true).status == 201)
        #expect(try save("nora", ["q1": "draft"]).status == 201)
        #expect(try claim("owl_anon_1", "nora").status == 200)
        #expect(try fetch("nora")["reason"] == "already_responded")
    }

    @Test(arguments: [
        ("anna", "nora"), ("", "nora"), ("owl_anon_1", ""), ("owl_anon_1", "owl_anon_2"), ("OWL_ANON_1", "nora"),
    ])
    func `A claim is of an installation, for a user`(_ anonymous: String, _ user: String) throws {
        let refused = try claim(anonymous, user)
        #expect(refused.status == 400 && refused.json["error"].string != nil)
    }

    @Test(arguments: [
        "/v1/identity/properties", "/v1/identity/attribution/apple-search-ads", "/v1/feedback",
        "/v1/ingest/attachment",
    ])
    func `Other paths of the SDKs are told so`(_ target: String) throws {
        for method in [HTTPMethod.post, .get] {
            let answer = try send(method, target, method == .post ? [:] : nil)
            #expect(answer.status == 404 && answer.json["error"].string?.contains("Owlmetry") == true)
        }
    }
}
