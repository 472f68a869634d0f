import BellwetherCore
import BellwetherService
import Glibc
import SQLiteWire
import StoreSupport
import Synchronization
import Testing

@testable import SQLiteStore

struct GroupCommitTests {
    @Test func whatWaitsTogetherIsOneTransaction() async throws {
        let test = try StoreUnderTest()
        let submissions = (0..<500).map {
            [StoreUnderTest.displays(StoreUnderTest.client("c\($0 % 20)"), ids: ["\($0)"])]
        }
        let answers = await test.submitTogether(submissions)
        #expect(try answers.map { try $0.get().map(\.accepted) } == Array(repeating: [1], count: 500))
        let statistics = test.persistence.statistics
        #expect(statistics.commits == 1)
        #expect(statistics.submissions == 500)
        #expect(statistics.batchSizes.count == 1 && statistics.batchSizes.sum == 500)
        let timings = test.store.timings
        #expect(timings.commitSeconds.count == 1 && timings.batchSeconds.count == 1)
        #expect(timings.commitSeconds.sum > 0 && timings.commitSeconds.sum < timings.batchSeconds.sum)
        #expect(statistics.queues.map(\.name) == ["submissions", "changes", "loads", "telemetry", "results"])
        #expect(statistics.queues.allSatisfy { $0.waiting == 0 && $0.bound > 0 })
        #expect(try test.count("event_id") == 500)
    }

    @Test func aTransactionHasABound() async throws {
        var settings = PersistenceSettings()
        settings.eventsPerCommit = 10
        let test = try StoreUnderTest(queues: settings)
        let submissions = (0..<25).map { number in
            [StoreUnderTest.displays(StoreUnderTest.client("c"), ids: ["\(number)a", "\(number)b"])]
        }
        _ = await test.submitTogether(submissions)
        #expect(test.persistence.statistics.commits == 5)
        #expect(try await test.displayCount(of: StoreUnderTest.client("c")) == 50)
    }

    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test func theWriterGivesWay() async throws {
        let test = try StoreUnderTest()
        let niceness = Mutex<Int32?>(nil)
        let own = Self.niceness
        try await test.submit(
            ClientChange(client: StoreUnderTest.client("c"), now: StoreUnderTest.now) { _, _ in
                niceness.withLock { $0 = Self.niceness }
                return ChangeOutcome(result: EventTally())
            })
        #expect(niceness.withLock { $0 } == max(own, 10))
    }

    @Test func manySubmittersLoseNothing() async throws {
        let test = try StoreUnderTest()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for number in 0..<50 {
                        try await test.submit(
                            StoreUnderTest.displays(StoreUnderTest.client("c\(number % 5)"), ids: ["\(task)-\(number)"])
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
        let next = try test.reopened()
        for number in 0..<5 {
            #expect(try await next.displayCount(of: StoreUnderTest.client("c\(number)")) == 160)
        }
    }

    @Test func aPublishDoesNotWaitForTheWholeQueue() async throws {
        var settings = PersistenceSettings()
        settings.eventsPerCommit = 1
        let test = try StoreUnderTest(queues: settings)
        let gate = Gate()
        test.holdWriter(gate)
        for number in 0..<100 {
            test.persistence.submit(Transaction([StoreUnderTest.displays(StoreUnderTest.client("c\(number)"))])) { _ in
            }
        }
        // The writer commits one batch before it comes to this gate.
        let rest = Gate()
        test.holdWriter(rest)
        defer { rest.open() }
        gate.open()
        try test.store.publish([])
        #expect(test.persistence.statistics.commits < 100)
    }
}

struct OverloadTests {
    @Test func aFullQueueRefusesAtOnceAndRecovers() async throws {
        var settings = PersistenceSettings()
        settings.waitingTransactions = 3
        let test = try StoreUnderTest(queues: settings)
        let answers = await test.submitTogether(
            (0..<5).map { [StoreUnderTest.displays(StoreUnderTest.client("c\($0)"))] })
        #expect(answers.map(isOverloaded) == [false, false, false, true, true])
        #expect(test.persistence.statistics.refusals == 2)
        try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c4")))
        #expect(try test.count("client") == 4)
    }

    @Test func eventsHaveABoundOfTheirOwn() async throws {
        var settings = PersistenceSettings()
        settings.waitingEvents = 10
        let test = try StoreUnderTest(queues: settings)
        let answers = await test.submitTogether(
            [6, 5, 4, 1].map {
                [StoreUnderTest.displays(StoreUnderTest.client("c"), ids: Array(repeating: nil, count: $0))]
            })
        #expect(answers.map(isOverloaded) == [false, true, false, true])
    }

    @Test func oneLargeSubmissionIsLetInWhenNothingWaits() async throws {
        var settings = PersistenceSettings()
        settings.waitingEvents = 10
        settings.eventsPerCommit = 5
        let test = try StoreUnderTest(queues: settings)
        let large = StoreUnderTest.displays(StoreUnderTest.client("c"), ids: Array(repeating: nil, count: 1000))
        #expect(try await test.submit(large).map(\.accepted) == [1000])
    }

    private func isOverloaded(_ answer: Result<[EventTally], StoreError>) -> Bool {
        if case .failure(.overloaded) = answer { true } else { false }
    }
}
