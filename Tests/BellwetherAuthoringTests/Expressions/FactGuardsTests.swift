import JEXL
import Testing

@testable import BellwetherAuthoring

/// Comparisons by order of answers that may be missing (docs/reference/audiences.md#answers).
@Suite struct FactGuardsTests {
    private func unguarded(_ source: String) throws -> [String] {
        let scope = AudienceScope(segments: ["fan": "answer.nps >= 9", "safe": "answer.nps != null"])
        return try CompiledExpression(source, in: scope).unguardedFacts
    }

    @Test(arguments: [
        "answer.nps >= 9", "9 < answer.nps", "plan == 'x' && answer.nps < 3", "answer.nps == null && answer.nps > 1",
        "answer.nps != null || answer.nps > 1", "answer.age != null && answer.nps > 1",
        "(plan == 'x' || answer.nps != null) && answer.nps > 1", "(answer.nps > 1) == true",
        "plan == 'x' ? (answer.nps > 1) : false", "(answer.nps == null) ? (answer.nps > 1) : false",
        "[answer.nps > 1] != []", "segment.fan", "answer.nps > 8 && answer.nps != null",
        "(answer.nps != 9 || plan == 'x') && answer.nps > 1", "plan == 'x' || answer.nps > 1",
        "(answer.nps > 1 || true) && answer.nps > 2", "answer.nps in [9, null] && answer.nps > 1",
    ])
    func `A comparison of what may be missing is found`(_ source: String) throws {
        #expect(try unguarded(source) == ["nps"])
    }

    @Test(arguments: [
        "answer.nps != null && answer.nps >= 9", "answer.nps == null || answer.nps >= 9",
        "null != answer.nps && plan == 'x' && 3 > answer.nps", "answer.nps && answer.nps > 1",
        "answer.nps == 9 && answer.nps >= 9", "answer.nps in [9, 10] && answer.nps >= 9",
        "(answer.nps != null && plan == 'x') && answer.nps > 1", "(answer.nps != null) ? (answer.nps > 1) : false",
        "(answer.nps == null) ? true : (answer.nps > 1)", "answer.nps == 9", "answer.nps in [9, 10]",
        "answer.nps == null",
        "segment.safe && answer.nps > 1", "(answer.nps == null || plan == 'x') || answer.nps > 1",
        "(answer.nps == null) == false || true", "age >= 9", "true", "answer.nps >= 9 || plan == 'x'",
        "(answer.nps != null && plan == 'x' || answer.nps == 3) && answer.nps > 1",
        "answer.nps != null && (plan == 'x' || answer.nps > 1)", "answer.nps != null && segment.fan",
    ])
    func `A guarded comparison is fine, and so is one whose error is discarded`(_ source: String) throws {
        #expect(try unguarded(source) == [])
    }

    @Test func `Each name is told once, in the order of the text`() throws {
        #expect(try unguarded("answer.b > 1 && answer.a > 1 && answer.b < 9") == ["b", "a"])
        #expect(try unguarded("answer.a > answer.b") == ["a", "b"])
    }
}
