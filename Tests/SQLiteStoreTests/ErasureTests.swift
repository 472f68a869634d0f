import BellwetherCore
import BellwetherJSON
import Foundation
import SQLiteWire
import TestSupport
import Testing

@testable import BellwetherService
@testable import SQLiteStore

/// Erasure of a client: only the log of the client's data remains.
struct ErasureTests {
    let client = StoreUnderTest.client("c1")

    private func answer(_ client: ClientReference, text: String = "Yes") -> ClientChange<EventTally> {
        ClientChange(client: client, eventIDs: ["answer"], answers: ["m"], now: StoreUnderTest.now) { state, _ in
            state.ledger["m"].isAnswered = true
            let response = SurveyResponse(
                id: "r", clientID: client.id, message: "m", requestID: nil, optionIndex: 0, optionStringID: "o",
                text: text, locale: "en", revision: 1, submittedAt: StoreUnderTest.now)
            let record = TelemetryRecord(
                at: StoreUnderTest.now, clientID: client.id, category: "microsurvey", name: "x", extra: [:])
            return ChangeOutcome(records: [record], responses: [response], result: EventTally())
        }
    }

    @Test func stateAnswersAndEventIDsGoAndTheLogStays() async throws {
        let test = try StoreUnderTest()
        let other = StoreUnderTest.client("c2")
        try await test.submit(answer(client), answer(other))
        let log = try await test.telemetry().rows
        #expect(try await test.erase(client) == .erased)
        #expect(try test.count("client") == 1)
        #expect(try test.count("response") == 1)
        #expect(try test.count("event_id") == 1)
        #expect(try await test.telemetry().rows == log)
        #expect(try await test.load(other)?.ledger["m"].isAnswered == true)
        let next = try test.reopened()
        #expect(try await next.load(client) == nil)
        #expect(try await next.telemetry().rows == log)
    }

