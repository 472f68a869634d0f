import BellwetherJSON
import JEXL
import Testing

/// An environment without the language's own transforms, as in Cirrus (docs/reference/expressions.md#transforms).
@Suite struct NoTransformsTests {
    private struct Bare: JEXLEnvironment {
        var registersTransforms: Bool { false }

        func value(of identifier: String) -> JSONValue? { identifier == "x" ? .some("1.0") : .none }
        func result(of query: EventQuery) -> Double { 1 }
        func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
    }

    @Test(arguments: [
        "x|versionCompare('1.0')", "'e'|eventSum('Days', 1)", "'e'|eventLastSeen('Days')",
        "'e'|eventCountNonZero('Days', 1)", "'e'|eventAveragePerInterval('Days', 1)", "x|bucketSample(0, 1, 1)",
        "1|versionCompare", "x|nothing",
    ])
    func theyAreUnknown(_ expression: String) {
        #expect(Example.outcome(of: expression, in: Bare()) == "ERR unknownTransform")
        #expect(Example.outcome(of: "true || \(expression)", in: Bare()) == "true")
    }

    @Test func theirSubjectsAndArgumentsComeFirst() {
        #expect(Example.outcome(of: "y|versionCompare('1.0')", in: Bare()) == "ERR undefinedIdentifier")
        #expect(Example.outcome(of: "x|versionCompare(y)", in: Bare()) == "ERR undefinedIdentifier")
    }
}
