import BellwetherBase
import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// The optimised scan gives the same result as judging each message in order.
@Suite struct IndexedSelectionTests {
    private typealias Entry = IndexedCatalog.Entry

    private static func sum(_ event: String, _ bound: String = "> 0") -> String { IndexedCatalog.sum(event, bound) }

    /// The triggers of a message are not evaluated for a client without the event that the message requires.
    @Test func messagesWithoutTheirEventAreNotJudged() throws {
        let entries = (0..<10_000).map { place in
            switch place % 3 {
            case 0: Entry(triggers: ["age > 3", Self.sum("never-\(place)")])
            case 1: Entry(triggers: ["age > \(place + 20)", Self.sum("other")])
            default: Entry(exclusions: [Self.sum("other", "< \(place)")])
            }
        }
        let catalog = try IndexedCatalog.make(entries + [Entry(triggers: ["age > 3"])])
        let required = catalog.candidates.all.filter { $0.requiredEvent >= 0 }
        #expect(required.count == 10_000)
        for (events, place) in [([], 10_000), (["never-300"], 300), (["seen"], 10_000)] as [([String], Int)] {
            let selector = Sample.selector(catalog, IndexedCatalog.state(events), attributes: ["age": 20])
            #expect(selector.select(surface: "microsurvey").message?.key == IndexedCatalog.key(place))
            let judged = catalog.candidates.all.filter { selector.facts.hasRequiredEvent(of: $0) }
            #expect(judged.map { Int($0.message) } == (place == 10_000 ? [10_000] : [place, 10_000]))
        }
    }

    /// If a message needs several events, the required one is the event that the fewest messages need.
    @Test func theRarestEventIsRequired() throws {
        let entries = [
            Entry(triggers: [Self.sum("common"), Self.sum("rare")]), Entry(triggers: [Self.sum("common")]),
            Entry(triggers: [Self.sum("common", "< 3")]),
        ]
        let table = try IndexedCatalog.make(entries).candidates
        let required = table.all.map { $0.requiredEvent < 0 ? nil : table.requiredEvents[Int($0.requiredEvent)] }
        #expect(required == ["rare", "common", nil])
    }

    @Test func controlsBehindEvents() throws {
        let entries = [
            Entry(triggers: [Self.sum("a")], isControl: true), Entry(triggers: [Self.sum("b")], isControl: true),
            Entry(),
        ]
        for (onControl, first) in [("show-none", nil), ("show-next-message", IndexedCatalog.key(2))] {
            let catalog = try IndexedCatalog.make(entries, onControl: onControl)
            for (events, controls) in [([], []), (["b"], [1]), (["b", "a"], [0, 1])] as [([String], [Int])] {
                let selection = Sample.selector(catalog, IndexedCatalog.state(events)).select(surface: "microsurvey")
                let isStopped = first == nil && !controls.isEmpty
                #expect(selection.message?.key == (isStopped ? nil : IndexedCatalog.key(2)))
                let expected = first == nil ? Array(controls.prefix(1)) : controls
                #expect(selection.controls.map(\.key) == expected.map(IndexedCatalog.key))
            }
        }
    }

    /// A name that only looks like the event's name is another event.
    @Test func lookAlikes() throws {
        let catalog = try IndexedCatalog.make([Entry(triggers: [Self.sum("\u{E9}")])])
        for (event, isShown) in [("e\u{301}", false), ("\u{E9}", true)] {
            let selector = Sample.selector(catalog, IndexedCatalog.state([event]))
            #expect((selector.select(surface: "microsurvey").message != nil) == isShown)
        }
    }

    /// Judges the messages one by one, in the order of selection, without a shared memo.
    private func naive(
        _ surface: Identifier, _ environment: TriggerEnvironment, _ state: ClientState, _ catalog: Catalog
    ) -> [Identifier?] {
        let selector = Selector(catalog, environment: environment, state: state)
        var controls: [Identifier?] = []
        for message in catalog.messages where message.facts.surface == surface {
            guard selector.variants.meets(message.requirements), selector.eligibility(of: message) == .eligible else {
                continue
            }
            guard message.facts.isControl else { return controls + [message.key] }
            controls.append(message.key)
            if catalog.onControl(for: selector.variants) == .showNone { break }
        }
        return controls + [nil]
    }

    @Test(arguments: 0..<Trials.count(25, many: 100))
    func agreesWithLookingAtEach(_ seed: UInt64) throws {
        var generator = IndexedCatalogGenerator(random: SeededGenerator(seed: seed))
        let catalog = try generator.catalog()
        let required = catalog.candidates.all.map { $0.requiredEvent >= 0 }
        #expect(required.contains(true) && required.contains(false))
        var found = 0
        for _ in 0..<3 {
            let context = generator.context()
            // Many clients and hours share the memo, as in a worker.
            let memo = ContextMemo(for: catalog)
            for hour in 0..<10 {
                let state = generator.state(in: catalog)
                let now = Sample.now.adding(seconds: Int64(hour) * 40_000)
                let environment = TriggerEnvironment(
                    context: context, clientID: "client-\(hour)", behavior: state.behavior,
                    branches: ClientBranches(catalog.experiments, state.enrollments), now: now)
                let selector = Selector(catalog, environment: environment, state: state, memo: memo)
                for surface in IndexedCatalogGenerator.surfaces {
                    let selection = selector.select(surface: Identifier(surface))
                    let expected = naive(Identifier(surface), environment, state, catalog)
                    #expect(selection.controls.map(\.key) + [selection.message?.key] == expected)
                    if selection.message != nil { found += 1 }
                }
            }
        }
        #expect(found > 0, "a catalog of which nobody sees anything shows nothing")
    }
}
