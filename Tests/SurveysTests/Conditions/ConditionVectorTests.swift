import BellwetherJSON
import Foundation
import Surveys
import TestSupport
import Testing

/// Every case of `vectors/conditions.json`, which `bellwether condition batch` also runs
/// (docs/reference/surveys.md#conditions).
@Suite struct ConditionVectorTests {
    static let cases: [JSONValue] = {
        let file = try? VectorFile.read("conditions")
        return file?.object?["cases"]?.array ?? []
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 353) }

    @Test(arguments: cases) func evaluatesAsRecorded(_ vector: JSONValue) { #expect(Self.isAsRecorded(vector)) }

    @Test func everyGeneratedCaseIsAsRecorded() throws {
        let cases = try VectorFile.read("generated/conditions").object?["cases"]?.array ?? []
        #expect(cases.count == 6000)
        #expect(cases.filter { !Self.isAsRecorded($0) } == [])
    }

    private static func isAsRecorded(_ vector: JSONValue) -> Bool {
        let answer = ConditionBatch.answer(vector).object
        let want = vector.object?["want"]
        return want == "error" ? answer?["error"]?.string?.isEmpty == false : answer?["value"] == want
    }
}
