import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// Selection over the index is what asking each message in order comes to.
@Suite struct IndexedSelectionTests {
    private typealias Entry = IndexedCatalog.Entry

    private static func sum(_ event: String, _ bound: String = "> 0") -> String { IndexedCatalog.sum(event, bound) }

    /// How many messages the first poll of a context looks at, and how many triggers it evaluates, for a client of
    /// these events.
    private func cost(
        _ catalog: Catalog, events: [String], finds place: Int?
    ) throws -> (messages: Int, triggers: Int) {
        let selector = Sample.selector(catalog, IndexedCatalog.state(events), attributes: ["age": 20])
        #expect(selector.select(surface: "microsurvey").message?.key == place.map(IndexedCatalog.key))
        let scan = selector.verdicts.scan(of: "microsurvey")
        let looked = scan.index.order.indices.count { scan.marks.isJudged($0) }
        let verdicts = selector.verdicts
        return (looked, verdicts.truths.count + verdicts.outcomes.current.evaluatedCount)
    }

    /// 10,000 messages in front of the eligible one cost what the client's own events make possible.
    @Test func messagesBehindEventsAreNotLookedAt() throws {
        let entries = (0..<10_000).map { place in
            switch place % 4 {
            case 0: Entry(triggers: ["age > 3", Self.sum("never-\(place)")])
            case 1: Entry(triggers: ["age > \(place + 20)", Self.sum("other")])
            case 2: Entry(triggers: ["age > 3", Self.sum("seen", "> 7")])
            default: Entry(exclusions: [Self.sum("other", "< \(place)")])
            }
        }
        let catalog = try IndexedCatalog.make(entries + [Entry(triggers: ["age > 3"])])
        #expect(try cost(catalog, events: [], finds: 10_000) == (1, 1))
        #expect(try cost(catalog, events: ["seen"], finds: 10_000) == (2, 2), "one for all of a trigger")
        #expect(try cost(catalog, events: ["never-400"], finds: 400) == (1, 2))
        #expect(try cost(catalog, events: ["other"], finds: 10_000).messages == 5_001, "all of these are possible")
    }

    /// A context is judged only as far as a poll comes, and once.
    @Test func contextsAreJudgedOnce() throws {
        let entries = (0..<40).map { Entry(triggers: ["age > \($0 + 30)", Self.sum($0 < 20 ? "a" : "b")]) }
        let catalog = try IndexedCatalog.make(entries + [Entry()])
        let context = Sample.context(["age": 20])
        let verdicts = ContextVerdicts(catalog: catalog, context: context)
        func evaluations(_ events: [String]) -> Int {
            let state = IndexedCatalog.state(events)
            let environment = TriggerEnvironment(
                context: context, clientID: "c", behavior: state.behavior, branches: .none, now: Sample.now)
            let selector = Selector(verdicts: verdicts, environment: environment, ledger: state.ledger)
            let before = verdicts.truths.count
            #expect(selector.select(surface: "microsurvey").message?.key == IndexedCatalog.key(40))
            return verdicts.truths.count - before + verdicts.outcomes.current.evaluatedCount
        }
        #expect(evaluations([]) == 0)
        #expect(evaluations(["a"]) == 20 && evaluations(["a"]) == 0)
        #expect(evaluations(["a", "b"]) == 20 && evaluations(["b", "a"]) == 0)
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

    /// A name that only looks like the event's is another event.
    @Test func lookAlikes() throws {
        let catalog = try IndexedCatalog.make([Entry(triggers: [Self.sum("\u{E9}")])])
        #expect(try cost(catalog, events: ["e\u{301}"], finds: nil) == (0, 0))
        #expect(try cost(catalog, events: ["\u{E9}"], finds: 0) == (1, 1))
    }

    /// Messages one by one, in the order of selection, with nothing that other polls found.
    private func naive(
        _ surface: String, _ environment: TriggerEnvironment, _ state: ClientState, _ catalog: Catalog
    ) -> [String?] {
        let selector = Selector(
            verdicts: ContextVerdicts(catalog: catalog, context: environment.context), environment: environment,
            ledger: state.ledger)
        var controls: [String?] = []
        for message in catalog.messages where message.facts.surface == surface {
            guard selector.forms.meets(message.requirements), selector.eligibility(of: message) == .eligible else {
                continue
            }
            guard message.facts.isControl else { return controls + [message.key] }
            controls.append(message.key)
            if catalog.onControl(for: selector.forms) == .showNone { break }
        }
        return controls + [nil]
    }

    @Test(arguments: 0..<100)
    func agreesWithLookingAtEach(_ seed: UInt64) throws {
        var generator = IndexedCatalogGenerator(random: SeededGenerator(seed: seed))
        let catalog = try generator.catalog()
        let groups = catalog.surfaces.values.flatMap(\.groups)
        #expect(groups.contains { $0.gate != nil } && groups.contains { $0.gate == nil })
        #expect(catalog.surfaces[IndexedCatalogGenerator.uniform]?.isUniform == true)
        var found = 0
        for _ in 0..<3 {
            let context = generator.context()
            // Shared by many clients and hours, as a worker shares it.
            let verdicts = ContextVerdicts(catalog: catalog, context: context)
            for hour in 0..<10 {
                let state = generator.state(in: catalog)
                let now = Sample.now.adding(seconds: Int64(hour) * 40_000)
                let validity = Validity()
                func environment(_ validity: Validity? = nil) -> TriggerEnvironment {
                    TriggerEnvironment(
                        context: context, clientID: "client-\(hour)", behavior: state.behavior,
                        branches: ClientBranches(catalog.experiments, state.enrollments), now: now, validity: validity)
                }
                let selector = Selector(verdicts: verdicts, environment: environment(validity), ledger: state.ledger)
                for surface in IndexedCatalogGenerator.surfaces {
                    let selection = selector.select(surface: surface)
                    let expected = naive(surface, environment(), state, catalog)
                    #expect(selection.controls.map(\.key) + [selection.message?.key] == expected)
                    if selection.message != nil { found += 1 }
                }
            }
        }
        #expect(found > 0, "a catalog of which nobody sees anything shows nothing")
    }
}

extension PollOutcomes {
    /// How many triggers the poll has evaluated so far.
    fileprivate var evaluatedCount: Int { known.count { $0.poll == poll } }
}
