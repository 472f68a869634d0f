import BellwetherJSON
import Foundation
import Surveys
import TestSupport
import Testing

/// Every case of `Vectors/conditions.json`, which `bellwether condition batch` also runs
/// (docs/reference/surveys.md#conditions).
@Suite struct ConditionVectorTests {
    static let cases: [JSONValue] = {
        let file = try? VectorFile.read("conditions", in: .module)
        return file?.object?["cases"]?.array ?? []
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 353) }

    @Test(arguments: cases) func evaluatesAsRecorded(_ vector: JSONValue) {
        let answer = ConditionBatch.answer(vector).object
        let want = vector.object?["want"]
        if want == "error" {
            #expect(answer?["error"]?.string?.isEmpty == false)
        } else {
            #expect(answer?["value"] == want)
        }
    }
}
