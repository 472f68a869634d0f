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

    init() throws {
        var settings = APISettings()
        let digest = SHA256.hash(Array("owl".utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        settings.tokens = TokenTable([try Token("owl:client:\(WorkerUnderTest.app):\(digest.joined())")])
        world = try WorkerUnderTest(
            recipes: [QuestionnaireTests.slug: QuestionnaireTests.definition()], settings: settings)
    }

    private func send(_ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil) throws -> Answer {
        try world.send(method, target, headers: [(name: "Authorization", value: "Bearer owl")], body: body)
    }

    @Test func aQuestionnaireIsFetchedSavedAndSubmitted() throws {
        let fetched = try send(.get, "\(path)?user_id=u1").json
        #expect(fetched["eligible"] == true && fetched["questionnaire"]["slug"] == "weekly")
        #expect(fetched.object?["in_progress"] == nil)
        let draft: JSONValue = ["user_id": "u1", "answers": ["q1": "x"], "is_complete": false]
        #expect(try send(.post, "\(path)/responses", draft).status == 201)
        #expect(try send(.get, "\(path)?user_id=u1").json["in_progress"]["answers"] == ["q1": "x"])
        let last: JSONValue = ["user_id": "u1", "answers": ["q2": "yes"], "is_complete": true]
        let submitted = try send(.post, "\(path)/responses", last)
        #expect(submitted.status == 200 && submitted.json["was_submitted"] == true)
        let again = try send(.post, "\(path)/responses", last)
        #expect(again.status == 409 && again.json["reason"] == "already_responded" && again.json["error"].string != nil)
    }

    @Test func faultsAreFourHundredWithAnError() throws {
        let faulty: JSONValue = ["user_id": "u1", "answers": ["q5": 11]]
        let answer = try send(.post, "\(path)/responses", faulty)
        #expect(answer.status == 400 && answer.json["error"].string?.contains("0 to 10") == true)
        #expect(answer.json["status"] == 400 && answer.json["title"] == "Bad Request")
        let session: JSONValue = ["user_id": "u1", "session_id": "x", "answers": [:]]
        #expect(try send(.post, "\(path)/responses", session).status == 400)
        #expect(try send(.get, "/v1/questionnaires/none").status == 404)
        #expect(try send(.post, "/v1/questionnaires/dismiss", [:]).status == 400)
        #expect(try world.send(.get, path).json["error"].string != nil, "without a token")
    }

    @Test func aUserWantsNoMore() throws {
        #expect(try send(.post, "/v1/questionnaires/dismiss", ["user_id": "u1"]).json["dismissed_at"].string != nil)
        #expect(try send(.get, "\(path)?user_id=u1").json == ["eligible": false, "reason": "globally_dismissed"])
    }
}
