import BellwetherBase
import BellwetherCore
import BellwetherService
import TestSupport
import Testing

@testable import SQLiteStore

/// What is no longer kept: telemetry, event ids, idempotency keys.
struct RetentionTests {
    let start = StoreUnderTest.now
    let policy = RetentionPolicy(telemetrySeconds: 100, eventIDSeconds: 1000)

    private func smallSlices() throws -> StoreUnderTest {
        var settings = SQLiteStoreSettings()
        settings.retentionSlice = 3
        return try StoreUnderTest(settings: settings)
    }

    @Test func oldTelemetryGoesAndAnOldCursorIsTold() async throws {
        let test = try smallSlices()
        let fenix = StoreUnderTest.client("c", app: "fenix")
        try await test.submit(
            StoreUnderTest.records((0..<10).map { "old\($0)" }, now: start),
            StoreUnderTest.records(["fenix"], client: fenix, now: start))
        try await test.submit(StoreUnderTest.records(["new"], now: start.adding(seconds: 60)))
        let cursors = try await test.telemetry().rows.map(\.cursor)
        await test.enforceRetention(policy, now: start.adding(seconds: 120))

        let rest = try await test.telemetry()
        #expect(rest.rows.map(\.name) == ["new"])
        #expect(rest.fault == nil)
        #expect(try await test.telemetry(after: cursors[8]).fault == .expired)
        #expect(try await test.telemetry(after: cursors[9]).fault == nil)
        #expect(try await test.telemetry(after: cursors[9]).rows.map(\.name) == ["new"])
        #expect(try await test.reopened().telemetry(after: cursors[0]).fault == .expired)
    }

    @Test func itIsNotedUpToWhenRecordsWereDeleted() async throws {
        let test = try smallSlices()
        let app = StoreUnderTest.app
        func expiredUntil() throws -> Timestamp? {
            try TelemetryArchive(directory: test.directory.path).bounds(of: app)?.expiredUntil
        }
        for minute: Int64 in 0..<5 {
            try await test.submit(
                StoreUnderTest.records(["a", "b"], now: start.adding(seconds: 60 * minute)))
        }
        #expect(try expiredUntil() == nil)
        await test.enforceRetention(policy, now: start.adding(seconds: 161))
        #expect(try expiredUntil() == start.adding(seconds: 60))
        await test.enforceRetention(policy, now: start.adding(seconds: 161))
        #expect(try expiredUntil() == start.adding(seconds: 60))
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try expiredUntil() == start.adding(seconds: 240))
        #expect(try await test.telemetry().rows.isEmpty)
    }

    @Test func anAppsCursorExpiresWithItsOwnRecordsOnly() async throws {
        let test = try smallSlices()
        let fenix = StoreUnderTest.client("c", app: "fenix")
        try await test.submit(StoreUnderTest.records(["a"], client: fenix, now: start))
        try await test.submit(StoreUnderTest.records(["b", "c"], now: start))
        let cursor = try #require(try await test.telemetry("fenix").rows.first?.cursor)
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try await test.telemetry("fenix", after: cursor).fault == nil)
    }

    @Test func whatWasDatedBackIsKeptFromWhenItWasReceived() async throws {
        let test = try smallSlices()
        try await test.submit(StoreUnderTest.records(["late"], at: start.adding(seconds: -90_000), now: start))
        await test.enforceRetention(policy, now: start.adding(seconds: 50))
        #expect(try await test.telemetry().rows.map(\.name) == ["late"])
        await test.enforceRetention(policy, now: start.adding(seconds: 101))
        #expect(try await test.telemetry().rows.isEmpty)
    }

    /// More of them than a slice has, and both old and young ones behind them.
    @Test func recordsOfAClockThatWasAheadHoldNothingBack() async throws {
        let test = try smallSlices()
        let ahead = start.adding(seconds: 50 * 365 * 86_400)
        try await test.submit(StoreUnderTest.records(["a"], now: start))
        try await test.submit(StoreUnderTest.records((0..<8).map { "ahead\($0)" }, now: ahead))
        await test.enforceRetention(policy, now: start.adding(seconds: 101))
        // Nothing tells yet how old they are.
        #expect(try await test.telemetry().rows.count == 8)
        try await test.submit(StoreUnderTest.records(["b"], now: start.adding(seconds: 60)))
        try await test.submit(StoreUnderTest.records(["c"], now: start.adding(seconds: 120)))
        await test.enforceRetention(policy, now: start.adding(seconds: 159))
        #expect(try await test.telemetry().rows.count == 10)
        await test.enforceRetention(policy, now: start.adding(seconds: 161))
        #expect(try await test.telemetry().rows.map(\.name) == ["c"])
    }

    @Test func aCursorIsNeverGivenTwice() async throws {
        let test = try smallSlices()
        try await test.submit(StoreUnderTest.records(["a", "b"], now: start))
        let last = try #require(try await test.telemetry().rows.last?.cursor)
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try test.count("telemetry") == 0)
        let next = try test.reopened()
        try await next.submit(StoreUnderTest.records(["c"], now: start))
        let page = try await next.telemetry(after: last)
        #expect(page.rows.map(\.name) == ["c"])
        #expect(page.fault == nil)
    }

    @Test(arguments: [(999, 7, 0), (1001, 0, 7)])
    func eventIDsAreForgottenWhenTheirTimeIsOver(_ seconds: Int64, _ duplicates: Int, _ accepted: Int) async throws {
        let test = try smallSlices()
        let ids = (0..<7).map { Optional("event-\($0)") }
        try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c"), ids: ids, at: start))
        await test.enforceRetention(policy, now: start.adding(seconds: seconds))
        #expect(try test.count("event_id") == duplicates)
        let tally = try await test.submit(
            StoreUnderTest.displays(StoreUnderTest.client("c"), ids: ids, at: start.adding(seconds: seconds))
        ).tallies
        #expect(tally.map(\.duplicates) == [duplicates])
        #expect(tally.map(\.accepted) == [accepted])
    }

    @Test func aKeyHoldsForADay() async throws {
        let test = try smallSlices()
        let claim = IdempotencyClaim(token: "t", path: "/p", key: "k", bodyDigest: [1])
        let reply = StoredReply(bodyDigest: [1], status: 200, body: [])
        try test.store.publish([.reply(claim, reply, at: start)])
        await test.enforceRetention(policy, now: start.adding(seconds: 86_400))
        #expect(try test.store.reply(to: claim) == reply)
        await test.enforceRetention(policy, now: start.adding(seconds: 86_401))
        #expect(try test.store.reply(to: claim) == nil)
    }

    @Test func writesGoOnBetweenSlices() async throws {
        var settings = SQLiteStoreSettings()
        settings.retentionSlice = 1
        let test = try StoreUnderTest(settings: settings)
        try await test.submit(StoreUnderTest.records((0..<50).map { "r\($0)" }, now: start))
        let gate = Gate()
        test.holdWriter(gate)
        async let retention: Void = test.enforceRetention(policy, now: start.adding(seconds: 1000))
        async let written = test.submit(StoreUnderTest.displays(StoreUnderTest.client("c")))
        gate.open()
        #expect(try await written.tallies.map(\.accepted) == [1])
        await retention
        #expect(try test.count("telemetry") == 0)
    }
}
