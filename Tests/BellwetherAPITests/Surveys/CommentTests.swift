import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Comments on responses (docs/reference/http-api.md#responses).
@Suite struct CommentTests {
    private let world: WorkerUnderTest
    private let response: String

    init() throws {
        var settings = APISettings()
        let scopes = [("ann", "owner:app"), ("bob", "owner:app"), ("root", "admin:*"), ("page", "client:app")]
        settings.tokens = TokenTable(
            try scopes.map { name, scope in
                let digest = SHA256.hash(Array(name.utf8)).map {
                    String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
                }
                return try Token("\(name):\(scope):\(digest.joined())")
            })
        let recipes = [QuestionnaireTests.slug: QuestionnaireTests.definition()]
        world = try WorkerUnderTest(recipes: recipes, settings: settings)
        let saved = try world.send(
            .post, "/v1/apps/app/questionnaires/\(QuestionnaireTests.slug)/responses",
            headers: [("Authorization", "Bearer page")], body: ["client_id": "c", "answers": ["q1": "x"]])
        response = try #require(saved.json["id"].string)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, by name: String) throws
        -> RecordedResponse
    {
        try world.send(method, "/v1/apps/app/" + path, headers: [("Authorization", "Bearer \(name)")], body: body)
    }

    private func comment(_ text: String, by name: String = "ann") throws -> RecordedResponse {
        try send(.post, "responses/\(response)/comments", ["body": .string(text)], by: name)
    }

    @Test(arguments: ["", "   ", "\n\t\u{A0}"])
    func aCommentIsNotBlank(_ text: String) throws {
        let refused = try comment(text)
        #expect(refused.status == 422 && refused.json["errors"][0]["pointer"] == "/body")
        let id = try comment(" x ").json["id"].string ?? ""
        #expect(try send(.patch, "comments/\(id)", ["body": .string(text)], by: "ann").status == 422)
        #expect(
            try send(.get, "responses/\(response)", by: "ann").json["comments"].array?.map { $0["body"] } == [" x "])
    }

    @Test func aResponseHasAtMostTwoHundred() throws {
        for number in 0..<ChangeRun.maximumComments { #expect(try comment("\(number)").status == 201) }
        let refused = try comment("one more")
        #expect(refused.status == 422 && refused.json["errors"][0]["code"] == "too_many")
        #expect(try send(.delete, "comments/\(response).1", by: "ann").status == 204)
        #expect(try comment("one more").json["id"] == .string("\(response).201"))
    }

    @Test func itsAuthorOrAnAdminDeletesIt() throws {
        for by in ["ann", "root"] {
            let id = try comment("mine").json["id"].string ?? ""
            #expect(try send(.delete, "comments/\(id)", by: "bob").status == 403)
            #expect(try send(.patch, "comments/\(id)", ["body": "yours"], by: "root").status == 403)
            #expect(try send(.delete, "comments/\(id)", by: by).status == 204)
        }
        #expect(try send(.get, "responses/\(response)", by: "ann").json["comments"] == [])
    }
}
