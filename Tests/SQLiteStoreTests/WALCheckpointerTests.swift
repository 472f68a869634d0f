import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// Checkpoints of the log run in the background while the writer commits; the writer runs one itself if no other thread
/// can.
struct WALCheckpointerTests {
    /// Threads that run only when the test runs them.
    private final class HeldThreads: Sendable {
        private let bodies = Mutex<[@Sendable () -> Void]>([])

        var count: Int { bodies.withLock { $0.count } }

        var queue: BackgroundQueue {
            BackgroundQueue { [self] body in
                bodies.withLock { $0.append(body) }
                return true
            }
        }

        func run() {
            let due = bodies.withLock { bodies in
                defer { bodies = [] }
                return bodies
            }
            for body in due { body() }
        }
    }

    private static let foldedPages = 100
    private let threads = HeldThreads()
    private let test: StoreUnderTest

    init() throws {
        var settings = SQLiteStoreSettings()
        settings.foldedPages = Self.foldedPages
        test = try StoreUnderTest(settings: settings, background: threads.queue)
    }

    /// Commits one by one until a background job is requested.
    private func commitUntilAFoldIsDue() async throws {
        for number in 0..<1_000 where threads.count == 0 {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c\(number)"), ids: ["e\(number)"]))
        }
        try #require(threads.count == 1)
    }

    private func bytes(_ suffix: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: test.directory.database + suffix)
        return try #require(attributes[.size] as? Int)
    }

    @Test func theBackgroundFoldsAndTheLogBeginsAnew() async throws {
        try await commitUntilAFoldIsDue()
        let (file, log) = (try bytes(""), try bytes("-wal"))
        threads.run()
        test.finishWrites()
        #expect(try bytes("") > file)
        for number in 0..<5 {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("d\(number)"), ids: ["f\(number)"]))
        }
        #expect(try bytes("-wal") == log, "what is written overwrites what was folded")
    }

    @Test func theLogIsFoldedAgainWhenItHasGrownAgain() async throws {
        for _ in 0..<3 {
            try await commitUntilAFoldIsDue()
            threads.run()
            test.finishWrites()
        }
    }

    /// A commit adds several pages. After a reset, the log may therefore first be seen at the length of the last
    /// checkpoint.
    @Test func aLogThatBeganAnewIsDueAtItsOwnLength() {
        var progress = WALCheckpointer.Progress()
        func isDue(at pages: Int) -> Bool { progress.isDue(at: pages, after: 100) }
        #expect(!isDue(at: 99))
        #expect(isDue(at: 102))
        #expect(!isDue(at: 250), "the one asked for has not ended")
        progress.end()
        #expect(!isDue(at: 110), "a reader keeps what was folded")
        #expect(isDue(at: 202))
        progress.end()
        for pages in stride(from: 6, to: 96, by: 6) { #expect(!isDue(at: pages)) }
        #expect(isDue(at: 204), "not counted from where the last fold stood")
    }

    @Test func theWriterFoldsWhereTheBackgroundGetsNoTurn() async throws {
        for number in 0..<500 {
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c\(number)"), ids: ["e\(number)"]))
        }
        #expect(threads.count == 1, "asked once, not at each commit")
        let page = 4_096 + 24
        #expect(try bytes("-wal") > 4 * Self.foldedPages * page)
        #expect(try bytes("-wal") < 5 * Self.foldedPages * page)
    }

    /// The log contains erased data until it is reset.
    @Test func anErasureEmptiesTheLogWithoutTheWriter() async throws {
        let client = StoreUnderTest.client("c")
        try await test.submit(StoreUnderTest.displays(client, ids: ["an-id-that-goes"]))
        #expect(try await test.erase(client) == .erased)
        #expect(try threads.count == 1 && bytes("-wal") > 0)
        threads.run()
        #expect(try bytes("-wal") == 0)
        #expect(try await test.erase(client) == .nothing)
        #expect(threads.count == 0)
        try await test.submit(StoreUnderTest.displays(client))
        #expect(try await test.displayCount(of: client) == 1)
    }

    @Test func itIsTriedAgainWhileSomebodyReadsTheLog() async throws {
        let later = Mutex<[@Sendable () -> Void]>([])
        let threads = threads
        let test = try StoreUnderTest(background: threads.queue) { job in later.withLock { $0.append(job) } }
        let clients = ["c", "d"].map { StoreUnderTest.client($0) }
        for client in clients { try await test.submit(StoreUnderTest.displays(client)) }
        let log = test.directory.database + "-wal"
        let reader = try SQLiteQueue(path: test.directory.database)
        try reader.use { database in
            try database.execute("BEGIN DEFERRED")
            _ = try database.integer("SELECT count(*) FROM client")
        }
        for client in clients { #expect(try await test.erase(client) == .erased) }
        for attempt in 1...2 {
            threads.run()
            let jobs = later.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            #expect(jobs.count == 1, "attempt \(attempt): one for both erasures")
            #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0 > 0)
            // The writer does not wait for the reader.
            try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("e\(attempt)")))
            for job in jobs { job() }
        }
        try reader.use { try $0.execute("COMMIT") }
        threads.run()
        #expect(later.withLock { $0.isEmpty })
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == 0)
        reader.close()
    }

    /// The log of a killed daemon may contain data that it had erased.
    @Test func aStartEmptiesTheLogThatItFinds() async throws {
        try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c")))
        let copy = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: test.directory.database + suffix, toPath: copy.database + suffix)
        }
        let threads = HeldThreads()
        let next = try StoreUnderTest(copy, background: threads.queue)
        #expect(threads.count == 1)
        threads.run()
        #expect(try FileManager.default.attributesOfItem(atPath: copy.database + "-wal")[.size] as? Int == 0)
        #expect(try await next.displayCount(of: StoreUnderTest.client("c")) == 1)
    }

    @Test func aFoldThatComesAfterTheEndDoesNothing() async throws {
        try await commitUntilAFoldIsDue()
        let clients = try test.count("client")
        test.store.close()
        threads.run()
        #expect(!FileManager.default.fileExists(atPath: test.directory.database + "-wal"))
        #expect(try test.reopened().count("client") == clients)
    }
}
