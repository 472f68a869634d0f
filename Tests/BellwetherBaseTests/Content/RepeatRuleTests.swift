import BellwetherBase
import BellwetherJSON
import Testing

/// The member `repeat` of a recipe (docs/reference/rounds.md#the-member).
@Suite struct RepeatRuleTests {
    private static let day: Int64 = 86_400_000

    @Test func `The wait without an answer is that after one, unless it is given`() throws {
        let plain = try #require(rule(["days": 90]).rule)
        #expect(plain.wait == 90 * Self.day && plain.unansweredWait == plain.wait && plain.rounds == 1_000)
        let whole = try #require(rule(["days": 0.75, "unanswered_days": 0, "rounds": 8]).rule)
        #expect(whole.wait == 64_800_000 && whole.unansweredWait == 0 && whole.rounds == 8)
    }

    @Test func `A fraction of a day is rounded to the nearest millisecond`() throws {
        #expect(rule(["days": 0.000_000_011_6]).rule?.wait == 1)
        #expect(rule(["days": 0.000_000_005]).rule?.wait == 0)
        #expect(rule(["days": 3650]).rule?.wait == 3_650 * Self.day)
    }

    @Test func `All faults are found at once, with their pointers`() {
        func faults(_ value: JSONValue) -> [String] { rule(value).faults }
        #expect(faults(3) == [" type"])
        #expect(faults([:]) == ["/days required"])
        #expect(
            faults(["days": "x", "unanswered_days": true, "rounds": 1.5]) == [
                "/days type", "/unanswered_days type", "/rounds type",
            ])
        #expect(
            faults(["days": -0.5, "unanswered_days": 3651, "rounds": 0, "weeks": 1]) == [
                "/weeks unknown_key", "/days range", "/unanswered_days range", "/rounds range",
            ])
        #expect(faults(["days": 1, "rounds": 1001]) == ["/rounds range"])
        #expect(faults(["days": 1, "rounds": 2.0]).count <= 1)
    }

    private func rule(_ value: JSONValue) -> (rule: RepeatRule?, faults: [String]) {
        let findings = Findings()
        let rule = RepeatRule(JSONReader(value, findings: findings))
        return (rule, findings.faults.map { "\($0.pointer.description) \($0.code)" })
    }
}
