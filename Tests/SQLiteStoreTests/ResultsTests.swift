import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire
import Surveys
import TestSupport
import Testing

@testable import SQLiteStore

/// The counts that the store makes for results.
struct ResultsTests {
    private static let app = StoreUnderTest.app
    private static let now = StoreUnderTest.now
    private static let survey = EnrolledBranch(slug: "recipe", branch: "treatment")

    /// A client that displays message `m`, and may click, answer and dismiss it.
    private static func client(
        _ id: String, in branch: EnrolledBranch? = survey, answers option: Int? = nil, presses: Bool = false,
        displays: Int = 1, dismisses: Int = 0, at: Timestamp = now
    ) -> ClientChange<EventTally> {
        ClientChange(client: StoreUnderTest.client(id), answers: ["m"], now: at) { _, _ in
            func record(_ category: String, _ name: String, _ key: String) -> TelemetryRecord {
                TelemetryRecord(
                    at: at, clientID: Identifier(id), category: Identifier(category), name: Identifier(name),
                    extra: [key: "m"],
                    experiment: branch?.slug, branch: branch?.branch)
            }
            var outcome = ChangeOutcome(result: EventTally())
            outcome.records += (0..<displays).map { _ in record("messaging", "shown", "message_key") }
            if presses {
                outcome.records.append(record("messaging", "clicked", "message_key"))
                outcome.records.append(record("microsurvey", "shown", "survey_id"))
            }
            let dismissals = dismisses + (option == nil ? 0 : 1)
            outcome.records += (0..<dismissals).map { _ in record("messaging", "dismissed", "message_key") }
            guard let option else { return outcome }
            outcome.records.append(record("microsurvey", "submit_button_tapped", "survey_id"))
            var response = SurveyResponse(
                id: "r-\(id)", clientID: Identifier(id), message: "m", requestID: nil, optionIndex: option,
                optionStringID: "o\(option)", text: "text", locale: "de", revision: 1, submittedAt: at)
            response.enrollment = branch
            outcome.responses = [response]
            return outcome
        }
    }

    private static func recipe(_ revision: Int, _ document: JSONValue, slug: Identifier = "recipe") -> CatalogChange {
        .recipe(
            app: app,
            StoredRecipe(
                slug: slug, state: .live,
                document: StoredDocument(revision: revision, source: .api, text: document.encoded, publishedAt: now)))
    }

    private static func store() throws -> StoreUnderTest {
        let test = try StoreUnderTest()
        try test.store.publish([recipe(1, ["messages": ["m": [:]]])])
        return test
    }

    @Test func answersAreCountedByOptionBranchLocaleAndDay() async throws {
        let test = try Self.store()
        let tomorrow = Self.now.adding(seconds: Timestamp.secondsPerDay)
        try await test.submit(
            Self.client("a", answers: 0), Self.client("b", answers: 1), Self.client("c", answers: 0, at: tomorrow),
            Self.client("d", in: EnrolledBranch(slug: "other", branch: "treatment"), answers: 0),
            Self.client("e", in: nil, answers: 2))
        let reading = try #require(try await test.results("recipe").messages?.first)
        #expect(reading.key == "m")
        #expect(reading.countsEveryAnswer)
        let results = ResultsMaking(options: SurveyOptions(["o0", "o1", "o2"]), minimum: 1, text: { $0 })
            .results(of: "m", reading.answers, funnel: reading.funnel, all: reading.wholeFunnel)
        #expect(results.total.counts == [3, 1, 1])
        #expect(results.branches.map(\.group) == [.named("treatment"), .none])
        #expect(results.branches.map(\.counts) == [[2, 1, 0], [1, 0, 1]])
        #expect(results.locales.map(\.counts) == [[3, 1, 1]])
        #expect(results.days.map(\.group) == [.named("2026-09-21"), .named("2026-09-22")])
        #expect(results.days.map(\.counts) == [[2, 1, 1], [1, 0, 0]])
    }

    @Test func theFunnelCountsEventsAndClients() async throws {
        let test = try Self.store()
        try await test.submit(
            Self.client("a", answers: 0, presses: true, displays: 3, dismisses: 2), Self.client("b", presses: true),
            Self.client("c", displays: 2, dismisses: 1), Self.client("d", in: nil, displays: 5))
        // The enrollment is later than the first display: one client counts in two branches.
        try await test.submit(Self.client("d", displays: 1))
        let reading = try #require(try await test.results("recipe").messages?.first)
        func counts(_ tally: FunnelTally) -> [[Int]] { tally.counts.map { [$0.events, $0.clients] } }
        #expect(Set(reading.funnel.map(\.branch)) == ["treatment", nil])
        let treatment = try #require(reading.funnel.first { $0.branch == "treatment" })
        #expect(counts(treatment) == [[7, 4], [2, 2], [1, 1], [1, 1], [0, 0]])
        #expect(counts(reading.wholeFunnel) == [[12, 4], [2, 2], [1, 1], [1, 1], [0, 0]])
        #expect(reading.coverage == .everything)
    }

