import BellwetherCore
import BellwetherJSON
import Dispatch
import Synchronization
import Testing

@testable import BellwetherService

/// Loads during commits: a state that was read before a commit never replaces the committed one.
struct ClientTableRaceTests {
    let table = ClientTable(bound: 4, absentBound: 4)
    let client = ClientReference.numbered(0)

    private func evict() { for number in 1..<20 { table.commit(.numbered(number), .showing(1)) } }

    @Test func aLoadEntersWhatItRead() {
        #expect(table.finish(table.beginLoad(client), .showing(3)) == .showing(3))
        #expect(table.displays(of: 0) == 3)
    }

    @Test func aCommitDuringALoadWins() {
        let load = table.beginLoad(client)
        table.commit(client, .showing(4))
        #expect(table.finish(load, .showing(3)) == .showing(4))
        #expect(table.displays(of: 0) == 4)
    }

    @Test func aCommitThatWasEvictedDuringTheLoadIsNotHiddenEither() {
        let load = table.beginLoad(client)
        table.commit(client, .showing(4))
        evict()
        #expect(table.displays(of: 0) == nil)
        _ = table.finish(load, .showing(3))
        #expect(table.displays(of: 0) == nil)
    }

    @Test(arguments: [false, true])
    func anAbsentMarkDoesNotSurviveACommitThatMakesTheClient(_ isEvicted: Bool) {
        _ = table.finish(table.beginLoad(client), nil)
        let load = table.beginLoad(client)
        table.commit(client, .showing(1))
        if isEvicted { evict() }
        _ = table.finish(load, nil)
        if case .absent = table.lookUp(client) { #expect(Bool(false), "absent though it was made") }
        #expect(table.displays(of: 0) == (isEvicted ? nil : 1))
    }

    @Test func aLoadThatBeganAfterTheCommitIsTrusted() {
        table.commit(client, .showing(1))
        evict()
        #expect(table.finish(table.beginLoad(client), .showing(1)) == .showing(1))
        #expect(table.displays(of: 0) == 1)
    }

    @Test func overlappingLoadsAreAllOutdatedByACommit() {
        let first = table.beginLoad(client)
        table.commit(client, .showing(2))
        let second = table.beginLoad(client)
        evict()
        _ = table.finish(first, .showing(1))
        #expect(table.displays(of: 0) == nil)
        _ = table.finish(second, .showing(2))
        let third = table.beginLoad(client)
        _ = table.finish(third, .showing(2))
        #expect(table.displays(of: 0) == 2)
    }

    @Test func aFailedLoadLeavesNothingBehind() {
        table.abandon(table.beginLoad(client))
        _ = table.finish(table.beginLoad(client), .showing(2))
        #expect(table.displays(of: 0) == 2)
    }

    @Test func forgettingOutdatesALoadToo() {
        table.commit(client, .showing(2))
        let load = table.beginLoad(client)
        table.forget(client)
        _ = table.finish(load, .showing(2))
        #expect(table.displays(of: 0) == nil)
    }

    /// A writer commits rising versions of a few clients. Readers look up and load at the same time, in a table so
    /// small that entries are constantly evicted. No look-up may return an older version than the writer had finished
    /// before the look-up began.
    @Test func noLookUpIsBehindTheWriter() {
        let table = ClientTable(bound: 3, absentBound: 2)
        let rows = (0..<8).map { _ in Row() }
        let isStale = Atomic<Bool>(false)
        let isDone = Atomic<Bool>(false)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            if thread == 0 {
                for step in 0..<40_000 {
                    let number = step % rows.count
                    let version = step / rows.count + 1
                    rows[number].durable.store(version, ordering: .sequentiallyConsistent)
                    table.commit(.numbered(number), .showing(version))
                    rows[number].acknowledged.store(version, ordering: .sequentiallyConsistent)
                }
                isDone.store(true, ordering: .sequentiallyConsistent)
            }
            var number = thread
            while !isDone.load(ordering: .relaxed) {
                number = (number + 1) % rows.count
                if rows[number].isBehind(in: table, number) { isStale.store(true, ordering: .relaxed) }
            }
        }
        let wasStale = isStale.load(ordering: .relaxed)
        #expect(!wasStale)
        for (number, row) in rows.enumerated() { #expect(!row.isBehind(in: table, number)) }
    }

    /// The stored row of one client.
    private final class Row: Sendable {
        let durable = Atomic<Int>(0)
        let acknowledged = Atomic<Int>(0)

        func isBehind(in table: ClientTable, _ number: Int) -> Bool {
            let least = acknowledged.load(ordering: .sequentiallyConsistent)
            switch table.lookUp(.numbered(number)) {
            case .known(let held): return Int(held.state?.ledger["m"].displayCount ?? 0) < least
            case .absent: return least > 0
            case .notLoaded:
                let load = table.beginLoad(.numbered(number))
                let version = durable.load(ordering: .sequentiallyConsistent)
                let newest = table.finish(load, version == 0 ? nil : .showing(version))
                return Int(newest?.version ?? 0) < least
            }
        }
    }
}