    @Test func theTableForgetsAndWhatComesNextFindsAnEmptyState() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client, ids: ["1", "2"]))
        #expect(try await test.erase(client) == .erased)
        guard case .absent = test.persistence.lookUp(client) else { return #expect(Bool(false), "still held") }
        let tally = try await test.submit(StoreUnderTest.displays(client, ids: ["1"]))
        #expect(tally.map(\.accepted) == [1])
        #expect(try await test.displayCount(of: client) == 1)
        #expect(try await test.reopened().displayCount(of: client) == 1)
    }

    /// Workers cache decisions by the version of a client's state. If a version were issued again, the old decisions
    /// would be used.
    @Test func aVersionIsNotGivenAgain() async throws {
        let test = try StoreUnderTest()
        for _ in 0..<3 { try await test.submit(StoreUnderTest.displays(client)) }
        let before = try #require(test.persistence.version(of: client))
        try await test.submit(StoreUnderTest.displays(StoreUnderTest.client("c2")))
        #expect(try await test.erase(client) == .erased)
        try await test.submit(StoreUnderTest.displays(client))
        let after = try #require(test.persistence.version(of: client))
        #expect(after > before)
        try await test.submit(StoreUnderTest.displays(client), StoreUnderTest.displays(StoreUnderTest.client("c2")))
        #expect(try await test.reopened().displayCount(of: client) == 2)
    }

    @Test func anotherClientThatGetsTheNumberGetsNothingElse() async throws {
        let test = try StoreUnderTest()
        try await test.submit(answer(client))
        let row = try test.key(of: client)
        #expect(try await test.erase(client) == .erased)
        let heir = StoreUnderTest.client("heir")
        #expect(try await test.submit(StoreUnderTest.displays(heir, ids: ["answer"])).map(\.accepted) == [1])
        #expect(try test.key(of: heir) == row)
        try await test.submit(answer(heir))
        #expect(try test.count("response") == 1)
    }

    @Test func nothingIsErasedTwiceAndAnAppThatNeverWasIsTold() async throws {
        let test = try StoreUnderTest()
        #expect(try await test.erase(client) == .unknownApp)
        try await test.submit(answer(client))
        #expect(try await test.erase(StoreUnderTest.client("c2")) == .nothing)
        #expect(try await test.erase(client) == .erased)
        #expect(try await test.erase(client) == .nothing)
        #expect(try await test.erase(StoreUnderTest.client("c1", app: "fenix")) == .unknownApp)
    }

    @Test func aLoadThatBeganBeforeDoesNotBringTheClientBack() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client))
        let stored = try #require(try test.store.read(RowQuery(names: [.client(client)])).rows.first?.get())
        let load = test.persistence.table.beginLoad(client)
        #expect(try await test.erase(client) == .erased)
        guard case .client(let state) = stored.value else { return #expect(Bool(false), "no client") }
        _ = test.persistence.table.finish(load, StoredClient(version: stored.version, state: state))
        guard case .absent = test.persistence.lookUp(client) else { return #expect(Bool(false), "back again") }
    }

    @Test func nothingIsLeftInTheFile() async throws {
        let test = try StoreUnderTest()
        let secret = "zq-the-answer-that-must-go"
        let change = ClientChange(client: client, eventIDs: ["\(secret)-id"], now: StoreUnderTest.now) { state, _ in
            state.behavior.record("\(secret)-event", count: 1, at: StoreUnderTest.now)
            return ChangeOutcome(result: EventTally())
        }
        let bystanders = (0..<50).map { StoreUnderTest.displays(StoreUnderTest.client("b\($0)"), ids: ["\($0)"]) }
        _ = await test.submitTogether([[change], bystanders])
        #expect(try await test.erase(client) == .erased)
        test.store.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: test.directory.database))
        #expect(file.range(of: Data(secret.utf8)) == nil)
        #expect(file.range(of: Data("b49".utf8)) != nil)
    }

    /// The audit record names the client by its digest, and never by its id.
    @Test func theAuditTellsOfItInTheSameTransaction() async throws {
        let test = try StoreUnderTest()
        let secretive = StoreUnderTest.client("somebody")
        try await test.submit(answer(secretive))
        #expect(try await test.erase(secretive) == .erased)
        #expect(try await test.erase(secretive) == .nothing)
        let records = try await test.audit()
        #expect(records.count == 1)
        let members = try JSONValue(parsing: try #require(records.first).text).object ?? [:]
        let expected: JSONObject = ["by": "test", "action": "erase", "kind": "client", "app": "firefox-ios"]
        for (key, value) in expected { #expect(members[key] == value) }
        #expect(members["client"] == .string(Digest.hex(Array("ydobemos".utf8))))
        #expect(!String(decoding: records[0].text, as: UTF8.self).contains("somebody"))
        #expect(try AuditArchive(directory: test.directory.path).verify().get().sequence == 1)
    }

    @Test func whatTheAuditDoesNotTakeDoesNotHappen() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client))
        try test.write(
            "CREATE TRIGGER refusal BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'told to'); END")
        await #expect(throws: StoreError.self) { try await test.erase(client) }
        #expect(try test.count("client") == 1)
        #expect(try await test.displayCount(of: client) == 1)
        await #expect(throws: StoreError.self) { try await test.keep("new", 0) }
        #expect(try await test.consumers() == [])
    }

    @Test func aClosedStoreErasesNothing() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client))
        test.store.close()
        await #expect(throws: StoreError.self) { try await test.erase(client) }
    }

    /// A database with an older schema, in which the path of a reply names its subject.
    @Test func whatAnEarlierVersionKeptIsErasedToo() async throws {
        let directory = try TemporaryDirectory()
        let pool = try SQLitePool(path: directory.database)
        try pool.useWriter { try Migrations.apply(to: $0, upTo: "12 files") }
        let run: JSONValue = [
            "id": "r", "slug": "s", "kind": "survey", "revision": 1, "status": "new", "answers": [:],
            "created_at": 0, "updated_at": 0, "client": "c1",
        ]
        let paths = ["runs/r/chat", "runs/r/advance", "runs/q/chat", "responses#c1", "responses#c2", "recipes/r"]
        let columns = "(token, path, name, digest, status, body, at)"
        try pool.write { database in
            try database.execute(
                """
                PRAGMA application_id = \(DatabaseFile.applicationID);
                INSERT INTO app (key, name) VALUES (1, 'firefox-ios');
                INSERT INTO run (app, id, version, slug, status, is_dev, created_at, updated_at, body)
                    VALUES (1, 'r', 1, 's', 'new', 0, 0, 0, CAST('\(run.text)' AS BLOB));
                INSERT INTO current_run (app, slug, respondent, version, run)
                    VALUES (1, 's', 'client:c1', 1, 'r'), (1, 't', 'client:c1', 1, NULL), (1, 't', 'user:u', 1, NULL);
                """)
            for path in paths {
                try Prepared(database, "INSERT INTO idempotency \(columns) VALUES ('t', ?, 'k', x'', 200, x'', 0)")
                    .run(.text("/v1/apps/firefox-ios/" + path))
            }
        }
        pool.close()
        let test = try StoreUnderTest(directory)
        #expect(try test.count("current_run") == 1)
        #expect(try await test.erase(client) == .erased)
        #expect(try test.count("run") == 0)
        #expect(try test.count("current_run") == 0)
        let left = try test.store.database.read {
            try $0.texts("SELECT path FROM idempotency ORDER BY key")
        }
        #expect(left == [2, 4, 5].map { "/v1/apps/firefox-ios/" + paths[$0] })
    }
}
