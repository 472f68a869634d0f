import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Reads with a filter: the records that match, and the limit of the scan.
@Suite struct TelemetryFilterContractTests {
    private func record(
        _ category: String, _ name: String, _ extra: JSONObject = [:], experiment: Identifier? = nil
    ) -> TelemetryRecord {
        TelemetryRecord(
            at: StoreUnderContract.now, clientID: "c", category: Identifier(category), name: Identifier(name),
            extra: extra,
            experiment: experiment)
    }

    private func submit(_ records: [TelemetryRecord], _ test: StoreUnderContract) async throws {
        try await test.submit(
            ClientChange(client: StoreUnderContract.client("c"), now: StoreUnderContract.now) { _, _ in
                ChangeOutcome(records: records, result: EventTally())
            })
    }

    private var mixed: [TelemetryRecord] {
        [
            record("messaging", "shown", ["message_key": "a"], experiment: "x"),
            record("messaging", "dismissed", ["message_key": "b"], experiment: "y"),
            record("microsurvey", "shown", ["survey_id": "a"]),
            record("nimbus_events", "exposure", ["feature_id": "a"], experiment: "x"),
            record("glean", "baseline", ["ping": ["message_key": "a"], "text": #"{"message_key":"a"}"#]),
            record("messaging", "shown", ["message_key": "a\0b"]),
        ]
    }

    private static let filters: [([Identifier], [Identifier], [Identifier], [Identifier], [Int])] = [
        ([], [], [], [], [1, 2, 3, 4, 5, 6]), (["messaging"], [], [], [], [1, 2, 6]),
        (["messaging", "glean"], [], [], [], [1, 2, 5, 6]), ([], ["shown"], [], [], [1, 3, 6]),
        (["messaging"], ["shown"], [], [], [1, 6]), ([], [], ["a"], [], [1, 3]), ([], [], ["a", "b"], [], [1, 2, 3]),
        ([], [], [], ["x"], [1, 4]), ([], [], [], ["x", "y"], [1, 2, 4]), ([], ["shown"], ["a"], ["x"], [1]),
        (["Messaging"], [], [], [], []), ([], [], ["A"], [], []), ([], [], ["%"], [], []), ([], [], ["\""], [], []),
    ]

    @Test(arguments: StoreKind.allCases, filters)
    func aFilterMeansWhatItNames(
        _ kind: StoreKind, _ given: ([Identifier], [Identifier], [Identifier], [Identifier], [Int])
    ) async throws {
        let (categories, names, messages, experiments, places) = given
        let test = try StoreUnderContract(kind)
        try await submit(mixed, test)
        var filter = TelemetryFilter()
        (filter.categories, filter.names) = (categories, names)
        (filter.messages, filter.experiments) = (messages, experiments)
        let all = try await test.telemetry().rows
        let page = try await test.telemetry(filter: filter)
        #expect(page.rows == places.map { all[$0 - 1] })
        #expect(page.through == all.last?.cursor)
    }

    @Test(arguments: StoreKind.allCases)
    func aKeyIsComparedAsItIs(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let keys = ["e\u{301}", "\u{e9}", "a\"b", "a\\b", "a/b", "\u{1F600}", "\u{7}"]
        try await submit(keys.map { record("messaging", "shown", ["message_key": .string($0)]) }, test)
        for (place, key) in keys.enumerated() {
            var filter = TelemetryFilter()
            filter.messages = [Identifier(key)]
            #expect(try await test.telemetry(filter: filter).rows.map(\.cursor.number) == [Int64(place + 1)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aTimeIsWhenARecordWasReceived(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        for second in 0..<4 {
            try await test.submit(
                StoreUnderContract.records(
                    ["\(second)"], at: StoreUnderContract.now.adding(seconds: -9),
                    now: StoreUnderContract.now.adding(seconds: Int64(second))))
        }
        var filter = TelemetryFilter()
        filter.received = StoreUnderContract.now.adding(seconds: 1)..<StoreUnderContract.now.adding(seconds: 3)
        #expect(try await test.telemetry(filter: filter).rows.map(\.name) == ["1", "2"])
    }

    /// The limit is 10, and the 13th of 25 records matches; records of another app are between them.
    @Test(arguments: StoreKind.allCases)
    func aReadLooksAtSoManyRecordsAndSaysHowFarItCame(_ kind: StoreKind) async throws {
        var settings = PersistenceSettings()
        settings.scannedRecords = 10
        let test = try StoreUnderContract(kind, queues: settings)
        let fenix = StoreUnderContract.client("c", app: "fenix")
        for place in 1...25 {
            try await test.submit(
                StoreUnderContract.records([place == 13 ? "rare" : "usual"]),
                StoreUnderContract.records(["rare"], client: fenix))
        }
        let cursors = try await test.telemetry().rows.map(\.cursor)
        var filter = TelemetryFilter()
        filter.names = ["rare"]
        var after = TelemetryCursor.start
        var pages: [TelemetryPage] = []
        repeat {
            pages.append(try await test.telemetry(after: after, filter: filter))
            after = pages.last?.through ?? .start
        } while pages.last?.isAtEnd == false
        #expect(pages.map(\.rows.count) == [0, 1, 0])
        #expect(pages.map(\.through) == [cursors[9], cursors[19], cursors[24]])
        let end = try await test.telemetry(after: after, filter: filter)
        #expect(end.rows.isEmpty && end.through == after && end.isAtEnd)
    }

    @Test(arguments: StoreKind.allCases)
    func aFullPageEndsWithItsLastRecord(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.records(["a", "b", "a", "a", "b"]))
        var filter = TelemetryFilter()
        filter.names = ["a"]
        let page = try await test.telemetry(limit: 2, filter: filter)
        #expect(page.rows.map(\.cursor.number) == [1, 3] && page.through.number == 3 && !page.isAtEnd)
        let rest = try await test.telemetry(after: page.through, limit: 2, filter: filter)
        #expect(rest.rows.map(\.cursor.number) == [4] && rest.through.number == 5 && rest.isAtEnd)
    }

    @Test(arguments: StoreKind.allCases)
    func anAppThatNobodyStoredIsUnknown(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        #expect(try await test.telemetry().isAppKnown == false)
        try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("c")))
        #expect(try await test.telemetry().isAppKnown)
    }
}
