import BellwetherJSON
import Testing

@testable import BellwetherService

/// An event is applied once, however it is repeated (docs/reference/events.md#event-ids-and-duplicates).
@Suite struct DuplicateContractTests {
    let client = StoreUnderContract.client("c1")

    @Test(arguments: StoreKind.allCases)
    func withinOneChange(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let tally = try await test.submit(StoreUnderContract.displays(client, ids: ["a", "b", "a", nil, nil, "a"]))

        #expect(tally.map(\.accepted) == [4])
        #expect(tally.map(\.duplicates) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func betweenChangesOfOneSubmission(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let tallies = try await test.submit(
            StoreUnderContract.displays(client, ids: ["a"]), StoreUnderContract.displays(client, ids: ["a", "b"])
        )
        #expect(tallies.map(\.duplicates) == [0, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func betweenSubmissionsOfOneBatch(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let change = StoreUnderContract.displays(client, ids: ["a", "b"])
        let answers = await test.submitTogether([[change], [change], [change]])
        #expect(try answers.flatMap { try $0.get() }.map(\.duplicates) == [0, 2, 2])
        #expect(test.persistence.statistics.commits == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func betweenBatches(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.displays(client, ids: ["a"]))
        let again = try await test.submit(StoreUnderContract.displays(client, ids: ["a"]))
        #expect(again.map(\.duplicates) == [1])
        #expect(try await test.displayCount(of: client) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func acrossARestart(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.displays(client, ids: ["a", "b"]))
        let next = try test.reopened()
        let again = try await next.submit(StoreUnderContract.displays(client, ids: ["b", "c"]))
        #expect(again.map(\.duplicates) == [1])
        #expect(try await next.displayCount(of: client) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func anIDIsOfItsClientAndApp(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let tallies = try await test.submit(
            StoreUnderContract.displays(client, ids: ["a"]),
            StoreUnderContract.displays(StoreUnderContract.client("c2"), ids: ["a"]),
            StoreUnderContract.displays(StoreUnderContract.client("c1", app: "fenix"), ids: ["a"])
        )
        #expect(tallies.map(\.duplicates) == [0, 0, 0])
    }
}
