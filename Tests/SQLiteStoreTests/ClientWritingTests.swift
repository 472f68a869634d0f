import BellwetherCore
import BellwetherJSON
import BellwetherService
import Testing

@testable import SQLiteStore

/// Client states: they are written, read again, and not read more often than needed.
struct ClientWritingTests {
    let client = StoreUnderTest.client("c1")

    @Test func aChangedStateIsInTheTableAndSurvivesARestart() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client, ids: ["a", "b"]))
        guard case .known(let held) = test.persistence.lookUp(client), let state = held.state else {
            return #expect(Bool(false), "not in the table")
        }
        #expect(state.ledger["m"].displayCount == 2)

        let next = try test.reopened()
        guard case .notLoaded = next.persistence.lookUp(client) else { return #expect(Bool(false), "in a new table") }
        #expect(try await next.load(client) == state)
        guard case .known(let loaded) = next.persistence.lookUp(client) else {
            return #expect(Bool(false), "not entered")
        }
        #expect(loaded.state == state)
    }

    @Test func behaviourCountersSurvive() async throws {
        let test = try StoreUnderTest()
        let change = ClientChange(client: client, now: StoreUnderTest.now) { state, _ in
            state.behavior.record("homepage_viewed", count: 2, at: StoreUnderTest.now)
            state.reportedRevision = 7
            return ChangeOutcome(result: EventTally())
        }
        try await test.submit(change)
        let state = try #require(try await test.reopened().load(client))
        #expect(state.behavior.names == ["homepage_viewed"])
        #expect(state.reportedRevision == 7)
    }

    @Test func aClientNeverSeenIsAbsentUntilItWrites() async throws {
        let test = try StoreUnderTest()
        guard case .notLoaded = test.persistence.lookUp(client) else { return #expect(Bool(false), "never asked for") }
        #expect(try await test.load(client) == nil)
        guard case .absent = test.persistence.lookUp(client) else { return #expect(Bool(false), "asked for") }
        try await test.submit(StoreUnderTest.displays(client))
        guard case .known = test.persistence.lookUp(client) else { return #expect(Bool(false), "written") }
        #expect(try test.count("client") == 1)
    }

    @Test func whatChangesNothingWritesNothing() async throws {
        let test = try StoreUnderTest()
        let idle = ClientChange(client: client, now: StoreUnderTest.now) { _, _ in
            ChangeOutcome(result: EventTally())
        }
        try await test.submit(idle)
        #expect(try test.count("client") == 0)

        try await test.submit(StoreUnderTest.displays(client))
        try await test.submit(idle)
        #expect(test.persistence.version(of: client) == 1 << 32)
    }

    @Test func anEventIDAloneMakesTheClientsRow() async throws {
        let test = try StoreUnderTest()
        let refused = ClientChange(client: client, eventIDs: ["x"], now: StoreUnderTest.now) { _, input in
            var tally = EventTally()
            tally.duplicates = input.isDuplicate.filter(\.self).count
            return ChangeOutcome(result: tally)
        }
        #expect(try await test.submit(refused).map(\.duplicates) == [0])
        let next = try test.reopened()
        #expect(try await next.submit(refused).map(\.duplicates) == [1])
        #expect(try next.count("client") == 1)
    }

    @Test func aReleasedIDIsNotRemembered() async throws {
        let test = try StoreUnderTest()
        let refused = ClientChange(client: client, eventIDs: [nil, "x"], now: StoreUnderTest.now) { _, input in
            var tally = EventTally()
            tally.duplicates = input.isDuplicate.filter(\.self).count
            return ChangeOutcome(releasedEventIDs: [1], result: tally)
        }
        #expect(try await test.submit(refused, refused).map(\.duplicates) == [0, 0])
        #expect(try test.count("event_id") == 0)
        #expect(try test.count("client") == 0)
    }

    @Test func changesOfOneClientInABatchAreAppliedInOrderAndWrittenOnce() async throws {
        let test = try StoreUnderTest()
        let order = (1...5).map { step in
            [
                ClientChange(client: client, now: StoreUnderTest.now) { state, _ in
                    state.reportedRevision = state.reportedRevision * 10 + UInt64(step)
                    return ChangeOutcome(result: EventTally())
                }
            ]
        }
        _ = await test.submitTogether(order)
        #expect(test.persistence.version(of: client) == 1 << 32)
        #expect(try await test.load(client)?.reportedRevision == 12345)
    }

    @Test func manyClientsInOneSubmissionEachHaveTheirOwnState() async throws {
        let test = try StoreUnderTest()
        let clients = (0..<50).map { StoreUnderTest.client("c\($0)", app: "app\($0 % 3)") }
        let changes = clients.enumerated().map { position, client in
            StoreUnderTest.displays(client, ids: Array(repeating: nil, count: position + 1))
        }
        _ = await test.submitTogether([changes])
        let next = try test.reopened()
        for (position, client) in clients.enumerated() {
            #expect(try await next.displayCount(of: client) == UInt32(position + 1))
        }
    }

    /// Ids are compared byte for byte: neither a NUL nor canonical equivalence makes two ids equal.
    @Test(arguments: [
        ("a", "a\0b"), ("a\0b", "a\0c"), ("e\u{301}", "\u{e9}"), ("A", "a"), ("1", "01"), ("", " "),
    ])
    func idsThatLookAlikeAreTwoClients(_ first: String, _ second: String) async throws {
        let test = try StoreUnderTest()
        _ = await test.submitTogether([
            [StoreUnderTest.displays(StoreUnderTest.client(first), ids: ["1"])],
            [StoreUnderTest.displays(StoreUnderTest.client(second), ids: ["1", "2"])],
        ])
        #expect(try await test.displayCount(of: StoreUnderTest.client(first)) == 1)
        #expect(try await test.displayCount(of: StoreUnderTest.client(second)) == 2)
        let next = try test.reopened()
        #expect(try await next.displayCount(of: StoreUnderTest.client(first)) == 1)
        #expect(try await next.displayCount(of: StoreUnderTest.client(second)) == 2)
    }

    @Test func aStateThatCannotBeReadIsAnErrorAndNotAnEmptyClient() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client))
        try test.write("UPDATE client SET state = x'FF'")
        let next = try test.reopened()
        await #expect(throws: StoreError.self) { try await next.load(client) }
        await #expect(throws: StoreError.self) { try await next.submit(StoreUnderTest.displays(client)) }
        #expect(next.store.health == .healthy)
    }
}
