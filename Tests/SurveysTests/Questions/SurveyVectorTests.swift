import BellwetherBase
import BellwetherJSON
import BellwetherService
import Foundation
import Surveys
import TestSupport
import Testing

/// Every case of `vectors/surveys.json`, which `bellwether survey batch` also runs (docs/reference/surveys.md#surveys).
@Suite struct SurveyVectorTests {
    static let cases: [JSONValue] = {
        let file = try? VectorFile.read("surveys")
        return file?.object?["cases"]?.array ?? []
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 89) }

    @Test(arguments: cases) func evaluatesAsRecorded(_ vector: JSONValue) {
        #expect(Self.result(of: vector) == vector.object?["want"])
    }

    @Test func everyGeneratedCaseIsAsRecorded() throws {
        let cases = try VectorFile.read("generated/surveys").object?["cases"]?.array ?? []
        #expect(cases.count == 1000)
        #expect(cases.filter { Self.result(of: $0) != $0.object?["want"] } == [])
    }

    /// The answer to a case, in the form of `want`.
    private static func result(of vector: JSONValue) -> JSONValue {
        let answer = SurveyBatch.answer(vector, at: Timestamp(seconds: 0)).object
        let faults = (answer?["errors"]?.array ?? []).map { fault -> JSONValue in
            [fault.object?["question_id"] ?? nil, fault.object?["code"] ?? nil]
        }
        let ranges = (answer?["ranges"]?.object ?? [:]).map { member -> (key: String, value: JSONValue) in
            var range = member.value.object ?? [:]
            range["initial"] = nil
            return (member.key, .object(range))
        }
        return [
            "visible": answer?["visible"] ?? nil, "complete": answer?["complete"] ?? nil, "errors": .array(faults),
            "ranges": .object(JSONObject(ranges)),
        ]
    }

    @Test func `A questionnaire is evaluated as a survey is`() {
        let questions: JSONValue = [["id": "score", "type": "nps", "title": "Tell a friend?", "required": true]]
        let line: JSONValue = [
            "definition": ["kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": questions]],
            "answers": ["score": 11],
        ]
        let answer = SurveyBatch.answer(line, at: Timestamp(seconds: 0)).object
        #expect(answer?["visible"] == ["score"] && answer?["complete"] == true)
        #expect(answer?["errors"]?.array?.first?.object?["code"] == "range")
    }
}
