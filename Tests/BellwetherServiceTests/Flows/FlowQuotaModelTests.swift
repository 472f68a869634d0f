import BellwetherBase
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Compares actions in many runs of a flow with a quota at several nodes at once and one after another: the places that
/// are taken, released and taken again must be equal (docs/reference/flows.md#quotas), and so must be the notices that
/// the quota is full (docs/reference/http-api.md#notices).
///
/// The test also runs a store that compares no versions, and must detect it.
@Suite struct FlowQuotaModelTests {
    private static let seeds: [StoreKind: UInt64] = [.memory: 12, .sqlite: 3, .postgres: 2]

    @Test(arguments: StoreKind.allCases)
    func placesOfAFlowsQuotaAreThoseOfOneNode(_ kind: StoreKind) async throws {
        for seed in 0..<(Self.seeds[kind] ?? 0) {
            let store = try ContractStore(kind)
            let world = try await FlowQuotaWorld(seed: seed, store.store)
            for phase in FlowQuotaWorld.Phase.allCases {
                let expected = try world.expect(phase)
                #expect(try await world.play(phase) == expected, "seed \(seed), \(phase)")
                #expect(try await world.taken() == expected.taken, "seed \(seed), \(phase)")
                #expect(
                    try store.store.find(.pendingWebhooks, limit: 100).count == world.fills, "seed \(seed), \(phase)")
            }
        }
    }

    @Test func aStoreThatComparesNoVersionsOverrunsAFlowsQuota() async throws {
        var mostTaken = 0
        for seed in 0..<8 where mostTaken <= FlowQuotaWorld.limit {
            let store = TestStore(sharing: .asked)
            let world = try await FlowQuotaWorld(seed: UInt64(seed), store, comparingVersions: false)
            mostTaken = max(mostTaken, try await world.play(.answer).taken)
        }
        #expect(mostTaken > FlowQuotaWorld.limit)
    }
}

/// Three nodes over one store, with active runs.
private final class FlowQuotaWorld {
    static let limit = 8
    private static let runs = 48

    enum Phase: CaseIterable {
        /// Half of the runs answer.
        case answer
        /// Some of the runs with a place are dismissed.
        case dismiss
        /// The other half of the runs answers.
        case answerLater
    }

    /// The counts after a phase.
    struct Count: Hashable {
        /// The runs that have a place.
        var taken = 0
        /// The runs that continued without a place, and the runs that were screened out.
        var (others, screenedOut) = (0, 0)
    }

    private static let when: JSONValue = ["ref": "step.a.n", "op": "eq", "value": 5]
    private static let notices: JSONValue = [["url": "https://hooks.example/full", "on": ["full"]]]
    private static let scene = Scene(
        manifest: SampleManifest.with(["notices": notices]),
        recipes: [
            "tour": [
                "kind": "flow", "id": "tour", "name": "Tour",
                "steps": [
                    ["id": "a", "type": "form", "config": ["fields": [["id": "n", "type": "number"]]]],
                    ["id": "b", "type": "welcome", "config": ["title": "B"]],
                ],
                "offer": [
                    "surface": "homescreen", "text": "?",
                    "pacing": ["quotas": [["name": "five", "when": when, "limit": .integer(Int64(limit))]]],
                ],
            ]
        ])

    private let app: AppSnapshot
    private let flow: FlowContent
    private let nodes: [Persistence]
    private let plain: Persistence
    private let answers: [Int64]
    private var random: SeededGenerator
    /// The last known state of each run.
    private var states: [State]
    private var dismissals: [Int] = []
    /// How often the last place was taken.
    private(set) var fills = 0

    private enum State { case open, taken, other, screenedOut, dismissed }

    init(seed: UInt64, _ store: any Store, comparingVersions: Bool = true) async throws {
        var random = SeededGenerator(seed: seed)
        answers = (0..<Self.runs).map { _ in Int.random(in: 0..<3, using: &random) > 0 ? 5 : 1 }
        self.random = random
        states = Array(repeating: .open, count: Self.runs)
        app = try #require(Self.scene.snapshot)
        flow = try #require(app.recipes["tour"]?.flow)
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        nodes = (0..<3).map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        plain = Persistence(store)
        let (app, flow) = (app, flow)
        _ = try await submit(Array(0..<Self.runs), to: [plain]) { number -> Transaction<ActionStep<StartFlow>> in
            let ids = RespondentIDs(app: Scene.app, clientID: "client\(number)", userID: nil)
            let request = StartFlow.Request(ids, FlowStart(), newID: "run\(number)")
            return StartFlow(request, of: "tour", flow, in: app, now: Scene.start).transaction
        }
    }

    private func submit<Value: Sendable>(
        _ numbers: [Int], to nodes: [Persistence], _ transaction: (Int) -> Transaction<Value>
    ) async throws -> [Value] {
        let results = await withCheckedContinuation { done in
            let told = ResultCollector<Value>(count: numbers.count) { done.resume(returning: $0) }
            for (place, number) in numbers.enumerated() {
                nodes[place % nodes.count].submit(transaction(number)) { told.add($0, at: place) }
            }
        }
        return try results.map { try $0.get() }
    }

    /// The counts if the actions of the phase run one after another, in any order.
    func expect(_ phase: Phase) throws -> Count {
        var count = self.count
        if phase == .dismiss {
            let taken = states.indices.filter { states[$0] == .taken }
            dismissals = Array(taken.shuffled(using: &random).prefix(3))
            count.taken -= dismissals.count
            return count
        }
        for number in numbers(phase) {
            if answers[number] != 5 {
                count.others += 1
            } else if count.taken < Self.limit {
                count.taken += 1
                if count.taken == Self.limit { fills += 1 }
            } else {
                count.screenedOut += 1
            }
        }
        return count
    }

    private func numbers(_ phase: Phase) -> [Int] {
        switch phase {
        case .answer: Array(0..<Self.runs / 2)
        case .dismiss: dismissals
        case .answerLater: Array(Self.runs / 2..<Self.runs)
        }
    }

    private var count: Count {
        var count = Count()
        count.taken = states.count { $0 == .taken }
        count.others = states.count { $0 == .other }
        count.screenedOut = states.count { $0 == .screenedOut }
        return count
    }

    func play(_ phase: Phase) async throws -> Count {
        let (app, flow, answers, numbers) = (app, flow, answers, numbers(phase))
        let steps = try await submit(numbers, to: nodes) { number -> Transaction<ActionStep<AdvanceFlow>> in
            let run = RunReference(app: Scene.app, id: "run\(number)")
            let action = FlowAction(.next, at: "a", ["n": .integer(answers[number])])
            let change: AdvanceFlow.Change = phase == .dismiss ? .dismiss : .action(action)
            return AdvanceFlow(
                AdvanceFlow.Request(change, of: run, webhookID: "w\(number)"), slug: "tour", flow, in: app,
                now: Scene.start
            ).transaction
        }
        for (number, step) in zip(numbers, steps) {
            guard case .done(.advanced(let run, _)) = step else { throw SceneError() }
            states[number] =
                switch (run.status, run.quotas.isEmpty) {
                case (.screenedOut, _): .screenedOut
                case _ where phase == .dismiss: .dismissed
                case (_, false): .taken
                case (_, true): .other
                }
        }
        return count
    }

    /// The places that the store counts.
    func taken() async throws -> Int {
        let levels = await withCheckedContinuation { done in
            plain.readLimits(of: "tour", in: app) { done.resume(returning: $0) }
        }
        return try levels.get().quotas.first { $0.name == "five" }?.level.taken ?? -1
    }
}
