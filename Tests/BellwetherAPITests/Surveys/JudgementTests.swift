import BellwetherJSON
import BellwetherService
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Saves with long-running patterns and conditions are judged before they are written
/// (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
@Suite struct JudgementTests {
    /// A pattern that needs more steps than a writer may use, and fewer than a save may use.
    private static let costly = "(?:[^a]?.?){99}z"
    /// A pattern that needs more steps than a save may use.
    private static let hostile = "(?:[^a]?.?){999}z"

    private static func matches(_ pattern: String) -> JSONValue {
        ["ref": "answer.why", "op": "matches", "value": .string(pattern)]
    }

    private static func world(_ when: JSONValue, checks: HeldQueue? = nil) throws -> WorkerUnderTest {
        let questions: JSONValue = [
            ["id": "why", "type": "text", "title": "Why?"], ["id": "what", "type": "text", "title": "What?"],
        ]
        let quota: JSONValue = ["name": "quota", "when": when, "limit": 1]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": questions],
            "offer": ["surface": "card", "text": "A minute?", "pacing": ["quotas": [quota]]],
        ]
        return try WorkerUnderTest(recipes: ["q": recipe], queues: checks.map { ($0.make(), .inPlace) })
    }

    private static let path = "/v1/apps/app/questionnaires/q/responses"

    private func body(_ client: String, _ answers: JSONObject) -> JSONValue {
        ["client_id": .string(client), "answers": .object(answers)]
    }

    private func save(_ world: WorkerUnderTest, _ client: String, _ answers: JSONObject) throws -> RecordedResponse {
        try world.send(.post, Self.path, body: body(client, answers))
    }

    /// Makes the judgements that wait, and resumes their requests.
    private func finish(_ world: WorkerUnderTest, _ checks: HeldQueue) {
        world.settle()
        checks.run()
        world.settle()
    }

    private func reading(_ world: WorkerUnderTest) -> MeterReading {
        var reading = MeterReading()
        world.worker.meter.add(to: &reading)
        return reading
    }

    private static let long = JSONValue.string(String(repeating: "b", count: 500) + "z")

    @Test func whatTakesLongIsJudgedElsewhereAndCounts() throws {
        let world = try Self.world(Self.matches(Self.costly))
        #expect(try save(world, "a", ["why": Self.long]).json["status"] == "draft")
        #expect(reading(world).counts[.judgedApart] == 1)
        #expect(try save(world, "b", ["why": Self.long]).json["status"] == "screened_out", "a has the place")
        #expect(try save(world, "c", ["why": "b"]).json["status"] == "draft")
        #expect(reading(world).counts[.judgedApart] == 2, "a short text is judged among the writes")
        #expect(reading(world).counts[.givenUpConditions] == 0)
    }

    @Test func aSaveWithAnIdempotencyKeyIsAnsweredTheSameAgain() throws {
        let world = try Self.world(Self.matches(Self.costly))
        let answers = try (0..<2).map { _ in
            try world.send(
                .post, Self.path, headers: [("Idempotency-Key", "k")], body: body("a", ["why": Self.long]))
        }
        #expect(answers.map(\.status) == [201, 201] && answers[0].json == answers[1].json)
        #expect(reading(world).counts[.judgedApart] == 1)
    }

    @Test func aConditionThatTakesTooLongIsFalseAndCounted() throws {
        let world = try Self.world(["any": .array(Array(repeating: Self.matches(Self.hostile), count: 100))])
        for client in ["a", "b"] {
            #expect(try save(world, client, ["why": .string(String(repeating: "b", count: 4_000))]).status == 201)
        }
        #expect(reading(world).counts[.judgedApart] == 2 && reading(world).counts[.givenUpConditions] == 2)
    }

    /// Both saves are judged for the same state of the run. The second is judged again, for the state after the first.
    @Test func aJudgementCountsOnlyWhileTheAnswersAreTheSame() throws {
        let checks = HeldQueue()
        let world = try Self.world(Self.matches(Self.costly), checks: checks)
        let draft = try world.begin(.post, Self.path, body: body("a", ["why": Self.long]))
        finish(world, checks)
        #expect(draft.json["status"] == "draft")
        let first = try world.begin(.post, Self.path, body: body("a", ["what": "1"]))
        let second = try world.begin(.post, Self.path, body: body("a", ["what": "2"]))
        world.settle()
        #expect(first.response == nil && second.response == nil, "nothing is judged on the event loop")
        finish(world, checks)
        #expect(first.status == 200 && second.status == 200)
        #expect(reading(world).counts[.judgedApart] == 4)
        let screenedOut = try world.begin(.post, Self.path, body: body("b", ["why": Self.long]))
        finish(world, checks)
        #expect(screenedOut.json["status"] == "screened_out")
    }

    @Test func `The questions of a survey that take long to judge are judged in the queue of checks`() throws {
        let checks = HeldQueue()
        let test: JSONValue = ["id": "why", "operation": "not equals", "value": "x"]
        let condition: JSONValue = ["operation": "and", "subconditions": .array(Array(repeating: test, count: 100))]
        let recipe: JSONValue = [
            "kind": "survey",
            "questions": [
                ["id": "why", "question": "Why?", "question_type": "single_text_field"],
                [
                    "id": "what", "question": "What?", "question_type": "single_text_field", "show_if": condition,
                ],
            ],
        ]
        let world = try WorkerUnderTest(recipes: ["s": recipe], queues: (checks.make(), .inPlace))
        func evaluate(_ why: JSONValue) throws -> RecordedResponse {
            let answer = try world.begin(
                .post, "/v1/apps/app/surveys/s/evaluate", body: ["answers": ["why": why]])
            world.settle()
            return answer
        }
        #expect(try evaluate("z").json["visible"] == ["why", "what"])
        let costly = try evaluate(.string(String(repeating: "b", count: 8_000)))
        #expect(costly.response == nil)
        finish(world, checks)
        #expect(costly.json["visible"] == ["why", "what"] && reading(world).counts[.givenUpConditions] == 0)
    }

    // MARK: Flows

    private func flow(_ world: WorkerUnderTest, _ pattern: String) throws -> String {
        let field: JSONValue = [
            "id": "why", "type": "text",
            "validation": ["pattern": .string(pattern), "pattern_message": "Something else, please."],
        ]
        let steps: JSONValue = [["id": "s", "type": "form", "config": ["fields": [field]]]]
        let recipe: JSONValue = ["kind": "flow", "name": "F", "steps": steps]
        #expect(try world.send(.put, "/v1/apps/app/recipes/f", body: recipe).status == 201)
        let run = try world.send(.post, "/v1/apps/app/flows/f/runs", body: ["client_id": "c"])
        return "/v1/apps/app/runs/\(try #require(run.json["run_id"].string))/advance"
    }

    @Test func anActionThatTakesLongIsJudgedElsewhere() throws {
        let world = try WorkerUnderTest()
        let path = try flow(world, Self.costly)
        let body: JSONValue = ["step_id": "s", "response": ["why": Self.long], "id": "1"]
        let answer = try world.send(.post, path, body: body)
        #expect(answer.status == 200 && answer.json["status"] == "completed")
        #expect(reading(world).counts[.judgedApart] == 1 && reading(world).counts[.givenUpAnswers] == 0)
        #expect(try world.send(.post, path, body: body).json == answer.json, "the same id is answered the same")
    }

    @Test func anAnswerThatTakesTooLongHasTheFaultPattern() throws {
        let world = try WorkerUnderTest()
        let path = try flow(world, Self.hostile)
        let text = JSONValue.string(String(repeating: "b", count: 4_000))
        let answer = try world.send(.post, path, body: ["step_id": "s", "response": ["why": text]])
        #expect(answer.status == 422)
        #expect(answer.json["errors"][0]["pointer"] == "/response/why" && answer.json["errors"][0]["code"] == "pattern")
        #expect(reading(world).counts[.givenUpAnswers] == 1)
        #expect(try world.send(.post, path, body: ["step_id": "s", "response": ["why": "z"]]).status == 200)
    }
}
