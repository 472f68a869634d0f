import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// How a surface's messages are split, and in which order a client goes through them.
@Suite struct SurfaceIndexTests {
    private typealias Entry = IndexedCatalog.Entry

    private static func index(_ entries: [Entry]) throws -> SurfaceIndex {
        try #require(IndexedCatalog.make(entries).surfaces["microsurvey"])
    }

    private static func sum(_ event: String, _ bound: String = "> 0") -> String { IndexedCatalog.sum(event, bound) }

    /// By group: where its messages stand in the order of selection.
    private static func groups(_ index: SurfaceIndex) -> [[Int32]] {
        index.groups.map { Array(index.order[$0.places.start..<$0.places.end]) }
    }

    @Test func splitByTheRarestEvent() throws {
        let index = try Self.index([
            Entry(triggers: ["age > 3", Self.sum("a")]), Entry(), Entry(triggers: [Self.sum("a"), Self.sum("b")]),
            Entry(triggers: [Self.sum("a")]), Entry(triggers: [Self.sum("a", "> 7")]), Entry(triggers: ["age > 3"]),
            Entry(exclusions: [Self.sum("b", "< 5")]), Entry(triggers: [Self.sum("b", "< 5")]),
        ])
        #expect(Array(index.order[..<index.free]) == [1, 5, 7])
        #expect(Self.groups(index) == [[0, 3, 4], [2, 6]], "a's, then b's")
        #expect(index.groups.allSatisfy { $0.gate == nil } && !index.isUniform)
    }

    /// Only where enough messages share a trigger it is worth a group.
    @Test func splitByWhatManyShare() throws {
        let least = NeedSorting.minimumGroup
        let entries = (0..<4 * least - 1).map { place in
            switch place % 4 {
            case 0: Entry(triggers: [Self.sum("a", "> 7"), "age > 3"])
            case 1: Entry(exclusions: [Self.sum("a", "< 7")])
            case 2: Entry(triggers: [Self.sum("a", "> \(place + 10)")])
            default: Entry(triggers: [Self.sum("a", "> 8")])
            }
        }
        let index = try Self.index(entries)
        #expect(index.free == 0 && index.groups.map { $0.gate?.wanted } == [.holds, .fails, nil])
        let places = { (rests: [Int32]) in (0..<Int32(entries.count)).filter { rests.contains($0 % 4) } }
        #expect(Self.groups(index) == [places([0]), places([1]), places([2, 3])])
    }

    @Test func nothingIsNeeded() throws {
        let index = try Self.index([
            Entry(), Entry(triggers: [Self.sum("a", "< 3")]), Entry(exclusions: [Self.sum("a")]),
        ])
        #expect(index.isUniform && index.groups.isEmpty && Array(index.order) == [0, 1, 2] && index.free == 3)
        #expect(SurfaceIndex.empty.isUniform && SurfaceIndex.empty.order.isEmpty)
    }

    /// The places of a walk in which each group's trigger lets the client through, or does not.
    private static func walk(
        _ index: SurfaceIndex, _ history: BehaviorHistory, _ marks: ContextMarks = ContextMarks(), opening: Bool = true
    ) -> [Int32] {
        var walk = CandidateWalk(of: index, for: history)
        var places: [Int32] = []
        while let place = walk.next(marks) {
            places.append(index.order[place])
            if walk.gate != nil { if opening { walk.openGroup() } else { walk.leaveGroup() } }
        }
        return places
    }

    @Test func eachGroupThatIsLeftCostsOneMessage() throws {
        let entries = (0..<50).map { Entry(triggers: [Self.sum("a", "> \($0 / 10)")]) } + [Entry()]
        let index = try Self.index(entries)
        let history = IndexedCatalog.state(["a"]).behavior
        #expect(Self.walk(index, history) == Array(0...50))
        #expect(Self.walk(index, history, opening: false) == [0, 10, 20, 30, 40, 50])
        #expect(Self.walk(index, BehaviorHistory()) == [50])
    }

    /// Of random groups, a client sees those of its events, in order; what its context rules out is passed over.
    @Test(arguments: 0..<60)
    func mergesInOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let events = (0..<Int.random(in: 1...12, using: &random)).map { "e\($0)" }
        let gates = (0..<80).map { _ -> (event: String, bound: Int)? in
            Int.random(in: 0..<4, using: &random) == 0
                ? nil : (events.randomElement(using: &random) ?? "", Int.random(in: 0...3, using: &random))
        }
        let index = try Self.index(
            gates.map { Entry(triggers: $0.map { [Self.sum($0.event, "> \($0.bound)")] } ?? []) })
        #expect(index.order.sorted() == Array(0..<80))
        for _ in 0..<20 {
            let own = events.filter { _ in Bool.random(using: &random) }
            var marks = ContextMarks()
            var ruledOut: Set<Int32> = []
            for place in 0..<80 where Int.random(in: 0..<3, using: &random) == 0 {
                let isRuledOut = Bool.random(using: &random)
                marks.note(place, isRuledOut: isRuledOut)
                if isRuledOut { ruledOut.insert(index.order[place]) }
            }
            // Others than the catalog asks for, too.
            let history = IndexedCatalog.state(own + (Bool.random(using: &random) ? ["y", "z"] : [])).behavior
            let expected = gates.indices.filter { place in
                gates[place].map { own.contains($0.event) } ?? true && !ruledOut.contains(Int32(place))
            }
            #expect(Self.walk(index, history, marks) == expected.map { Int32($0) })
        }
    }
}
