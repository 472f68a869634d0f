import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Tallies and references that differ from the runs are corrected while writes go on (docs/reliability.md#recounts).
@Suite struct RecountTests {
    private static let limit = 40
    private static let scene = Scene(recipes: [
        "q": [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "n", "type": "rating", "title": "?", "scale": 5]]],
            "offer": [
                "surface": "homescreen", "text": "?",
                "pacing": [
                    "quotas": [
                        [
                            "name": "five", "when": ["ref": "answer.n", "op": "eq", "value": 5],
                            "limit": .integer(Int64(limit)),
                        ]
                    ]
                ],
            ],
        ]
    ])
    private static let name = RowName.tally(app: Scene.app, key: "q")

    private let schedule = JobSchedule()
    private var random = SeededGenerator(seed: 1)

    private func node(_ store: any Store) -> Persistence { Persistence(store, threads: schedule.threads()) }

    private func save(_ number: Int, at node: Persistence) throws {
        let app = try #require(Self.scene.snapshot)
        let recipe = try #require(app.recipes["q"])
        let ids = RespondentIDs(app: Scene.app, clientID: "client\(number)", userID: nil)
        let request = SaveRun.Request(
            ids: ids, slug: "q", save: RunSave(answers: ["n": 5], isComplete: number.isMultiple(of: 2)),
            newID: "run\(number)", webhookID: "w\(number)")
        SaveRun(request, of: recipe, try #require(recipe.survey), in: app, now: Scene.start)
            .run(by: ActionDriver(node)) { _ in }
    }

    /// Stores a count of places that no run has, or misses some that runs have.
    private func falsify(_ store: any Store, by places: Int) throws {
        let row = try store.row(Self.name)
        var tally = if case .tally(let tally)? = row?.value { tally } else { Tally() }
        tally.slots["five", default: 0] += places
        let write = RowWrite(name: Self.name, expected: row?.version ?? 0, value: .tally(tally))
        guard case .written? = try store.write([WriteGroup([write])]).first else { throw Failure("not written") }
    }

    private func taken(_ store: any Store) throws -> Int {
        guard case .tally(let tally)? = try store.value(of: Self.name) else { return 0 }
        return tally.slots["five"] ?? 0
    }

    private func recount(at node: Persistence, holder: String = "a") {
        RecountSlots(in: node, holding: Identifier(holder), now: Scene.start).run()
    }

    /// The jobs of a recount and of saves run in random order.
    @Test(arguments: StoreKind.allCases, [-3, 4, 20])
    mutating func aWrongCountIsCorrectedWhileSavesRun(_ kind: StoreKind, _ places: Int) throws {
        let test = try ContractStore(kind)
        let node = node(test.store)
        for number in 0..<6 { try save(number, at: node) }
        schedule.runAll(using: &random)
        try falsify(test.store, by: places)
        recount(at: node)
        for number in 6..<12 {
            try save(number, at: node)
            for _ in 0..<Int.random(in: 0..<3, using: &random) { schedule.runOne(using: &random) }
        }
        schedule.runAll(using: &random)
        #expect(try taken(test.store) == 12 && node.statistics.corrections == 1)
        recount(at: node)
        schedule.runAll(using: &random)
        #expect(try taken(test.store) == 12 && node.statistics.corrections == 1, "nothing is wrong any more")
    }

    /// A process that has lost its lease during a recount applies nothing: the other one has corrected the count.
    @Test mutating func twoProcessesCorrectACountOnce() throws {
        let store = TestStore(sharing: .asked)
        let (first, second) = (node(store), node(store))
        try save(0, at: first)
        schedule.runAll(using: &random)
        try falsify(store, by: 7)
        recount(at: first)
        // It has taken the lease.
        while first.statistics.submissions < 2 { schedule.runOne(using: &random) }
        let late = Scene.start.adding(seconds: RecountSlots.leaseSeconds)
        RecountSlots(in: second, holding: "b", now: late).run()
        schedule.runAll(using: &random)
        #expect(try taken(store) == 1)
        #expect(first.statistics.corrections + second.statistics.corrections == 1)
    }

    @Test(arguments: StoreKind.allCases)
    mutating func anExpiredResponseKeepsItsPlace(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let node = node(test.store)
        for number in 0..<4 { try save(number, at: node) }
        schedule.runAll(using: &random)
        let run = RunReference(app: Scene.app, id: "run2")
        ChangeRun(.expire, of: run, by: "", now: Scene.start).run(in: node) { _ in }
        schedule.runAll(using: &random)
        recount(at: node)
        schedule.runAll(using: &random)
        #expect(try taken(test.store) == 4 && node.statistics.corrections == 0)
    }
}
