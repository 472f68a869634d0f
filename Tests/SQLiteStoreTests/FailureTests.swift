import BellwetherCore
import BellwetherJSON
import BellwetherService
import Testing

@testable import SQLiteStore

/// Transactions that fail: they change everything or nothing, and report it, and the next one is tried again.
struct FailureTests {
    let client = StoreUnderTest.client("c1")

    /// Fills the file up to its last page and forbids more pages.
    private func fillDisk(_ test: StoreUnderTest) throws { try test.write("PRAGMA max_page_count = 1") }

    private func emptyDisk(_ test: StoreUnderTest) throws { try test.write("PRAGMA max_page_count = 1000000") }

    private func largeChange(_ id: String) -> ClientChange<EventTally> {
        ClientChange(client: StoreUnderTest.client(id), eventIDs: ["large"], now: StoreUnderTest.now) { state, _ in
            for number in 0..<2000 { state.ledger["a message with a long key \(number)"].displayCount = 1 }
            return ChangeOutcome(result: EventTally())
        }
    }

    @Test func aFullDiskFailsTheBatchAndLeavesEverythingAsItWas() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client, ids: ["a"]))
        try fillDisk(test)
        let answers = await test.submitTogether([[StoreUnderTest.displays(client, ids: ["b"])], [largeChange("c2")]])
        for answer in answers {
            guard case .failure(.unavailable(let reason)) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(reason.contains("full"))
        }
        guard case .failing = test.store.health else { return #expect(Bool(false), "healthy") }
        guard case .known(let held) = test.persistence.lookUp(client) else { return #expect(Bool(false), "forgotten") }
        #expect(held.state?.ledger["m"].displayCount == 1)
        #expect(try await test.load(StoreUnderTest.client("c2")) == nil)
        #expect(try test.count("event_id") == 1)

        try emptyDisk(test)
        let again = try await test.submit(StoreUnderTest.displays(client, ids: ["b"]), largeChange("c2"))
        #expect(again.map(\.accepted) == [1, 0])
        #expect(test.store.health == .healthy)
        #expect(try await test.reopened().displayCount(of: client) == 2)
    }

    @Test func aFailingStoreIsFoundHealthyAgainWithoutAnyonesWrite() async throws {
        let test = try StoreUnderTest()
        try fillDisk(test)
        await #expect(throws: StoreError.self) { try await test.submit(largeChange("c2")) }
        guard case .failing = test.store.health else { return #expect(Bool(false), "healthy") }
        // The probe that this has started must fail too.
        test.finishWrites()
        guard case .failing = test.store.health else { return #expect(Bool(false), "healthy") }
        test.finishWrites()

        try emptyDisk(test)
        guard case .failing = test.store.health else { return #expect(Bool(false), "not probed yet") }
        test.finishWrites()
        #expect(test.store.health == .healthy)
    }

    @Test func aFailedPublishTellsAndRecovers() throws {
        let test = try StoreUnderTest()
        try fillDisk(test)
        let text = [UInt8](repeating: UInt8(ascii: " "), count: 100_000)
        let document = StoredDocument(revision: 1, source: .api, text: text, publishedAt: StoreUnderTest.now)
        #expect(throws: StoreError.self) { try test.store.publish([.manifest(app: "a", document)]) }
        #expect(try test.store.loadCatalog().apps.isEmpty)
        try emptyDisk(test)
        try test.store.publish([.manifest(app: "a", document)])
        #expect(try test.store.loadCatalog().apps.map(\.name) == ["a"])
    }

    private func answer(_ id: String) -> ClientChange<EventTally> {
        ClientChange(client: client, answers: ["survey"], now: StoreUnderTest.now) { _, _ in
            ChangeOutcome(responses: [ResponseTests.response(id)], result: EventTally())
        }
    }

    /// A second answer violates a constraint if `apply` does not look for the first one.
    @Test(arguments: [0, 1, 6, 12])
    func oneSubmissionDoesNotPoisonTheOthers(_ place: Int) async throws {
        let test = try StoreUnderTest()
        let (first, answer) = (answer("one"), answer("two"))
        try await test.submit(first)
        var submissions = (0..<12).map { number in [StoreUnderTest.displays(client, ids: ["\(number)"])] }
        submissions.insert([StoreUnderTest.displays(client, ids: ["poisoned"]), answer], at: place)
        let answers = await test.submitTogether(submissions)
        for (position, answer) in answers.enumerated() {
            #expect((try? answer.get()) != nil || position == place)
        }
        guard case .failure(.rejected) = answers[place] else { return #expect(Bool(false), "accepted") }
        #expect(test.store.health == .healthy)
        #expect(try test.count("event_id") == 12)
        #expect(try await test.reopened().displayCount(of: client) == 12)
    }

    @Test func aRowWrittenByAnotherIsReadAgainAndNotOverwritten() async throws {
        let test = try StoreUnderTest()
        try await test.submit(StoreUnderTest.displays(client))
        var other = ClientState()
        other.ledger["m"].displayCount = 40
        let hex = other.encoded().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try test.write("UPDATE client SET version = 9, state = x'\(hex)'")
        try await test.submit(StoreUnderTest.displays(client))
        #expect(test.persistence.version(of: client) == 10)
        #expect(try await test.displayCount(of: client) == 41)
    }
}
