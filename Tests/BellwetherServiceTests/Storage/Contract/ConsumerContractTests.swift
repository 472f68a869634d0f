import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The cursors of consumers, and the records that retention keeps for them.
@Suite struct ConsumerContractTests {
    let start = StoreUnderContract.now
    let policy = RetentionPolicy(telemetrySeconds: 100, telemetryHoldSeconds: 1000, eventIDSeconds: 100_000)

    private func filled(_ kind: StoreKind, _ names: String...) async throws -> StoreUnderContract {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(names, now: start))
        return test
    }

    @Test(arguments: StoreKind.allCases)
    func aPlaceIsKeptAcrossARestart(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b", "c")
        let kept = TelemetryConsumer(
            name: "one", cursor: try test.cursor(2), updatedAt: start, lag: 1, isExpired: false)
        #expect(try await test.keep("one", 2) == .kept(kept, isNew: true))
        #expect(try await test.reopened().consumers() == [kept])
    }

    @Test(arguments: StoreKind.allCases)
    func aPlaceMovesBothWays(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b", "c")
        for number: Int64 in [3, 1, 2] {
            try await test.keep("one", number, at: start.adding(seconds: number))
            let consumer = try #require(try await test.consumers()?.first)
            #expect(consumer.cursor.number == number && consumer.lag == Int(3 - number))
            #expect(consumer.updatedAt == start.adding(seconds: number))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPlaceBeyondTheNewestRecordIsRefused(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b")
        try await test.submit(
            StoreUnderContract.records(["other"], client: StoreUnderContract.client("c", app: "fenix")))
        #expect(try await test.keep("one", 4) == .refused(.beyondEnd))
        #expect(try await test.consumers() == [])
        #expect(try await test.keep("one", 1, of: "unknown") == .unknownApp)
        #expect(try await test.consumers(of: "unknown") == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func consumersAreAnAppsOwnByNameAndGoWhenTheyAreDeleted(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a")
        try await test.submit(
            StoreUnderContract.records(["other"], client: StoreUnderContract.client("c", app: "fenix")))
        try await test.keep("b", 0)
        try await test.keep("a", 1)
        try await test.keep("a", 0, of: "fenix")
        #expect(try await test.consumers()?.map(\.name) == ["a", "b"])
        #expect(try await test.consumers(named: "b")?.map(\.name) == ["b"])
        #expect(try await test.consumers(named: "c") == [])
        #expect(try await test.deleteConsumer("a"))
        #expect(try await !test.deleteConsumer("a"))
        #expect(try await !test.deleteConsumer("a", of: "unknown"))
        #expect(try await test.consumers()?.map(\.name) == ["b"])
        #expect(try await test.consumers(of: "fenix")?.map(\.name) == ["a"])
    }

    /// The audit records when a consumer begins and ends to hold records; it does not record each acknowledgement.
    @Test(arguments: StoreKind.allCases)
    func theAuditTellsOfConsumersThatComeAndGo(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b")
        for number: Int64 in [0, 1, 2] { try await test.keep("one", number) }
        #expect(try await test.deleteConsumer("one"))
        #expect(try await !test.deleteConsumer("one"))
        #expect(try await test.keep("one", 9) == .refused(.beyondEnd))
        let told = try await test.audit().map { record in
            let members = try JSONValue(parsing: record.text).object ?? [:]
            return ["by", "action", "kind", "app", "name"].map { members[$0]?.string ?? "?" }
        }
        #expect(
            told == [
                ["test", "create", "consumer", "firefox-ios", "one"],
                ["test", "delete", "consumer", "firefox-ios", "one"],
            ])
    }

    @Test(arguments: StoreKind.allCases)
    func anAppHasNotManyConsumers(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a")
        for number in 0..<TelemetryConsumer.countBound { try await test.keep("\(number)", 0) }
        #expect(try await test.keep("more", 0) == .tooMany)
        guard case .kept(_, isNew: false) = try await test.keep("7", 1) else { return #expect(Bool(false), "moves") }
    }

    @Test(arguments: StoreKind.allCases)
    func whatSomeoneHasNotAcknowledgedIsKept(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b", "c", "d")
        try await test.submit(
            StoreUnderContract.records(["other"], client: StoreUnderContract.client("c", app: "fenix"), now: start))
        try await test.keep("slow", 1)
        try await test.keep("fast", 3)
        await test.enforceRetention(policy, now: start.adding(seconds: 500))
        #expect(try await test.telemetry().rows.map(\.name) == ["b", "c", "d"])
        // The consumers of one app hold no records of another app.
        #expect(try await test.telemetry("fenix").rows.isEmpty)
        try await test.keep("slow", 4)
        await test.enforceRetention(policy, now: start.adding(seconds: 500))
        #expect(try await test.telemetry().rows.map(\.name) == ["d"])
        #expect(try await test.deleteConsumer("fast"))
        await test.enforceRetention(policy, now: start.adding(seconds: 500))
        #expect(try await test.telemetry().rows.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func whatWasAcknowledgedIsKeptWhileItIsYoung(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b")
        try await test.keep("one", 2)
        await test.enforceRetention(policy, now: start.adding(seconds: 100))
        #expect(try await test.telemetry().rows.count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func aDeadConsumerHoldsNothingForEver(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b")
        try await test.keep("dead", 0)
        try await test.submit(StoreUnderContract.records(["c"], now: start.adding(seconds: 600)))
        await test.enforceRetention(policy, now: start.adding(seconds: 1000))
        #expect(try await test.telemetry().rows.count == 3)
        await test.enforceRetention(policy, now: start.adding(seconds: 1001))
        #expect(try await test.telemetry().rows.map(\.name) == ["c"])
        #expect(try await test.consumers()?.map(\.isExpired) == [true])
        #expect(try await test.keep("dead", 1) == .refused(.expired))
        // The consumer may begin again with the records that remain.
        try await test.keep("dead", 0)
        #expect(try await test.consumers()?.map(\.cursor.number) == [2])
        #expect(try await test.consumers()?.map(\.isExpired) == [false])
    }

    @Test(arguments: StoreKind.allCases)
    func holdingShorterThanKeepingIsNoShorter(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a")
        try await test.keep("one", 0)
        let short = RetentionPolicy(telemetrySeconds: 100, telemetryHoldSeconds: 1, eventIDSeconds: 100_000)
        await test.enforceRetention(short, now: start.adding(seconds: 100))
        #expect(try await test.telemetry().rows.count == 1)
        await test.enforceRetention(short, now: start.adding(seconds: 101))
        #expect(try await test.telemetry().rows.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestPlaceStaysValidWhenEverythingIsDeleted(_ kind: StoreKind) async throws {
        let test = try await filled(kind, "a", "b")
        await test.enforceRetention(policy, now: start.adding(seconds: 101))
        #expect(try await test.keep("one", 3) == .refused(.beyondEnd))
        guard case .kept(let consumer, _) = try await test.keep("one", 2) else {
            return #expect(Bool(false), "the newest cursor")
        }
        #expect(consumer.lag == 0)
    }
}
