import BellwetherBase
import BellwetherCore
import BellwetherJSON
import JEXL
import Samples
import TestSupport
import Testing

/// The time until which a decision holds if nothing happens to its client.
@Suite struct ValidityTests {
    private func end(_ expression: String, events: UInt64 = 1) throws -> Timestamp {
        var behavior = BehaviorHistory()
        if events > 0 { behavior.record("x", count: events, at: Sample.now) }
        let clock = DecisionClock(at: Sample.now)
        let environment = TriggerEnvironment(
            context: Sample.context(), clientID: "c", behavior: behavior, branches: .none, clock: clock)
        _ = try CompiledExpression(expression).evaluate(in: environment)
        return clock.validUntil
    }

    @Test(
        arguments: [
            ("true", nil), ("locale == 'de' || nimbus_id == 'x'", nil), ("'x'|eventSum('Minutes', 1, 0) > 0", 60),
            ("'x'|eventSum('Days', 1, 0) > 0", 43_200), ("'x'|eventLastSeen('Hours') > 0", 3600),
            ("'x'|eventLastSeen('Hours') > 0 && false", 3600), ("false && 'x'|eventLastSeen('Hours') > 0", nil),
            ("'x'|eventSum('Days', 1) + 'x'|eventSum('Minutes', 1)", 60), ("'never'|eventSum('Minutes', 1) > 0", nil),
            ("current_date > 5", 0), ("current_date > 5 || 'x'|eventSum('Days', 1) > 0", 0),
        ] as [(String, Int64?)])
    func nextRotationOfWhatWasRead(_ expression: String, _ seconds: Int64?) throws {
        #expect(try end(expression) == seconds.map { Sample.now.adding(seconds: $0) } ?? .distantFuture)
    }

    /// A decision is the same at any time before its end.
    @Test(arguments: 0..<150)
    func decisionHolds(_ seed: UInt64) throws {
        var generator = CatalogGenerator(random: SeededGenerator(seed: seed))
        let catalog = try Sample.catalog(["e": generator.recipe()], in: Sample.manifest())
        for _ in 0..<10 {
            let context = generator.context()
            let (id, state) = generator.client()
            let memo = ContextMemo(for: catalog)
            func selector(_ clock: DecisionClock) -> Selector {
                let environment = TriggerEnvironment(
                    context: context, clientID: Identifier(id), behavior: state.behavior,
                    branches: ClientBranches(catalog.experiments, state.enrollments), clock: clock)
                return Selector(catalog, environment: environment, state: state, memo: memo)
            }
            let clock = DecisionClock(at: Sample.now)
            let decided = outcome(selector(clock))
            let length = min(clock.validUntil.milliseconds - Sample.now.milliseconds, 400 * 86_400_000)
            guard length > 0 else { continue }
            for milliseconds in [0, 1, length / 3, length - 1, Int64.random(in: 0..<length, using: &generator.random)] {
                let later = Timestamp(milliseconds: Sample.now.milliseconds + milliseconds)
                #expect(outcome(selector(DecisionClock(at: later))) == decided, "\(milliseconds) ms of \(length)")
            }
        }
    }

    private func outcome(_ selector: Selector) -> [[Identifier]] {
        CatalogGenerator.surfaces.map { surface in
            let selection = selector.select(surface: Identifier(surface))
            return [selection.message?.key ?? ""] + selection.controls.map(\.key)
        }
    }
}
