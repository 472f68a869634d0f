import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Drafts whose answers an edit of the recipe has made faulty (docs/reference/surveys.md#saving).
@Suite struct ChangedDraftTests {
    private static let last: JSONObject = ["id": "t", "type": "text", "title": "Text?", "required": true]

    private static func questionnaire(_ question: JSONObject) -> JSONValue {
        var first: JSONObject = ["id": "c", "title": "Choice?", "required": true]
        for member in question { first[member.key] = member.value }
        return [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [.object(first), .object(last)]],
        ]
    }

    private static func survey(_ question: JSONObject) -> JSONValue {
        var first: JSONObject = ["id": "c", "question": "Choice?"]
        for member in question { first[member.key] = member.value }
        let last: JSONValue = ["id": "t", "question": "Text?", "question_type": "single_text_field"]
        return ["kind": "survey", "submit": ["button_title": "Send"], "questions": [.object(first), last]]
    }

    private static func options(_ ids: String...) -> JSONValue {
        .array(ids.map { ["id": .string($0), "label": .string($0)] })
    }

    private struct Edit: Sendable {
        let before: JSONValue
        let after: JSONValue
        let answer: JSONValue
        let valid: JSONValue
        var isSurvey: Bool { before.object?["kind"] == "survey" }
    }

    private static let edits: [Edit] = [
        Edit(
            before: questionnaire(["type": "single_choice", "options": options("a", "b", "z")]),
            after: questionnaire(["type": "single_choice", "options": options("a", "z")]), answer: "b", valid: "a"),
        Edit(
            before: questionnaire(["type": "multi_choice", "options": options("a", "b", "z")]),
            after: questionnaire(["type": "multi_choice", "options": options("a", "z")]), answer: ["a", "b"],
            valid: ["z"]),
        Edit(
            before: questionnaire(["type": "rating", "scale": 10]), after: questionnaire(["type": "rating"]), answer: 9,
            valid: 5),
        Edit(
            before: questionnaire(["type": "nps"]), after: questionnaire(["type": "text"]), answer: 9, valid: "nine"),
        Edit(
            before: survey(["question_type": "single_select", "options": ["a", "b"]]),
            after: survey(["question_type": "single_select", "options": ["a", "z"]]), answer: "b", valid: "z"),
        Edit(
            before: survey(["question_type": "multi_select", "options": ["a", "b"]]),
            after: survey(["question_type": "multi_select", "options": ["a", "z"]]), answer: ["a", "b"], valid: ["a"]),
        Edit(
            before: survey(["question_type": "year_picker", "min_year": 1990, "max_year": 2020]),
            after: survey(["question_type": "year_picker", "min_year": 2000, "max_year": 2020]), answer: "1995",
            valid: "2001"),
        Edit(
            before: survey(["question_type": "single_text_area"]),
            after: survey(["question_type": "single_text_area", "max_chars": 3]), answer: "long", valid: "ok"),
    ]

    private static func world(_ recipe: JSONValue) throws -> WorkerUnderTest {
        let world = try WorkerUnderTest(manifest: WorkerUnderTest.manifest, recipes: [:])
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: recipe).status == 201)
        return world
    }

    @Test(arguments: edits.indices)
    func `An answer that the new revision does not take is asked for again`(_ index: Int) throws {
        let edit = Self.edits[index]
        let world = try Self.world(edit.before)
        let path = "/v1/apps/app/\(edit.isSurvey ? "surveys" : "questionnaires")/q"
        func save(_ answers: JSONObject, isComplete: Bool = false) throws -> RecordedResponse {
            let body: JSONValue = ["client_id": "c1", "answers": .object(answers), "is_complete": .bool(isComplete)]
            return try world.send(.post, "\(path)/responses", body: body)
        }
        #expect(try save(["c": edit.answer]).json["resume_at"] == "t")
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: edit.after).status == 200)
        let draft = try world.send(.get, "\(path)?client_id=c1").json["in_progress"]
        #expect(draft["resume_at"] == "c" && draft["answers"] == [:], "\(draft)")
        let early = try save(["t": "hello"], isComplete: true)
        #expect(early.status == 422 && early.json["errors"].array?.map { $0["code"] } == ["required"], "\(early.json)")
        let final = try save(["c": edit.valid, "t": "hello"], isComplete: true)
        #expect(final.json["was_submitted"] == true, "\(final.json)")
    }

    @Test func `An optional answer that is none any more stops nobody`() throws {
        let before = Self.questionnaire(["type": "rating", "scale": 10, "required": false])
        let world = try Self.world(before)
        let path = "/v1/apps/app/questionnaires/q/responses"
        let draft: JSONValue = ["client_id": "c1", "answers": ["c": 9]]
        #expect(try world.send(.post, path, body: draft).status == 201)
        let after = Self.questionnaire(["type": "rating", "required": false])
        #expect(try world.send(.put, "/v1/apps/app/recipes/q", body: after).status == 200)
        let final: JSONValue = ["client_id": "c1", "answers": ["t": "hello"], "is_complete": true]
        #expect(try world.send(.post, path, body: final).json["was_submitted"] == true)
    }

    /// A rule may make an earlier answer faulty without an edit. It stays, because the respondent can correct either.
    @Test func `A draft goes on at an answer that a later answer has made faulty`() throws {
        let rule: JSONValue = [
            "operation": "less than or equal to", "answer_to_question_id": "age", "on_fail_message": "Not yet.",
        ]
        let survey: JSONValue = [
            "kind": "survey", "submit": ["button_title": "Send"],
            "questions": [
                ["id": "age", "question": "Age?", "question_type": "single_text_field"],
                ["id": "first", "question": "First?", "question_type": "single_text_field", "validations": [rule]],
                ["id": "t", "question": "Text?", "question_type": "single_text_field"],
            ],
        ]
        let world = try Self.world(survey)
        let path = "/v1/apps/app/surveys/q"
        for answers: JSONValue in [["age": "40", "first": "15", "t": "x"], ["age": "10"]] {
            let body: JSONValue = ["client_id": "c1", "answers": answers]
            #expect(try world.send(.post, "\(path)/responses", body: body).json["id"].string != nil)
        }
        let draft = try world.send(.get, "\(path)?client_id=c1").json["in_progress"]
        #expect(draft["resume_at"] == "first" && draft["answers"] == ["age": "10", "first": "15", "t": "x"])
    }
}
