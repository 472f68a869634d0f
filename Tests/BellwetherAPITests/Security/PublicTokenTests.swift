import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import Surveys
import Testing

@testable import BellwetherAPI

/// A client with a public token learns nothing about others (docs/reference/http-api.md#public-tokens).
@Suite struct PublicTokenTests {
    /// SHA-256 of "test".
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let secret = Array("sixteen bytes or more".utf8)
    private static let longID = "0123456789abcdefghij_-"
    private static let app = "/v1/apps/app"

    private let world: WorkerUnderTest

    init() throws { world = try Self.world { _ in } }

    private static func world(_ change: (inout APISettings) -> Void) throws -> WorkerUnderTest {
        var settings = APISettings.open
        settings.tokens = TokenTable([try Token("test:web:app:\(digest)")])
        settings.identitySecrets = ["app": secret]
        change(&settings)
        let questionnaire: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "a", "type": "text", "title": "?"]]],
        ]
        let survey: JSONValue = [
            "kind": "survey",
            "questions": [
                ["id": "a", "question": "?", "question_type": "single_select", "options": ["Yes", "No"]],
                [
                    "id": "b", "question": "?", "question_type": "single_select", "options": ["Yes"],
                    "show_if": ["id": "a", "operation": "equals", "value": "Yes"],
                ],
                ["id": "c", "question": "?", "question_type": "single_select", "options": ["Yes"]],
            ],
        ]
        let flow: JSONValue = [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [["id": "one", "type": "welcome", "config": ["title": "One"]]],
        ]
        return try WorkerUnderTest(
            recipes: ["q": questionnaire, "sv": survey, "tour": flow, "second": flow], settings: settings)
    }

    private static func request(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, web: Bool = true
    ) throws -> Request {
        let headers = web ? [(name: "Authorization", value: "Bearer test")] : []
        var request = try Request(method, app + path, headers: headers, body: body?.encoded ?? [])
        request.peer = .ipv4(0xC000_0201, port: 1)
        return request
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, web: Bool = true
    ) throws -> RecordedResponse {
        world.send(try Self.request(method, path, body, web: web))
    }

    private func proof(_ userID: String) -> String {
        Digest.hex(Array(HMAC.authenticationCode(for: Array("app\0\(userID)".utf8), key: Self.secret)))
    }

    private func identify(_ client: String, as user: String) throws -> RecordedResponse {
        let body: JSONValue = [
            "client_id": .string(client), "user_id": .string(user), "user_proof": .string(proof(user)),
        ]
        return try send(.post, "/identify", body)
    }

    private func save(_ client: String, _ answers: JSONValue, in recipe: String = "questionnaires/q") throws
        -> RecordedResponse
    {
        try send(.post, "/\(recipe)/responses", ["client_id": .string(client), "answers": answers])
    }

    private func expectRefusal(_ answer: RecordedResponse, _ status: Int, _ code: JSONValue) {
        #expect(answer.status == status && answer.json["errors"][0]["code"] == code, "\(answer.json.text)")
    }

    @Test(arguments: ["anna-1", "anna.schmidt@example.org", "0123456789abcdefghij+/", "0123456789abcdefghij_"])
    func `A client whose id can be guessed becomes nobody's`(_ client: String) throws {
        #expect(try save(client, ["a": "CANARY"]).status == 201)
        expectRefusal(try identify(client, as: "mallory"), 403, "identity_proof")
        let found = try send(.get, "/questionnaires/q?user_id=mallory&user_proof=\(proof("mallory"))")
        #expect(found.json["eligible"] == true && found.json["in_progress"] == .null)
        let body: JSONValue = ["client_id": .string(client), "user_id": "anna"]
        #expect(try send(.post, "/identify", body, web: false).json["merged"] == ["q"], "the app itself may say so")
    }

    @Test func `A client that is a user's already stays so`() throws {
        #expect(try save(Self.longID, ["a": "CANARY"]).status == 201)
        #expect(try identify(Self.longID, as: "anna").json["merged"] == ["q"])
        #expect(try identify(Self.longID, as: "anna").status == 200)
        expectRefusal(try identify(Self.longID, as: "mallory"), 403, "identity_proof")
        #expect(try save(Self.longID, ["a": "LATER"]).status == 200)
        let found = try send(.get, "/questionnaires/q?user_id=mallory&user_proof=\(proof("mallory"))")
        #expect(found.json["in_progress"] == .null)
        let own = try send(.get, "/questionnaires/q?user_id=anna&user_proof=\(proof("anna"))")
        #expect(own.json["in_progress"]["answers"]["a"] == "LATER")
    }

    @Test func `Earlier answers are not given out by an e-mail address`() throws {
        let address = "anna.schmidt@example.org"
        #expect(try save(address, ["a": "CANARY"]).json["id"] != .null)
        #expect(try send(.get, "/questionnaires/q?client_id=\(address)").json["in_progress"] == .null)
        #expect(try save(Self.longID, ["a": "mine"]).status == 201)
        let own = try send(.get, "/questionnaires/q?client_id=\(Self.longID)")
        #expect(own.json["in_progress"]["answers"]["a"] == "mine")
    }

    @Test(arguments: ["Yes", "No"])
    func `The place to go on at tells a stranger nothing of the answers`(_ answer: String) throws {
        #expect(try save("yy-1", ["a": .string(answer)], in: "surveys/sv").json["resume_at"] != .null)
        let strange = try save("yy-1", [:], in: "surveys/sv")
        #expect(strange.status == 200)
        for key in ["id", "resume_at", "created_at"] { #expect(strange.json[key] == .null) }
        let own = try save(Self.longID, ["a": .string(answer)], in: "surveys/sv").json
        let again = try save(Self.longID, [:], in: "surveys/sv").json
        #expect(again["id"] == own["id"] && again["created_at"] == own["created_at"])
        #expect(again["resume_at"] == own["resume_at"] && own["resume_at"] != .null)
    }

    @Test func `A run whose client can be guessed is not begun twice`() throws {
        let begun = try send(.post, "/flows/tour/runs", ["client_id": "anna-1"])
        #expect(begun.status == 201)
        let again = try send(.post, "/flows/tour/runs", ["client_id": "anna-1"])
        expectRefusal(again, 409, "run_open")
        let id = try #require(begun.json["run_id"].string)
        #expect(!again.json.text.contains(id) && again.json["run"] == .null)
        let found = try send(.post, "/flows/tour/runs", ["client_id": "anna-1"], web: false)
        #expect(found.status == 200 && found.json["run_id"].string == id)
        #expect(try send(.post, "/flows/second/runs", ["client_id": "anna-1"]).status == 201)
        let long = try send(.post, "/flows/tour/runs", ["client_id": .string(Self.longID)]).json["run_id"]
        let resumed = try send(.post, "/flows/tour/runs", ["client_id": .string(Self.longID)])
        #expect(resumed.status == 200 && resumed.json["run_id"] == long && long != .null)
    }

    @Test func `Requests that come at once begin no more responses than their address may`() throws {
        let world = try Self.world { $0.rates.webRespondents = .init(perHour: 3) }
        for path in ["/questionnaires/q/responses", "/flows/tour/runs"] {
            // All requests arrive before the store answers the first one.
            let answers = try (0..<150).map { number in
                let body: JSONValue = ["client_id": .string("\(path) \(number)"), "answers": ["a": "x"]]
                return world.begin(try Self.request(.post, path, body))
            }
            world.settle()
            #expect(answers.count { $0.status == 201 } == 3 && answers.count { $0.status == 429 } == 147)
            world.pass(seconds: 3600)
        }
    }

    @Test func `A response that is refused, or goes on, takes no place`() throws {
        let world = try Self.world { $0.rates.webRespondents = .init(perHour: 2) }
        func save(_ client: String, _ answers: JSONValue) throws -> Int {
            let body: JSONValue = ["client_id": .string(client), "answers": answers]
            return world.send(try Self.request(.post, "/questionnaires/q/responses", body)).status
        }
        #expect(try save("one", ["a": "x"]) == 201)
        for _ in 0..<5 { #expect(try save("two", ["none": "x"]) == 422) }
        for _ in 0..<5 { #expect(try save("one", ["a": "y"]) == 200) }
        #expect(try save("two", ["a": "x"]) == 201)
        #expect(try save("three", ["a": "x"]) == 429)
        #expect(try save("one", ["a": "z"]) == 200)
    }
}
