import BellwetherService
import Testing

@testable import SQLiteStore

/// An event is applied once, however it comes again (docs/reference/events.md#event-ids-and-duplicates).
struct DuplicateTests {
    let client = StoreUnderTest.client("c1")

    @Test func withinOneChange() async throws {
        let test = try StoreUnderTest()
        let tally = try await test.submit(StoreUnderTest.displays(client, ids: ["a", "b", "a", nil, nil, "a"])).tallies
        #expect(tally.map(\.accepted) == [4])
        #expect(tally.map(\.duplicates) == [2])
    }

    @Test func betweenChangesOfOneSubmission() async throws {
        let test = try StoreUnderTest()
        let tallies = try await test.submit(
            StoreUnderTest.displays(client, ids: ["a"]), StoreUnderTest.displays(client, ids: ["a", "b"])
        ).tallies
        #expect(tallies.map(\.duplicates) == [0, 1])
    }

    @Test func betweenSubmissionsOfOneBatch() async throws {
        let test = try StoreUnderTest()
        let change = StoreUnderTest.displays(client, ids: ["a", "b"])
        let answers = await test.submitTogether([[change], [change], [change]])
        #expect(try answers.flatMap { try $0.get().tallies }.map(\.duplicates) == [0, 2, 2])
        #expect(test.persistence.statistics.commits == 1)
    }

    @Test func betweenBatches() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client, ids: ["a"]))
        let again = try await test.submit(StoreUnderTest.displays(client, ids: ["a"]))
        #expect(again.tallies.map(\.duplicates) == [1])
        #expect(try await test.displayCount(of: client) == 1)
    }

    @Test func acrossARestart() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client, ids: ["a", "b"]))
        let next = try test.reopened()
        let again = try await next.submit(StoreUnderTest.displays(client, ids: ["b", "c"]))
        #expect(again.tallies.map(\.duplicates) == [1])
        #expect(try await next.displayCount(of: client) == 3)
    }

    @Test func anIDIsOfItsClientAndApp() async throws {
        let test = try StoreUnderTest()
        let tallies = try await test.submit(
            StoreUnderTest.displays(client, ids: ["a"]),
            StoreUnderTest.displays(StoreUnderTest.client("c2"), ids: ["a"]),
            StoreUnderTest.displays(StoreUnderTest.client("c1", app: "fenix"), ids: ["a"])
        ).tallies
        #expect(tallies.map(\.duplicates) == [0, 0, 0])
    }
}

struct EventIDKeyTests {
    private static let alike = [
        "8d5f0c1e-6a5b-4f0e-9d51-0123456789ab", "8D5F0C1E-6A5B-4F0E-9D51-0123456789AB",
        "8D5F0C1E-6a5b-4f0e-9d51-0123456789ab", "8d5f0c1e6a5b4f0e9d510123456789ab",
        "{8d5f0c1e-6a5b-4f0e-9d51-0123456789ab}", "8d5f0c1e-6a5b-4f0e-9d51-0123456789a",
        "8d5f0c1e-6a5b-4f0e-9d51-0123456789ag",
        "12345678-1234-1234-1234-123456789012", "8d5f0c1e06a5b-4f0e-9d51-0123456789ab", "", "a", "a\0", "A", "e\u{301}",
        "\u{e9}",
        "\u{1}234567890123456", "0123456789abcdef",
    ]

    @Test func noTwoIDsShareAKey() {
        #expect(Set(Self.alike.map { EventIDKey($0).bytes }).count == Self.alike.count)
    }

    @Test(arguments: ["8d5f0c1e-6a5b-4f0e-9d51-0123456789ab", "8D5F0C1E-6A5B-4F0E-9D51-0123456789AB"])
    func aUUIDTakes17Bytes(_ id: String) {
        let bytes = EventIDKey(id).bytes
        #expect(bytes.count == 17)
        #expect(bytes.dropFirst().prefix(4) == [0x8D, 0x5F, 0x0C, 0x1E])
        #expect(bytes.last == 0xAB)
    }
}
