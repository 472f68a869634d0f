import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// The data that retention deletes: telemetry, event ids, idempotency keys.
@Suite struct RetentionContractTests {
    let start = StoreUnderContract.now
    /// A policy with small slices.
    let policy: RetentionPolicy = {
        var policy = RetentionPolicy(telemetrySeconds: 100, eventIDSeconds: 1000)
        policy.slice = 3
        return policy
    }()

    @Test(arguments: StoreKind.allCases)
    func oldTelemetryGoesAndAnOldCursorIsTold(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let fenix = StoreUnderContract.client("c", app: "fenix")
        try await test.submit(
            StoreUnderContract.records((0..<10).map { "old\($0)" }, now: start),
            StoreUnderContract.records(["fenix"], client: fenix, now: start))
        try await test.submit(StoreUnderContract.records(["new"], now: start.adding(seconds: 60)))
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

    @Test(arguments: StoreKind.allCases)
    func itIsNotedUpToWhenRecordsWereDeleted(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let app = StoreUnderContract.app
        func expiredUntil() throws -> Timestamp? {
            try test.store.logs(LogQuery(app: app)).logs.first?.expiredUntil
        }
        for minute: Int64 in 0..<5 {
            try await test.submit(
                StoreUnderContract.records(["a", "b"], now: start.adding(seconds: 60 * minute)))
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

    @Test(arguments: StoreKind.allCases)
    func anAppsCursorExpiresWithItsOwnRecordsOnly(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let fenix = StoreUnderContract.client("c", app: "fenix")
        try await test.submit(StoreUnderContract.records(["a"], client: fenix, now: start))
        try await test.submit(StoreUnderContract.records(["b", "c"], now: start))
        let cursor = try #require(try await test.telemetry("fenix").rows.first?.cursor)
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try await test.telemetry("fenix", after: cursor).fault == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func whatWasDatedBackIsKeptFromWhenItWasReceived(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["late"], at: start.adding(seconds: -90_000), now: start))
        await test.enforceRetention(policy, now: start.adding(seconds: 50))
        #expect(try await test.telemetry().rows.map(\.name) == ["late"])
        await test.enforceRetention(policy, now: start.adding(seconds: 101))
        #expect(try await test.telemetry().rows.isEmpty)
    }

    /// There are more such records than a slice has, and older and newer records behind them.
    @Test(arguments: StoreKind.allCases)
    func recordsOfAClockThatWasAheadHoldNothingBack(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let ahead = start.adding(seconds: 50 * 365 * 86_400)
        try await test.submit(StoreUnderContract.records(["a"], now: start))
        try await test.submit(StoreUnderContract.records((0..<8).map { "ahead\($0)" }, now: ahead))
        await test.enforceRetention(policy, now: start.adding(seconds: 101))
        // Nothing shows yet how old these records are.
        #expect(try await test.telemetry().rows.count == 8)
        try await test.submit(StoreUnderContract.records(["b"], now: start.adding(seconds: 60)))
        try await test.submit(StoreUnderContract.records(["c"], now: start.adding(seconds: 120)))
        await test.enforceRetention(policy, now: start.adding(seconds: 159))
        #expect(try await test.telemetry().rows.count == 10)
        await test.enforceRetention(policy, now: start.adding(seconds: 161))
        #expect(try await test.telemetry().rows.map(\.name) == ["c"])
    }

    @Test(arguments: StoreKind.allCases)
    func aCursorIsNeverGivenTwice(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b"], now: start))
        let last = try #require(try await test.telemetry().rows.last?.cursor)
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try await test.telemetry().rows.isEmpty)
        let next = try test.reopened()
        try await next.submit(StoreUnderContract.records(["c"], now: start))
        let page = try await next.telemetry(after: last)
        #expect(page.rows.map(\.name) == ["c"])
        #expect(page.fault == nil)
    }

    @Test(arguments: StoreKind.allCases, [(999, 7, 0), (1001, 0, 7)])
    func eventIDsAreForgottenWhenTheirTimeIsOver(_ kind: StoreKind, _ after: (Int, Int, Int)) async throws {
        let (seconds, duplicates, accepted) = (Int64(after.0), after.1, after.2)
        let test = try StoreUnderContract(kind)
        let ids = (0..<7).map { Identifier?("event-\($0)") }
        try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("c"), ids: ids, at: start))
        await test.enforceRetention(policy, now: start.adding(seconds: seconds))
        let tally = try await test.submit(
            StoreUnderContract.displays(StoreUnderContract.client("c"), ids: ids, at: start.adding(seconds: seconds))
        )
        #expect(tally.map(\.duplicates) == [duplicates])
        #expect(tally.map(\.accepted) == [accepted])
    }

    @Test(arguments: StoreKind.allCases)
    func aKeyHoldsForADay(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let claim = IdempotencyClaim(token: "t", path: "/p", key: "k", bodyDigest: [1])
        let reply = StoredReply(bodyDigest: [1], status: 200, body: [])
        try test.store.publish([.reply(claim, reply, at: start)])
        await test.enforceRetention(policy, now: start.adding(seconds: 86_400))
        #expect(try test.store.reply(to: claim) == reply)
        await test.enforceRetention(policy, now: start.adding(seconds: 86_401))
        #expect(try test.store.reply(to: claim) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func writesGoOnBetweenSlices(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        var policy = policy
        policy.slice = 1
        try await test.submit(StoreUnderContract.records((0..<50).map { "r\($0)" }, now: start))
        let gate = Gate()
        test.holdWriter(gate)
        async let retention: Void = test.enforceRetention(policy, now: start.adding(seconds: 1000))
        async let written = test.submit(StoreUnderContract.displays(StoreUnderContract.client("c")))
        gate.open()
        #expect(try await written.map(\.accepted) == [1])
        await retention
        #expect(try await test.telemetry().rows.isEmpty)
    }
}