    @Test func messagesOfAllRevisionsAndBranchesCount() async throws {
        let test = try Self.store()
        let experiment: JSONValue = [
            "branches": [
                [
                    "slug": "a",
                    "features": [["featureId": "messaging", "value": ["messages": ["{experiment}-a": [:]]]]],
                ],
                ["slug": "b", "features": [["featureId": "other", "value": ["messages": ["no": [:]]]]]],
                ["slug": "c", "feature": ["featureId": "messaging", "value": ["messages": ["c": [:]]]]],
            ]
        ]
        try test.store.publish([Self.recipe(2, experiment), Self.recipe(1, ["messages": ["x": [:]]], slug: "else")])
        let keys = try await test.results("recipe").messages?.map(\.key)
        #expect(Set(keys ?? []) == ["recipe-a", "c", "m"])
        #expect(try await test.results("unknown").messages == nil)
        #expect(try await test.results("recipe", app: "unknown").messages == nil)
    }

    @Test func `Answers and events are filtered by day, branch and language`() async throws {
        let test = try Self.store()
        let tomorrow = Self.now.adding(seconds: Timestamp.secondsPerDay)
        try await test.submit(
            Self.client("a", answers: 0), Self.client("b", in: nil, answers: 1, displays: 2))
        try await test.submit(Self.client("c", answers: 0, at: tomorrow))
        func counts(_ change: (inout ResultsQuery) -> Void) async throws -> [Int] {
            let reading = try #require(try await test.results("recipe", change).messages?.first)
            let results = ResultsMaking(options: SurveyOptions(["o0", "o1"]), minimum: 1, text: { $0 })
                .results(of: "m", reading.answers, funnel: reading.funnel, all: reading.wholeFunnel)
            return (results.total.counts.map { $0 ?? -1 }) + [reading.wholeFunnel.counts.first?.events ?? 0]
        }
        #expect(try await counts { _ in } == [2, 1, 4])
        #expect(try await counts { $0.to = CalendarDay(Self.now) } == [1, 1, 3])
        #expect(try await counts { $0.from = CalendarDay(tomorrow) } == [1, 0, 1])
        #expect(try await counts { $0.branch = "treatment" } == [2, 0, 2])
        #expect(try await counts { $0.branch = "recipe/treatment" } == [2, 0, 2])
        #expect(try await counts { $0.branch = "other" } == [0, 0, 0])
        #expect(try await counts { $0.locale = "en" } == [0, 0, 4])
    }

    @Test func `Clients are counted by the branch that they enrolled in`() async throws {
        let test = try Self.store()
        func enroll(_ id: String, _ branch: Identifier?, in slug: Identifier = "recipe", at: Timestamp = Self.now)
            -> ClientChange<EventTally>
        {
            ClientChange(client: StoreUnderTest.client(id), now: at) { _, _ in
                let record = TelemetryRecord(
                    at: at, clientID: Identifier(id), category: "nimbus_events",
                    name: branch == nil ? "enroll_failed" : "enrollment",
                    extra: [:], experiment: slug, branch: branch)
                return ChangeOutcome(records: [record], result: EventTally())
            }
        }
        let tomorrow = Self.now.adding(seconds: Timestamp.secondsPerDay)
        try await test.submit(
            enroll("a", "x"), enroll("b", "x"), enroll("c", "y"), enroll("d", nil), enroll("e", "x", in: "other"))
        try await test.submit(enroll("a", "x", at: tomorrow), enroll("f", "y", at: tomorrow))
        #expect(try await test.results("recipe").enrollment == nil)
        let all = try #require(try await test.results("recipe") { $0.countsEnrollment = true }.enrollment)
        #expect(all.clients == ["x": 2, "y": 2] && all.coverage == .everything)
        let first = try await test.results("recipe") { ($0.countsEnrollment, $0.to) = (true, CalendarDay(Self.now)) }
        #expect(first.enrollment?.clients == ["x": 2, "y": 1])
        let few = try #require(try await test.results("recipe", rows: 2) { $0.countsEnrollment = true }.enrollment)
        #expect(few.clients == ["x": 1, "y": 1] && few.coverage == .since(tomorrow))
    }

