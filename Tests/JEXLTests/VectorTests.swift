import BellwetherJSON
import Foundation
import JEXL
import TestSupport
import Testing

/// Every case of `vectors/jexl.json`, whose results come from Mozilla's implementation
/// (docs/reference/expressions.md#evaluation).
@Suite struct VectorTests {
    static let cases = (try? examples(of: "jexl")) ?? []

    /// The cases of a file. A case without a context has that of the file.
    private static func examples(of name: String) throws -> [Example] {
        let file = try VectorFile.read(name).object
        return (file?["cases"]?.array ?? []).map { vector in
            let object = vector.object ?? [:]
            let outcome = object["error"]?.string.map { "ERR \($0)" } ?? object["value"]?.text ?? ""
            let context = object["context"] ?? file?["context"]
            return Example(object["expression"]?.string ?? "", outcome, in: context?.text ?? "")
        }
    }

    @Test func theFileIsThere() { #expect(Self.cases.count == 118) }

    @Test(arguments: cases) func evaluatesAsRecorded(_ example: Example) throws {
        try Self.expectAsRecorded(example)
    }

    @Test func everyGeneratedCaseIsAsRecorded() throws {
        let cases = try Self.examples(of: "generated/jexl")
        #expect(cases.count == 3000)
        for example in cases { try Self.expectAsRecorded(example) }
    }

    private static func expectAsRecorded(_ example: Example) throws {
        let outcome = try example.evaluated()
        // This implementation keeps the context's order of keys; upstream sorts them.
        if example.outcome.hasPrefix("ERR") || outcome.hasPrefix("ERR") {
            #expect(outcome == example.outcome)
        } else {
            #expect(try JSONValue(parsing: outcome) == JSONValue(parsing: example.outcome))
        }
    }
}
