import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import StoreSupport
import Surveys
import TestSupport
import Testing

/// Compares the same requests at several nodes at once and one after another: the counted displays of each client and
/// the used places of a quota must be equal.
///
/// The test also runs a store that compares no versions, and each of the two tests must detect it.
@Suite struct NodeModelTests {
    private static let cap: UInt32 = 5
    private static let limit: Int64 = 12
    private static let clients = 4
    static let seeds: [StoreKind: UInt64] = [.memory: 12, .sqlite: 4, .postgres: 3]

    private static func nodes(over store: any Store, _ comparingVersions: Bool) -> [Persistence] {
        // The faulty store needs overlapping writes to fail for certain; for the correct store the timing may vary.
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        return (0..<3).map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func displaysOfSeveralNodesAreThoseOfOne(_ kind: StoreKind) async throws {
        for seed in 0..<(Self.seeds[kind] ?? 0) {
            let test = try ContractStore(kind)
            let displays = Self.displays(seed)
            #expect(try await show(displays, test.store) == Self.shown(displays), "seed \(seed)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func placesOfAQuotaAreTakenOnceByAllNodes(_ kind: StoreKind) async throws {
        for seed in 0..<(Self.seeds[kind] ?? 0) {
            let test = try ContractStore(kind)
            let answers = Self.answers(seed)
            #expect(try await submit(answers, test.store) == Self.taken(answers), "seed \(seed)")
        }
    }

    @Test func aStoreThatComparesNoVersionsOverrunsACap() async throws {
        var mostShown = 0
        for seed in 0..<8 where mostShown <= Int(Self.cap) {
            let shown = try await show(
                Self.displays(UInt64(seed)), TestStore(sharing: .asked), comparingVersions: false)
            mostShown = shown.values.reduce(mostShown, max)
        }
        #expect(mostShown > Int(Self.cap))
    }

    @Test func aStoreThatComparesNoVersionsOverrunsAQuota() async throws {
        var mostTaken = 0
        for seed in 0..<8 where mostTaken <= Int(Self.limit) {
            let taken = try await submit(
                Self.answers(UInt64(seed)), TestStore(sharing: .asked), comparingVersions: false)
            mostTaken = max(mostTaken, taken.counted)
        }
        #expect(mostTaken > Int(Self.limit))
    }
}

/// The test with displays of messages that have a cap.
extension NodeModelTests {
    private struct Display: Sendable {
        let client: Int
        let id: Int
    }

    private static func displays(_ seed: UInt64) -> [Display] {
        var random = SeededGenerator(seed: seed)
        return (0..<120).map { _ in
            Display(
                client: Int.random(in: 0..<clients, using: &random), id: Int.random(in: 0..<40, using: &random))
        }
    }

    /// The number of displays that count for each client, one after another.
    private static func shown(_ displays: [Display]) -> [Int: Int] {
        var ids: [Int: Set<Int>] = [:]
        for display in displays { ids[display.client, default: []].insert(display.id) }
        return ids.mapValues { min($0.count, Int(cap)) }
    }

    private func show(
        _ displays: [Display], _ store: any Store, comparingVersions: Bool = true
    ) async throws -> [Int: Int] {
        let nodes = Self.nodes(over: store, comparingVersions)
        let results = await withCheckedContinuation { done in
            let answers = ResultCollector<[EventTally]>(count: displays.count) { done.resume(returning: $0) }
            for (number, display) in displays.enumerated() {
                nodes[number % nodes.count].submit(Transaction([Self.change(display)])) { answers.add($0, at: number) }
            }
        }
        var shown: [Int: Int] = [:]
        for (display, result) in zip(displays, results) {
            shown[display.client, default: 0] += try result.get().reduce(0) { $0 + $1.accepted }
        }
        return shown
    }

    private static func change(_ display: Display) -> ClientChange<EventTally> {
        let client = ClientReference(app: "app", id: "c\(display.client)")
        return ClientChange(client: client, eventIDs: ["id-\(display.id)"], now: SharedStoreTests.now) { state, input in
            var tally = EventTally()
            if input.isDuplicate[0] || state.ledger["m"].displayCount >= cap {
                tally.duplicates += 1
            } else {
                tally.accepted += 1
                state.ledger["m"].displayCount += 1
            }
            return ChangeOutcome(result: tally)
        }
    }
}

/// The test with answers to a questionnaire that has a quota.
extension NodeModelTests {
    private struct Taken: Hashable {
        /// The responses that the quota counts, and the others.
        var (counted, others) = (0, 0)
    }

    private static let isFive: JSONValue = ["ref": "answer.n", "op": "eq", "value": 5]
    private static let scene = Scene(recipes: [
        "q": [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "n", "type": "rating", "title": "?", "scale": 5]]],
            "offer": [
                "surface": "homescreen", "text": "?",
                "pacing": [
                    "quotas": [["name": "five", "when": isFive, "limit": .integer(limit)]]
                ],
            ],
        ]
    ])

    /// The answer of each respondent.
    private static func answers(_ seed: UInt64) -> [Int64] {
        var random = SeededGenerator(seed: seed)
        return (0..<60).map { _ in Bool.random(using: &random) ? 5 : 1 }
    }

    private static func taken(_ answers: [Int64]) -> Taken {
        var taken = Taken()
        taken.counted = min(answers.count { $0 == 5 }, Int(limit))
        taken.others = answers.count { $0 != 5 }
        return taken
    }

    private func submit(
        _ answers: [Int64], _ store: any Store, comparingVersions: Bool = true
    ) async throws -> Taken {
        let app = try #require(Self.scene.snapshot)
        let recipe = try #require(app.recipes["q"])
        let survey = try #require(recipe.survey)
        let nodes = Self.nodes(over: store, comparingVersions)
        let results = await withCheckedContinuation { done in
            let told = ResultCollector<SaveRun.Outcome>(count: answers.count) { done.resume(returning: $0) }
            for (number, answer) in answers.enumerated() {
                let ids = RespondentIDs(app: Scene.app, clientID: "client\(number)", userID: nil)
                let request = SaveRun.Request(
                    ids: ids, slug: "q", save: RunSave(answers: ["n": .integer(answer)], isComplete: true),
                    newID: "run\(number)", webhookID: "webhook\(number)")
                SaveRun(request, of: recipe, survey, in: app, now: Scene.start)
                    .run(by: ActionDriver(nodes[number % nodes.count])) { told.add($0, at: number) }
            }
        }
        var taken = Taken()
        for (answer, result) in zip(answers, results) {
            guard case .done(.saved(let saved, isNew: _)) = try result.get(), saved.wasSubmitted else { continue }
            if saved.run.status == .new { if answer == 5 { taken.counted += 1 } else { taken.others += 1 } }
        }
        return taken
    }
}