    @Test func nothingOfAnotherAppCounts() async throws {
        let test = try Self.store()
        let other = ClientChange(client: StoreUnderTest.client("z", app: "fenix"), now: Self.now) { _, _ in
            let record = TelemetryRecord(
                at: Self.now, clientID: "z", category: "messaging", name: "shown", extra: ["message_key": "m"])
            return ChangeOutcome(records: [record], result: EventTally())
        }
        try await test.submit(other)
        let reading = try #require(try await test.results("recipe").messages?.first)
        #expect(reading.funnel.isEmpty)
        #expect(reading.wholeFunnel.counts.isEmpty)
    }

    @Test func itReadsNoMoreThanItMay() async throws {
        let test = try Self.store()
        for id in 0..<6 { try await test.submit(Self.client("\(id)", answers: 0, displays: 10)) }
        let reading = try #require(try await test.results("recipe", rows: 20).messages?.first)
        #expect(reading.countsEveryAnswer)
        // 6 answers were read, and the 14 newest events are used: all of the last client, and one answer of the client
        // before.
        #expect(reading.wholeFunnel.counts[0].events == 10)
        #expect(reading.coverage == .since(Self.now))
        let few = try #require(try await test.results("recipe", rows: 3).messages?.first)
        #expect(!few.countsEveryAnswer)
        #expect(few.coverage == .since(nil))
    }

    @Test func retentionIsTold() async throws {
        let test = try Self.store()
        let later = Self.now.adding(seconds: 100)
        try await test.submit(Self.client("a", answers: 0))
        try await test.submit(Self.client("b", at: later))
        let policy = RetentionPolicy(telemetrySeconds: 50, eventIDSeconds: 50)
        await test.enforceRetention(policy, now: later)
        let reading = try #require(try await test.results("recipe").messages?.first)
        #expect(reading.coverage == .since(later))
        #expect(reading.wholeFunnel.counts[0].events == 1)
        await test.enforceRetention(policy, now: later.adding(seconds: 100))
        #expect(try await test.results("recipe").messages?.first?.coverage == .since(nil))
    }

    /// A database with an older schema: the branches of its answers come from the log.
    @Test func earlierAnswersGetTheirBranch() async throws {
        let directory = try TemporaryDirectory()
        let pool = try SQLitePool(path: directory.database)
        try pool.useWriter { try Migrations.apply(to: $0, upTo: "3 catalog") }
        try pool.write { database in
            try database.execute(
                """
                PRAGMA application_id = \(DatabaseFile.applicationID);
                INSERT INTO app (key, name) VALUES (1, '\(Self.app)');
                INSERT INTO client (key, app, id, version, state) VALUES (7, 1, 'a', 1, x''), (8, 1, 'b', 1, x'');
                INSERT INTO response (app, client, message, id, option_index, option_string_id, text, locale,
                    revision, submitted_at) VALUES (1, 7, 'm', 'r7', 0, 'o0', 't', 'de', 1, 0),
                    (1, 8, 'm', 'r8', 0, 'o0', 't', 'de', 1, 0);
                INSERT INTO telemetry (app, received_at, at, client_id, category, name, extra, experiment, branch)
                VALUES (1, 0, 0, 'a', 'microsurvey', 'submit_button_tapped', '{"survey_id":"m"}', 'recipe', 'x'),
                    (1, 0, 0, 'a', 'messaging', 'shown', '{"message_key":"m"}', NULL, NULL),
                    (1, 0, 0, 'a', 'behavior', 'visit', '{"message_key":"m"}', NULL, NULL);
                """)
        }
        pool.close()
        let test = try StoreUnderTest(directory)
        let rows = try test.store.database.read { database in
            try Prepared(database, "SELECT experiment, branch FROM response ORDER BY client")
                .all { [$0.optionalText(0), $0.optionalText(1)] }
        }
        #expect(rows == [["recipe", "x"], [nil, nil]])
        #expect(try test.count("telemetry WHERE message = 'm'") == 2)
        #expect(try test.count("sqlite_schema WHERE name = 'answered'") == 0)
    }

    @Test func aClosedStoreAnswersNothing() async throws {
        let test = try Self.store()
        test.store.close()
        await #expect(throws: StoreError.self) { try await test.results("recipe") }
    }
}

extension StoreUnderTest {
    fileprivate func results(
        _ recipe: Identifier, app: Identifier = StoreUnderTest.app, rows: Int = 1000,
        _ change: (inout ResultsQuery) -> Void = { _ in }
    ) async throws -> ResultsReading {
        var query = ResultsQuery(app: app, recipe: recipe, maximumRows: rows)
        change(&query)
        return try await withCheckedContinuation { done in
            persistence.readResults(query) { done.resume(returning: $0) }
        }.get()
    }
}
