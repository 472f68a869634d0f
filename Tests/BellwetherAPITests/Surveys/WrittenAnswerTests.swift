import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The results of texts that respondents write beside the options (docs/reference/surveys.md#results).
@Suite struct WrittenAnswerTests {
    private static func survey(_ options: JSONValue, sensitive: Bool = false) -> JSONValue {
        let other: JSONValue = ["title": "Other", "type": "freeform"]
        func question(_ id: String, _ type: String) -> JSONValue {
            [
                "id": .string(id), "question": "?", "question_type": .string(type), "required": false,
                "options": .array((options.array ?? []) + [other]), "sensitive": .bool(sensitive),
            ]
        }
        return [
            "kind": "survey", "questions": [question("many", "multi_select"), question("one", "single_select")],
        ]
    }

    private let world: WorkerUnderTest
    private let path = "/v1/apps/app/surveys/genres/responses"

    init() throws { world = try WorkerUnderTest(recipes: [:]) }

    private func publish(_ survey: JSONValue) throws {
        #expect(try world.send(.put, "/v1/apps/app/recipes/genres", body: survey).status < 300)
    }

    private func answer(_ client: String, _ answers: JSONValue) throws {
        let body: JSONValue = ["client_id": .string(client), "answers": answers, "is_complete": true]
        let answer = try world.send(.post, path, body: body)
        #expect(answer.status == 201, "\(answer.json)")
    }

    private func results(_ query: String = "") throws -> RecordedResponse {
        try world.send(.get, "/v1/apps/app/results/genres\(query)")
    }

    private func counts(_ question: JSONValue) -> [JSONValue] {
        (question["choices"].array ?? []).map { $0["count"] }
    }

    @Test func eachCountsAsOtherAndTheNewestAreThereToRead() throws {
        try publish(Self.survey(["Pop"]))
        for number in 0..<120 {
            try answer(
                "c\(number)",
                ["many": ["Pop", .string("genre \(number)")], "one": ["Other": .string("mine \(number)")]])
            world.pass(seconds: 1)
        }
        let json = try results().json
        let (many, one) = (json["questions"][0], json["questions"][1])
        #expect(counts(many) == [120, 120] && counts(one) == [0, 120])
        #expect(json["other_revisions"] == [])
        let newest = (110..<120).reversed()
        #expect(many["recent_answers"].array?.map { $0["answer"] } == newest.map { .string("genre \($0)") })
        #expect(one["recent_answers"].array?.map { $0["answer"] } == newest.map { .string("mine \($0)") })
        #expect(one["recent_answers"][0]["option"] == "Other" && one["recent_answers"][0]["response_id"] != .null)
        let csv = String(decoding: try results("?format=csv").body, as: UTF8.self)
        #expect(csv.contains(",many,multi_select,option,Other,Other,120,") && !csv.contains("genre 1"))
    }

    /// An option of an earlier revision does not count as a text of the respondent.
    @Test func anEarlierOptionIsNotOther() throws {
        try publish(Self.survey(["Pop", "Rock"]))
        try answer("a", ["many": ["Rock", "Jazz"], "one": "Rock"])
        try publish(Self.survey(["Pop"]))
        try answer("b", ["many": ["Blues"], "one": "Pop"])
        let json = try results().json
        #expect(counts(json["questions"][0]) == [0, 2] && counts(json["questions"][1]) == [1, 0])
        let others = (json["other_revisions"].array ?? []).map { $0["choices"] }
        #expect(others == [[["id": "Rock", "count": 1]], [["id": "Rock", "count": 1]]])
        let texts = json["questions"][0]["recent_answers"].array?.compactMap { $0["answer"].string } ?? []
        #expect(Set(texts) == ["Jazz", "Blues"])
    }

    @Test func textsOfASensitiveQuestionAreCountedOnly() throws {
        try publish(Self.survey(["Pop"], sensitive: true))
        try answer("a", ["many": ["secret"], "one": ["Other": "secret"]])
        let answer = try results()
        #expect(counts(answer.json["questions"][0]) == [0, 1])
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
    }
}
