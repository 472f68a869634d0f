import BellwetherJSON
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Observers of commits are called directly: the stack does not grow with the number of calls.
@Suite struct StorageCountsTests {
    /// The addresses of stack frames in calls.
    private final class Depth: Sendable {
        private let addresses = Mutex<[UInt]>([])

        var last: UInt? { addresses.withLock { $0.last } }

        @inline(never)
        func note() {
            var local = 0
            let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
            addresses.withLock { $0.append(address) }
        }
    }

    @Test func aThousandthCallIsAsDeepAsTheSecond() {
        let (counts, feed) = (StorageCounts(), ChangeFeed(nil))
        let (apps, outbox, tallies) = (Depth(), Depth(), Depth())
        feed.followRecords { _ in apps.note() }
        counts.observeOutbox { outbox.note() }
        feed.followTallies { _, _ in tallies.note() }
        var commit = StorageCounts.Commit()
        commit.webhooks = 1
        var second: [UInt?] = []
        for call in 1...1000 {
            counts.add(commit)
            feed.notify(records: ["app"])
            feed.notify([CommittedTally(app: "app", key: "key", tally: Tally(), version: 1)]) {}
            let depths = [apps, outbox, tallies].map(\.last)
            if call == 2 { second = depths }
            if call == 1000 { #expect(depths == second) }
        }
    }
}
