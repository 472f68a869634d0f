import BellwetherJSON
import Testing

@testable import BellwetherService

/// The release of snapshots that were replaced.
@Suite struct ReplacedAppsTests {
    @Test func anAppIsKeptUntilNobodyServesIt() throws {
        var replaced = ReplacedApps()
        var old = Scene().snapshot
        var kept = Scene().snapshot
        weak let watched = old
        let unchanged = try #require(Scene().snapshot)
        replaced.add(
            ["a": try #require(old), "b": unchanged], after: ["a": try #require(Scene().snapshot), "b": unchanged])
        replaced.add(["gone": try #require(kept)], after: [:])
        #expect(replaced.count == 2 && replaced.takeUnused().isEmpty)
        old = nil
        #expect(watched != nil)
        do {
            let unused = replaced.takeUnused()
            #expect(unused.count == 1 && unused[0] === watched)
        }
        #expect(watched == nil && replaced.count == 1)
        #expect(kept != nil)
        kept = nil
        #expect(replaced.takeUnused().count == 1 && replaced.count == 0)
    }
}
