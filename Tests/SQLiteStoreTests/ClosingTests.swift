import BellwetherService
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

struct ClosingTests {
    @Test func whatIsQueuedIsCommittedAndAnswered() async throws {
        let test = try StoreUnderTest()
        let answered = Mutex(0)
        let gate = Gate()
        test.holdWriter(gate)
        for number in 0..<20 {
            let change = StoreUnderTest.displays(StoreUnderTest.client("c"), ids: ["\(number)"])
            test.persistence.submit(Transaction([change])) { result in
                if case .success = result { answered.withLock { $0 += 1 } }
            }
        }
        gate.open()
        test.persistence.close()
        #expect(answered.withLock(\.self) == 20)
        let next = try StoreUnderTest(test.directory)
        #expect(try await next.displayCount(of: StoreUnderTest.client("c")) == 20)
    }

    @Test func nothingIsTakenAfterwards() async throws {
        let test = try StoreUnderTest()
        test.persistence.close()
        test.persistence.close()
        let closed = StoreError.unavailable("the store is closed")
        await #expect(throws: closed) { try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c"))) }
        await #expect(throws: closed) { try await test.load(StoreUnderTest.client("c")) }
        await #expect(throws: closed) { try await test.telemetry() }
        #expect(throws: closed) { try test.store.publish([]) }
        #expect(throws: closed) { try test.store.loadCatalog() }
        #expect(test.store.health == .failing("the store is closed"))
        await test.enforceRetention(RetentionPolicy(telemetrySeconds: 1, eventIDSeconds: 1), now: StoreUnderTest.now)
    }

    /// The readers close after the writer, and cannot run the final checkpoint.
    @Test func theLogIsFoldedIntoTheFile() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.records(["a"]))
        #expect(try await test.telemetry().rows.count == 1)
        test.persistence.close()
        let log = test.directory.database + "-wal"
        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        #expect(size ?? 0 == 0)
    }
}
