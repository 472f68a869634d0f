import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Synchronization
import Testing

@testable import BellwetherService

/// The log that pipelines read (docs/reference/http-api.md#reading-telemetry).
@Suite struct TelemetryContractTests {
    @Test(arguments: StoreKind.allCases)
    func recordsComeInTheOrderOfTheirCommitsWithGrowingCursors(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        _ = await test.submitTogether((0..<4).map { [StoreUnderContract.records(["a\($0)", "b\($0)"])] })
        try await test.submit(StoreUnderContract.records(["c"]))
        let rows = try await test.telemetry().rows
        #expect(rows.map(\.name) == ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "c"])
        #expect(rows.map(\.cursor.number) == rows.map(\.cursor.number).sorted())
        #expect(Set(rows.map(\.cursor)).count == rows.count)
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordIsReadAsItWasWritten(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let record = TelemetryRecord(
            at: Timestamp(milliseconds: -1), clientID: "c\0", category: "micro\0survey", name: "ünï",
            extra: ["user_selection": "50% \"off\"\0", "n": 1, "f": 1.0, "none": nil], experiment: "exp", branch: nil)
        let change = ClientChange(client: StoreUnderContract.client("c\0"), now: StoreUnderContract.now) { _, _ in
            ChangeOutcome(records: [record], result: EventTally())
        }
        try await test.submit(change)
        let row = try #require(try await test.reopened().telemetry().rows.first)
        #expect(row.at == record.at)
        #expect(row.clientID == record.clientID)
        #expect(row.category == record.category)
        #expect(row.name == record.name)
        #expect(row.extra == #"{"user_selection":"50% \"off\"\u0000","n":1,"f":1.0,"none":null}"#)
        #expect(row.experiment == "exp")
        #expect(row.branch == nil)
    }

    private static let pages: [(Int, Int, [String])] = [
        (0, 2, ["a", "b"]), (1, 2, ["b", "c"]), (3, 10, ["d"]), (4, 10, []), (0, 0, []), (0, -1, []),
    ]

    @Test(arguments: StoreKind.allCases, pages)
    func aPageBeginsAfterItsCursorAndHasALimit(_ kind: StoreKind, _ given: (Int, Int, [String])) async throws {
        let (after, limit, names) = given
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b", "c", "d"]))
        let cursors = try await test.telemetry().rows.map(\.cursor)
        let page = try await test.telemetry(after: after == 0 ? .start : cursors[after - 1], limit: limit)
        #expect(page.rows.map(\.name.text) == names)
        #expect(page.fault == nil)
    }

    private static let lasts: [(Int, [String])] = [
        (0, []), (1, ["c"]), (2, ["b", "c"]), (3, ["a", "b", "c"]), (10_000, ["a", "b", "c"]),
    ]

    @Test(arguments: StoreKind.allCases, lasts)
    func aPageMayBeginWithTheLastRecords(_ kind: StoreKind, _ given: (Int, [String])) async throws {
        let (last, names) = given
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b"]))
        let other = StoreUnderContract.client("c", app: "fenix")
        try await test.submit(StoreUnderContract.records(["c"]), StoreUnderContract.records(["other"], client: other))
        var query = TelemetryQuery(app: StoreUnderContract.app, after: .start, limit: 10)
        query.last = last
        let page = try await test.telemetry(query)
        #expect(page.rows.map(\.name.text) == names)
        // A read after this cursor finds nothing yet.
        #expect(try await test.telemetry(after: page.through).rows.isEmpty)
        var filter = TelemetryFilter()
        filter.names = ["b"]
        var narrow = TelemetryQuery(app: StoreUnderContract.app, after: .start, limit: 10, filter: filter)
        narrow.last = last
        #expect(try await test.telemetry(narrow).rows.map(\.name) == (last >= 2 ? ["b"] : []))
    }

    @Test(arguments: StoreKind.allCases)
    func aPageEndsWhenItIsLargeEnough(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let text = JSONValue.string(String(repeating: "x", count: 3 << 20))
        let records = (0..<4).map { number in
            TelemetryRecord(
                at: StoreUnderContract.now, clientID: "c", category: "glean", name: "n\(number)", extra: ["text": text])
        }
        for record in records {
            try await test.submit(
                ClientChange(client: StoreUnderContract.client("c"), now: StoreUnderContract.now) { _, _ in
                    ChangeOutcome(records: [record], result: EventTally())
                })
        }
        let page = try await test.telemetry().rows
        #expect(page.map(\.name) == ["n0", "n1", "n2"], "8 MiB are reached by the third")
        #expect(try await test.telemetry(after: page.last?.cursor ?? .start).rows.map(\.name) == ["n3"])
    }

    @Test(arguments: StoreKind.allCases)
    func anAppReadsItsOwn(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(
            StoreUnderContract.records(["ios"]),
            StoreUnderContract.records(["android"], client: StoreUnderContract.client("c", app: "fenix")))
        #expect(try await test.telemetry().rows.map(\.name) == ["ios"])
        #expect(try await test.telemetry("fenix").rows.map(\.name) == ["android"])
        #expect(try await test.telemetry("unknown").rows.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func theObserverHearsOfTheAppsThatHaveRecords(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let heard = Mutex<[Set<Identifier>]>([])
        test.persistence.feed.followRecords { apps in heard.withLock { $0.append(apps ?? []) } }
        try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("c", app: "quiet")))
        #expect(heard.withLock(\.self) == [])
        _ = await test.submitTogether([
            [StoreUnderContract.records(["a"])],
            [StoreUnderContract.records(["b"], client: StoreUnderContract.client("c", app: "fenix"))],
            [StoreUnderContract.displays(StoreUnderContract.client("c", app: "quiet"))],
        ])
        #expect(heard.withLock(\.self) == [[StoreUnderContract.app, "fenix"]])
        #expect(test.persistence.statistics.telemetryRecords == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func recordsAloneMakeNoClient(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a"]))
        #expect(try await test.load(StoreUnderContract.client("c")) == nil)
    }
}
