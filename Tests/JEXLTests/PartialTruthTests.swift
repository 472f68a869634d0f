import BellwetherJSON
import JEXL
import TestSupport
import Testing

/// The truth of expressions if events are not known.
struct PartialTruthTests {
    /// An environment with attributes and without events.
    private final class Unwitnessed: PartialEnvironment {
        private(set) var unanswered = 0

        func value(of identifier: String) -> JSONValue? {
            switch identifier {
            case "yes": true
            case "no": false
            case "n": 3
            default: nil
            }
        }

        func result(of query: EventQuery) -> Double {
            unanswered += 1
            return 0
        }

        func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
    }

    private static func truth(_ source: String) throws -> PartialTruth {
        try CompiledExpression(source).truth(in: Unwitnessed())
    }

    @Test(arguments: [
        ("yes", PartialTruth.holds), ("no", .doesNotHold), ("n", .failed), ("missing", .failed), ("E > 1", .unknown),
        ("E > 1 && no", .doesNotHold), ("E + 1 > 1 && no", .neverHolds), ("E in [1] && no", .neverHolds),
        ("no && E > 1", .doesNotHold), ("E > 1 && yes", .unknown), ("E > 1 || yes", .holds),
        ("yes || E > 1", .holds), ("E > 1 || no", .unknown), ("E > 1 || missing", .unknown),
        ("E > 1 && missing", .neverHolds), ("missing && E > 1", .failed), ("missing || E > 1", .unknown),
        ("(E > 1 || yes) && (E > 2 && no || yes)", .holds), ("(E > 1 || yes) == true", .holds),
        ("true == (E > 1 || yes)", .unknown),
        ("(yes || E > 1) == true", .holds), ("(E > 1) ? yes : no", .unknown), ("(E > 1) ? yes : yes", .holds),
        ("yes ? (E > 1) : no", .unknown), ("no ? (E > 1) : no", .doesNotHold), ("E > 1 || n", .unknown),
        ("E > 1 && n", .unknown),
        ("n > 2 && E > 1 && no", .doesNotHold), ("E || yes", .unknown), ("E && no", .neverHolds),
        ("E > 1 && no || yes", .holds), ("[E, 1][1] == 1", .unknown),
        ("n == 3 && n < 4", .holds),
    ])
    func itIsKnownWhereEventsDoNotMatter(_ source: String, _ expected: PartialTruth) throws {
        let expression = source.replacing("E", with: "'visit'|eventSum('Years', 4, 0)")
        #expect(try Self.truth(expression) == expected)
    }

    /// The work of both branches of a condition exceeds the limit, although no evaluation does both.
    @Test func tooMuchWorkSaysNothing() throws {
        let list = (0..<250).map(String.init).joined(separator: ",")
        let heavy = "([\(list)][.a in [\(list)]] == [])"
        let event = "('visit'|eventSum('Days', 1, 0) > 0)"
        #expect(try Self.truth("\(heavy) && no") == .doesNotHold)
        #expect(try Self.truth("(\(event) ? \(heavy) : \(heavy)) && yes") == .unknown)
        #expect(try Self.truth("(\(event) ? \(heavy) : \(heavy)) || yes") == .unknown)
    }

    /// A known truth is the same, whatever the events are.
    @Test(arguments: 0..<400)
    func whatIsKnownHoldsInEveryWorld(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expression = try CompiledExpression(Self.formula(&random, depth: 3))
        let truth = expression.truth(in: Unwitnessed())
        guard truth != .unknown else { return }
        for world in 0..<4 {
            var environment = TestEnvironment(context: ["yes": true, "no": false, "n": 3])
            environment.results = { query in Double(query.event == "a" ? world & 1 : world >> 1) }
            let outcome = Self.outcome(of: expression, in: environment)
            let isTrue = truth == .neverHolds ? outcome != .holds : outcome == truth
            #expect(isTrue, "\(truth): \(expression.source) with \(world)")
        }
    }

    private static func outcome(of expression: CompiledExpression, in environment: TestEnvironment) -> PartialTruth {
        do {
            return try expression.isTrue(in: environment) ? .holds : .doesNotHold
        } catch {
            return .failed
        }
    }

    private static func formula(_ random: inout SeededGenerator, depth: Int) -> String {
        let atoms = [
            "yes", "no", "missing", "(n > 2)", "('a'|eventSum('Days', 1, 0) > 0)", "('b'|eventSum('Days', 1, 0) == 1)",
            "n", "('a'|eventSum('Days', 1, 0))", "('b'|eventSum('Days', 1, 0) / 0 > 1)",
        ]
        guard depth > 0, random.next() % 4 > 0 else { return atoms[Int(random.next() % UInt64(atoms.count))] }
        let left = formula(&random, depth: depth - 1)
        let right = formula(&random, depth: depth - 1)
        switch random.next() % 6 {
        case 0, 1: return "(\(left) && \(right))"
        case 2, 3: return "(\(left) || \(right))"
        case 4: return "(\(left) ? \(right) : \(formula(&random, depth: depth - 1)))"
        default: return "(\(left) == \(right))"
        }
    }
}
