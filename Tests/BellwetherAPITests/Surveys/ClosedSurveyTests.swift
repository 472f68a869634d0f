import BellwetherJSON
import BellwetherService
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// A closed questionnaire says so before the respondent answers it (docs/reference/surveys.md#eligibility).
@Suite struct ClosedSurveyTests {
    private static let path = "/v1/apps/app/questionnaires/q"

    private static func world(_ pacing: JSONValue, settings: APISettings = .open) throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": [
                "version": 1,
                "questions": [
                    [
                        "id": "sex", "type": "single_choice", "title": "?",
                        "options": [["id": "m", "label": "M"], ["id": "f", "label": "F"]],
                    ]
                ],
            ],
            "offer": ["surface": "card", "text": "A minute?", "pacing": pacing],
        ]
        return try WorkerUnderTest(manifest: .object(manifest), recipes: ["q": recipe], settings: settings)
    }

    private func save(_ world: WorkerUnderTest, _ client: String, _ answers: JSONValue, final: Bool) throws
        -> RecordedResponse
    {
        let body: JSONValue = ["client_id": .string(client), "answers": answers, "is_complete": .bool(final)]
        return try world.send(.post, Self.path + "/responses", body: body)
    }

    private func reason(_ world: WorkerUnderTest, _ client: String, _ query: String = "") throws -> String {
        let json = try world.send(.get, "\(Self.path)?client_id=\(client)\(query)").json
        return json["eligible"] == true ? "eligible" : json["reason"].string ?? "?"
    }

    private func tag(_ answer: RecordedResponse) -> String? {
        answer.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }.map { String($0.dropFirst(6)) }
    }

    @Test func aLimitThatIsReachedIsTold() throws {
        let world = try Self.world(["response_limit": 1])
        #expect(try save(world, "draft", [:], final: false).json["status"] == "draft")
        #expect(try reason(world, "new") == "eligible")
        #expect(try save(world, "a", [:], final: true).json["status"] == "new")
        #expect(try reason(world, "new") == "response_limit")
        #expect(try reason(world, "draft") == "response_limit", "a draft counts for no response limit")
        #expect(try reason(world, "a") == "already_responded")
        #expect(try reason(world, "new", "&force=true") == "eligible")
    }

    /// Owlmetry's SDKs do not support the newer reasons.
    @Test func theDropInSaysInactive() throws {
        var settings = APISettings()
        let digest = Digest.hex(Digest.sha256(Array("owl".utf8)))
        settings.tokens = TokenTable([try Token("owl:client:\(WorkerUnderTest.app):\(digest)")])
        let world = try Self.world(["response_limit": 0], settings: settings)
        let answer = try world.send(
            .get, "/v1/questionnaires/q?user_id=u", headers: [(name: "Authorization", value: "Bearer owl")])
        #expect(answer.json == ["eligible": false, "reason": "inactive"])
    }

    @Test func aQuotaThatIsFullForEverybodyIsTold() throws {
        let world = try Self.world(["quotas": [["name": "all", "when": true, "limit": 1]]])
        #expect(try save(world, "holder", [:], final: false).json["status"] == "draft")
        #expect(try reason(world, "new") == "quota_full")
        #expect(try reason(world, "holder") == "eligible", "the draft has the place")
        #expect(try save(world, "late", [:], final: true).json["status"] == "screened_out")
        #expect(try reason(world, "late") == "screened_out")
        #expect(try reason(world, "late", "&force=true") == "eligible")
        #expect(try reason(world, "new", "&force=1") == "eligible")
    }

    @Test func aQuotaOfAnAnswerOrOneThatEndsNothingClosesNothing() throws {
        let men: JSONValue = ["ref": "answer.sex", "op": "eq", "value": "m"]
        let quotas: JSONValue = [
            ["name": "men", "when": men, "limit": 0], ["name": "some", "when": true, "limit": 0, "action": "continue"],
        ]
        let world = try Self.world(["quotas": quotas])
        #expect(try reason(world, "new") == "eligible")
        #expect(try save(world, "man", ["sex": "m"], final: false).json["status"] == "screened_out")
        #expect(try reason(world, "man") == "screened_out" && reason(world, "new") == "eligible")
    }

    @Test func aQuotaOfAnAttributeClosesForThoseWhoHaveIt() throws {
        let world = try Self.world([
            "quotas": [["name": "n", "when": ["ref": "attr.age", "op": "gte", "value": 18], "limit": 0]]
        ])
        #expect(try reason(world, "c", "&age=18") == "quota_full")
        #expect(try reason(world, "c", "&age=17") == "eligible" && reason(world, "c") == "eligible")
    }

    @Test func aDefinitionThatTheClientHasIsNotSentAgain() throws {
        let world = try Self.world([:])
        let first = try world.send(.get, Self.path + "?client_id=c")
        let tag = try #require(self.tag(first))
        func again() throws -> RecordedResponse {
            try world.send(.get, Self.path + "?client_id=c", headers: [("If-None-Match", tag)])
        }
        #expect(try again().status == 304)
        #expect(try save(world, "c", ["sex": "m"], final: false).json["status"] == "draft")
        let changed = try again()
        #expect(changed.status == 200 && self.tag(changed) != tag, "it is given a draft now")
    }
}
