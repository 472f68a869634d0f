import TestSupport
import Testing

@testable import BellwetherCore

/// What a context is known to make of triggers, and that it outlasts publishes.
@Suite struct ContextTruthsTests {
    @Test(arguments: 0..<20)
    func agreesWithATable(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let truths = ContextTruths()
        var known: [Int: TriggerOutcome] = [:]
        for _ in 0..<200 {
            let number = Int.random(in: 0..<300, using: &random)
            #expect(truths.outcome(of: number) == known[number])
            guard known[number] == nil else { continue }
            let outcome: TriggerOutcome = [.holds, .fails, .failed].randomElement(using: &random) ?? .holds
            known[number] = outcome
            truths.note(outcome, of: number)
        }
        #expect(truths.count == known.count)
    }

    @Test func numbersOfAnotherSeriesAreAnotherMatter() {
        let (one, other) = (TriggerLibrary(), TriggerLibrary())
        let truths = ContextTruths()
        truths.follow(one.series)
        truths.note(.holds, of: 3)
        truths.follow(one.series)
        #expect(truths.outcome(of: 3) == .holds)
        truths.follow(other.series)
        #expect(truths.outcome(of: 3) == nil && truths.count == 0)
    }

    /// Catalogs that follow each other, as publishes make them: what earlier ones found makes no difference but speed.
    @Test(arguments: 0..<60)
    func selectionIsTheSameAcrossPublishes(_ seed: UInt64) throws {
        var generator = CatalogGenerator(random: SeededGenerator(seed: seed))
        let manifest = try Sample.manifest()
        let context = generator.context()
        let truths = ContextTruths()
        var previous: Catalog?
        var first = generator.recipe()
        for _ in 0..<4 {
            let second = generator.recipe()
            let catalog = try Sample.catalog(["e": first, "f": second], in: manifest, after: previous)
            previous = catalog
            let kept = ContextVerdicts(catalog: catalog, context: context, truths: truths)
            let fresh = ContextVerdicts(catalog: catalog, context: context)
            for _ in 0..<4 {
                let (id, state) = generator.client()
                let environment = TriggerEnvironment(
                    context: context, clientID: id, behavior: state.behavior,
                    branches: ClientBranches(catalog.experiments, state.enrollments), now: Sample.now)
                for surface in CatalogGenerator.surfaces {
                    let selections = [kept, fresh].map {
                        Selector(verdicts: $0, environment: environment, ledger: state.ledger).select(surface: surface)
                    }
                    #expect(selections[0].message === selections[1].message)
                    #expect(selections[0].controls.map(\.key) == selections[1].controls.map(\.key))
                }
            }
            first = second
        }
    }
}
