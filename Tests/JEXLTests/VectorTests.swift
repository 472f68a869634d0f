import BellwetherJSON
import Foundation
import JEXL
import TestSupport
import Testing

/// Every case of `Vectors/jexl.json`, whose results come from Mozilla's implementation
/// (docs/reference/expressions.md#evaluation).
@Suite struct VectorTests {
    static let cases: [Example] = {
        let file = try? VectorFile.read("jexl", in: .module)
        return (file?.object?["cases"]?.array ?? []).map { vector in
            let object = vector.object ?? [:]
            let outcome = object["error"]?.string.map { "ERR \($0)" } ?? object["value"]?.text ?? ""
            return Example(
                object["expression"]?.string ?? "", outcome, in: object["context"]?.text ?? "")
        }
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 118) }

    @Test(arguments: cases) func evaluatesAsRecorded(_ example: Example) throws {
        let outcome = try example.evaluated()
        // This implementation keeps the context's order of keys; upstream sorts them.
        if example.outcome.hasPrefix("ERR") || outcome.hasPrefix("ERR") {
            #expect(outcome == example.outcome)
        } else {
            #expect(try JSONValue(parsing: outcome) == JSONValue(parsing: example.outcome))
        }
    }
}
