import BellwetherJSON
import JEXL
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// The events without which an expression's outcome is known.
@Suite struct EventNeedsTests {
    private static func needs(_ source: String) -> EventNeeds {
        let source = source.replacing("X?", with: "'x'|eventSum('Days', 28, 0)")
            .replacing("Y?", with: "'y'|eventCountNonZero('Weeks', 4)")
        return CompiledTrigger(source).needs
    }

    /// The expression, the events that it needs to be true, and those that it needs to be false.
    @Test(
        arguments: [
            ("true", [], []), ("age > 3", [], []), ("X? > 0", ["x"], []), ("X? >= 1 && age > 3", ["x"], []),
            ("age > 3 && X? >= 1", ["x"], []), ("X? < 3", [], ["x"]), ("X? >= 0", [], ["x"]), ("X? == 0", [], ["x"]),
            ("(X? > 0) == false", [], ["x"]), ("(X? == 0) == false", ["x"], []), ("X? >= 1 || age > 3", [], []),
            ("age > 3 || X? >= 1", [], []), ("X? >= 1 || false", ["x"], []), ("X? > 0 && Y? > 0", ["x", "y"], []),
            ("X? > 0 || Y? > 0", [], []), ("(X? > 0 || Y? > 0) && X? > 3", ["x"], []), ("X? > Y?", [], []),
            ("(age > 3) ? (X? > 0) : (X? > 5)", ["x"], []),
            ("(age > 3) ? (X? > 0) : (Y? > 5)", [], []),
            ("(age > 3) ? (X? > 0) : (X? < 5)", [], []), ("X? ? true : false", ["x"], []),
            ("X? ? (Y? > 0) : true", [], ["x"]),
            ("(X? > 0) ? (Y? > 0) : false", ["x", "y"], []), ("missing || X? > 0", [], []),
            ("X? > 0 && missing", ["x"], []),
            ("[nimbus_id, 'n']|bucketSample(0, 1, 2) && X? > 0", ["x"], []),
            ("'x'|eventLastSeen('Days') < 3", ["x"], []), ("'x'|eventLastSeen('Days') > 3", [], ["x"]),
            ("'x'|eventLastSeen('Days', 2) <= 3 && X? > 5", ["x"], []),
            ("'x'|eventAveragePerInterval('Days', 7) > 0.5", ["x"], []),
            ("'x'|eventAveragePerNonZeroInterval('Days', 7) < 0.5", [], ["x"]),
        ] as [(String, [Identifier], [Identifier])])
    func needs(_ source: String, _ toHold: [Identifier], _ toFail: [Identifier]) {
        let needs = Self.needs(source)
        #expect(needs.toHold == toHold && needs.toFail == toFail, "\(source): \(needs)")
    }

    /// Counts as values, errors, and unusual forms of expressions.
    @Test(
        arguments: [
            ("X?", ["x"], ["x"]), ("X? + 1 > 1", ["x"], []), ("X? + age > 5", [], []), ("X? * age > 5", [], []),
            ("1 / X? > 0", ["x"], ["x"]), ("X? / X? > 0", ["x"], ["x"]), ("X? && true", ["x"], ["x"]),
            ("X? || 7", ["x"], ["x"]), ("X? in [1, 2]", ["x"], []), ("X? in [0]", [], ["x"]),
            ("[X?][0] > 0", ["x"], []), ("{a: X?}.a > 0", ["x"], []), ("[X?, age][0] > 0", [], []),
            ("X? + '' == '0'", ["x"], ["x"]), ("X?|nope", ["x"], ["x"]), ("X? > 'a'", ["x"], ["x"]),
            ("'x'|eventSum('days', 28) > 0", ["x"], ["x"]), ("'x'|eventSum('Days') > 0", ["x"], ["x"]),
            ("'x'|eventSum(unit, 1) > 0", [], []), ("'x'|eventSum('Days', age) > 0", [], []),
            ("('x' + 'y')|eventSum('Days', 1) > 0", [], []), ("city|eventSum('Days', 1) > 0", [], []),
            ("'x'.y|eventSum('Days', 1) > 0", [], []), ("7|eventSum('Days', 1) > 0", [], []), ("1 +", [], []),
            ("''|eventSum('Days', 1) > 0", [""], []), ("", [], []), ("'x' == 'x'", [], []),
            ("'x'|versionCompare('1') > 0", [], []),
        ] as [(String, [Identifier], [Identifier])])
    func hostile(_ source: String, _ toHold: [Identifier], _ toFail: [Identifier]) {
        let needs = Self.needs(source)
        #expect(needs.toHold == toHold && needs.toFail == toFail, "\(source): \(needs)")
    }

    /// Names are compared byte for byte, as in histories.
    @Test func namesThatLookAlike() {
        let needs = Self.needs("'\u{E9}'|eventSum('Days', 1) > 0 && 'e\u{301}'|eventSum('Days', 1) == 0")
        #expect(needs.toHold.map { Array($0.text.utf8) } == [Array("\u{E9}".utf8)])
        #expect(needs.toFail.isEmpty)
    }

    @Test func soManyEventsAreTried() {
        let sums = (0..<40).map { "'e\($0)'|eventSum('Days', 1) > 0" }.joined(separator: " && ")
        #expect(Self.needs(sums).toHold == (0..<EventNeeds.maximumEvents).map { "e\($0)" })
    }

    /// The analysis evaluates both branches of a condition. If only that exceeds the limit of work, it reports no
    /// needed events.
    @Test func workThatNobodyWouldDo() throws {
        let list = (0..<250).map(String.init).joined(separator: ",")
        let heavy = "([\(list)][.a in [\(list)]] == [])"
        let trigger = CompiledTrigger("((age > 3) ? \(heavy) : \(heavy)) && 'x'|eventSum('Days', 28) == 0")
        let catalog = try Sample.catalog(messages: [:])
        for age in [1, 5] as [JSONValue] {
            #expect(trigger.outcome(in: Sample.selector(catalog, attributes: ["age": age]).environment) == .holds)
        }
        #expect(trigger.needs == EventNeeds())
    }

    /// Whatever the rest of a client's history is, without the event the outcome is as predicted.
    @Test(arguments: 0..<500)
    func holdsInEveryWorld(_ seed: UInt64) throws {
        var formula = RandomTrigger(random: SeededGenerator(seed: seed), events: ["a", "b", "c"])
        let trigger = CompiledTrigger(formula.text(depth: 4))
        for _ in 0..<20 {
            let history = formula.history()
            for attributes in [["age": 20, "city": "Bern"], ["age": "old"], [:]] as [[String: JSONValue]] {
                let environment = TriggerEnvironment(
                    context: Sample.context(attributes), clientID: "c", behavior: history, branches: .none,
                    now: Sample.now)
                let outcome = trigger.outcome(in: environment)
                for event in trigger.needs.toHold where !history.contains(event) {
                    #expect(outcome != .holds, "\(trigger.source) without \(event)")
                }
                for event in trigger.needs.toFail where !history.contains(event) {
                    #expect(outcome != .doesNotHold, "\(trigger.source) without \(event)")
                }
            }
        }
    }
}
