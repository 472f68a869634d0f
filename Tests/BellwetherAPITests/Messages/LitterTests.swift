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
        #expect((4...20).contains(sweeps))
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
        #expect(sweeps == 2)
    }
}
