import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The selection with a memo of contexts agrees with the selection without caches.
@Suite struct SelectionPropertyTests {
    @Test(arguments: 0..<Trials.count(30, many: 150))
    func agreesWithTheText(_ seed: UInt64) throws {
        var generator = CatalogGenerator(random: SeededGenerator(seed: seed))
        let catalog = try Sample.catalog(["e": generator.recipe(), "f": generator.recipe()], in: Sample.manifest())
        for _ in 0..<3 {
            let context = generator.context()
            // Many clients and hours share the memo, as in a worker.
            let memo = ContextMemo(for: catalog)
            for hour in 0..<12 {
                let (id, state) = generator.client()
                let environment = TriggerEnvironment(
                    context: context, clientID: Identifier(id), behavior: state.behavior,
                    branches: ClientBranches(catalog.experiments, state.enrollments),
                    now: Sample.now.adding(seconds: Int64(hour) * 20_000))
                try check(
                    Selector(catalog, environment: environment, state: state, memo: memo),
                    NaiveSelection(catalog: catalog, environment: environment, ledger: state.ledger))
            }
        }
    }

    private func check(_ selector: Selector, _ naive: NaiveSelection) throws {
        for surface in CatalogGenerator.surfaces {
            let selection = selector.select(surface: Identifier(surface))
            let expected = naive.next(Identifier(surface))
            #expect(selection.message?.key == expected.key)
            #expect(selection.controls.map(\.key) == expected.controls)
            let explanation = Explanation(selector: selector, surface: Identifier(surface))
            #expect(explanation.selected == selection.message?.key)
            #expect(explanation.messages.filter { $0.verdict == .control }.map(\.key) == expected.controls)
            #expect(
                explanation.messages.count == naive.catalog.messages.count + naive.catalog.malformed.count,
                "each message is explained")
        }
    }
}
