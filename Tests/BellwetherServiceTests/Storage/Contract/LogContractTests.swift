import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The content of logs and of the audit, apart from the order in which they are read.
@Suite struct LogContractTests {
    private func log(_ test: StoreUnderContract, _ app: Identifier = StoreUnderContract.app) throws -> RecordLog? {
        try test.store.logs(LogQuery(app: app)).logs.first
    }

    @Test(arguments: StoreKind.allCases)
    func `A record keeps its experiment and its branch`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let record = TelemetryRecord(
            at: StoreUnderContract.now, clientID: "c", category: "c", name: "n", extra: [:], experiment: "e\0",
            branch: "b\0")
        try await test.submit(
            ClientChange(client: StoreUnderContract.client("c"), now: StoreUnderContract.now) { _, _ in
                ChangeOutcome(records: [record], result: EventTally())
            })
        let row = try #require(try await test.reopened().telemetry().rows.first)
        #expect(row.experiment == "e\0" && row.branch == "b\0")
    }

    @Test(arguments: StoreKind.allCases)
    func `An app that was published has a log`(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        #expect(try log(test, "a") == nil)
        let manifest = StoredDocument(
            revision: 1, source: .api, text: Array("{}".utf8), publishedAt: StoreUnderContract.now)
        try test.store.publish([.manifest(app: "a", manifest), .revision(app: "a", 1)])
        #expect(try log(test, "a")?.newest == 0 && log(test, "b") == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `The newest number stays when all records are deleted`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b"]))
        let range = LogRange.records(app: StoreUnderContract.app, through: 2, until: nil)
        #expect(try test.store.delete(range, limit: 10) == 2)
        #expect(try log(test)?.newest == 2 && log(test)?.expired == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `A page says whether more records follow`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b", "c"]))
        for (limit, isAtEnd) in [(2, false), (10, true)] {
            let range = RecordRange(app: StoreUnderContract.app, after: 0, limit: limit)
            #expect(try test.store.records(range).isAtEnd == isAtEnd)
        }
    }

    /// A slice has the requested size, and the next slice continues after it.
    @Test(arguments: StoreKind.allCases)
    func `Ranges are deleted in slices`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let (app, later) = (StoreUnderContract.app, StoreUnderContract.now.adding(seconds: 1))
        try await test.submit(StoreUnderContract.records(["a", "b", "c"]))
        try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("c"), ids: ["1", "2", "3"]))
        for key in ["k", "l", "m"] {
            let claim = IdempotencyClaim(token: "t", path: "/p", key: Identifier(key), bodyDigest: [1])
            let write = IdempotentWrite<EventTally>(claim: claim) { _ in (200, []) }
            _ = try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("d")), under: write)
        }
        for range: LogRange in [
            .records(app: app, through: 3, until: nil), .eventIDs(before: later), .replies(before: later),
        ] {
            let slices = try (0..<3).map { _ in try test.store.delete(range, limit: 2) }
            #expect(slices == [2, 1, 0], "\(range)")
        }
    }

    /// A text of the audit may contain U+0000, like any other text of a store.
    @Test(arguments: StoreKind.allCases)
    func `Texts of the audit come back with their NULs`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let manifest = StoredDocument(
            revision: 1, source: .api, text: Array("{}".utf8), publishedAt: StoreUnderContract.now)
        let changes: [CatalogChange] = [
            .manifest(app: "a\0", manifest), .strings(app: "a\0", locale: "d\0", manifest), .revision(app: "a\0", 1),
        ]
        try test.store.publish(changes, by: "who\0", at: StoreUnderContract.now)
        let next = try test.reopened()
        let records = try await next.audit().map { try JSONValue(parsing: $0.text) }
        #expect(records.count == 2)
        let members = records.compactMap(\.object)
        #expect(members.allSatisfy { $0["by"] == "who\0" && $0["app"] == "a\0" })
        #expect(members.last?["name"] == "d\0")
    }
}
