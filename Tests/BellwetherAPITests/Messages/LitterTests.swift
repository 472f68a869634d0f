import Testing

@testable import BellwetherAPI

/// What is let go of goes a little at a time, and all of it.
@Suite struct LitterTests {
    private final class Thing {}

    @Test func `A sweep lets go of a few, and the last of all`() {
        var litter = Litter<Thing>()
        weak var thing: Thing?
        do {
            let things = (0..<100).map { _ in Thing() }
            thing = things[0]
            litter.add(things)
        }
        litter.add([])
        #expect(thing != nil)
        var sweeps = 0
        while !litter.isEmpty {
            litter.sweep()
            sweeps += 1
        }
        #expect((10...50).contains(sweeps))
        #expect(thing == nil)
        litter.sweep()
        #expect(litter.isEmpty)
    }

    /// Publishes that nobody polls between do not pile up.
    @Test func `However much is added and never swept, only the newest heaps are kept`() {
        var litter = Litter<Thing>()
        weak var oldest: Thing?
        weak var newest: Thing?
        do {
            let things = (0..<10).map { _ in Thing() }
            (oldest, newest) = (things[0], things[9])
            for thing in things { litter.add([thing]) }
        }
        #expect(oldest == nil && newest != nil)
        var sweeps = 0
        while !litter.isEmpty {
            litter.sweep()
            sweeps += 1
        }
        #expect(sweeps == 3)
    }

    /// Each publish brings a heap: where they come faster than they go, they go faster.
    @Test func `The more heaps there are, the more a sweep lets go of`() {
        func sweeps(heaps: Int) -> Int {
            var litter = Litter<Thing>()
            for _ in 0..<heaps { litter.add((0..<1000).map { _ in Thing() }) }
            var sweeps = 0
            while !litter.isEmpty {
                litter.sweep()
                sweeps += 1
            }
            return sweeps
        }
        #expect(sweeps(heaps: 2) < sweeps(heaps: 1) + sweeps(heaps: 1) / 2)
        #expect(sweeps(heaps: 3) < sweeps(heaps: 2) + sweeps(heaps: 1) / 2)
    }
}
