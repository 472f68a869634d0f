import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Logging
import StoreSupport
import Surveys
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Random actions on the same runs at two daemons over one store. One daemon may die while it calls the owner's server.
/// The responses and the calls must be the same as if the actions ran one after another
/// (docs/reference/flows.md#one-action-after-another).
@Suite struct ActionClaimModelTests {
    private static let seeds: UInt64 = 60

    @Test func `Actions at two nodes are as the same ones one after another`() async throws {
        for seed in 0..<Self.seeds {
            let world = try await ClaimWorld(seed: seed, sharing: .asked)
            #expect(try await world.differences() == [], "seed \(seed)")
        }
    }

    /// A daemon that assumes that it is the only one on the store claims nothing.
    @Test func `Without claims the owner's server is asked twice`() async throws {
        var found: [String] = []
        for seed in 0..<Self.seeds where found.isEmpty {
            found = try await ClaimWorld(seed: seed, sharing: .ofOneProcess).differences()
        }
        #expect(found.contains { $0.hasPrefix("calls") })
    }

    @Test func `A node that stops keeping up its claims loses them`() async throws {
        let world = try await ClaimWorld(seed: 1, sharing: .asked)
        #expect(try await world.callsOfOneAction(forgetting: false) == 1)
        let other = try await ClaimWorld(seed: 1, sharing: .asked)
        #expect(try await other.callsOfOneAction(forgetting: true) == 2)
    }
}

/// The scheduled jobs of the daemons, in simulated time.
private final class Agenda: Sendable {
    private struct Entry {
        let due: Int64
        let node: Int
        let job: @Sendable () -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var milliseconds: Int64 = 0
    }

    private let state = Mutex(State())

    var milliseconds: Int64 { state.withLock { $0.milliseconds } }

    func add(_ seconds: Double, of node: Int, _ job: @escaping @Sendable () -> Void) {
        guard seconds > 0 else { return job() }
        state.withLock { state in
            let due = state.milliseconds + Int64(seconds * 1000)
            state.entries.append(Entry(due: due, node: node, job: job))
        }
    }

    /// Removes the earliest job and moves the clock to its time.
    func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let index = state.entries.indices.min(by: { state.entries[$0].due < state.entries[$1].due }) else {
                return nil
            }
            let entry = state.entries.remove(at: index)
            state.milliseconds = max(state.milliseconds, entry.due)
            return entry.job
        }
    }

    /// Removes all jobs of a daemon.
    func drop(_ node: Int) { state.withLock { $0.entries.removeAll { $0.node == node } } }
}

/// The owner's server, as called by one daemon. The test decides when a call gets its response.
private final class HeldSender: WebhookSending {
    struct Call {
        let id: String
        let completion: WebhookCompletion
    }

    let asked = Mutex<[String]>([])
    let pending = Mutex<[Call]>([])
    private let answersAtOnce: Bool

    init(answersAtOnce: Bool = false) { self.answersAtOnce = answersAtOnce }

    func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion) {
        let id = request.headers.first { $0.name == "webhook-id" }?.value ?? ""
        asked.withLock { $0.append(id) }
        guard !answersAtOnce else { return completion(.success(Self.answer)) }
        pending.withLock { $0.append(Call(id: id, completion: completion)) }
    }

    static let answer = WebhookResponse(status: 200, body: (["action": "proceed"] as JSONValue).encoded)
}

private final class ClaimNode: Sendable {
    let sender: HeldSender
    let driver: ActionDriver

    /// - Parameter number: the number of the node, for its jobs in the agenda.
    init(_ store: TestStore, _ agenda: Agenda, number: Int = 0, answersAtOnce: Bool = false) throws {
        let sender = HeldSender(answersAtOnce: answersAtOnce)
        self.sender = sender
        let persistence = Persistence(store, threads: .inPlace)
        let publisher = Publisher(store: store, clock: store.clock, logger: Persistence.silent)
        _ = try publisher.start(FileCatalog())
        let hooks = HookCaller(
            sender: sender, secrets: WebhookSecrets(), userAgent: "test", clock: store.clock,
            timer: { agenda.add($0, of: number, $1) })
        driver = ActionDriver(
            persistence, publisher, hooks: hooks, clock: store.clock,
            timer: { agenda.add($0, of: number, $1) })
    }
}

private struct ClaimRequest: Sendable, Hashable {
    let run: Int
    let step: Identifier
    let id: String
}

/// Two daemons, their simulated time, and requests to them.
private final class ClaimWorld {
    private static let app: Identifier = "sample"
    private static let start: Int64 = 1_790_000_000_000
    private static let runs = 3
    private static let maximumSteps = 5000
    private static let recipe: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            ["id": "a", "type": "welcome", "hook": hook, "config": ["title": "A"]],
            ["id": "b", "type": "welcome", "render_hook": hook, "hook": hook, "config": ["title": "B"]],
            ["id": "c", "type": "welcome", "config": ["title": "C"]],
        ],
    ]
    private static let hook: JSONValue = ["webhook_url": "https://owner.example/hook", "timeout_ms": 10_000]

    private let store: TestStore
    private let agenda = Agenda()
    private var nodes: [ClaimNode] = []
    private let flow: FlowContent
    private let snapshot: AppSnapshot
    private var random: SeededGenerator
    /// The outcomes, in the order in which they were reported.
    private let told = ReportedOutcomes()
    private var open: [(request: ClaimRequest, node: Int, isReported: AnsweredFlag)] = []
    private var crashedCalls: [String] = []

    init(seed: UInt64, sharing: TestStore.Sharing) async throws {
        random = SeededGenerator(seed: seed)
        (store, flow, snapshot) = try await Self.makeStore(sharing)
        nodes = try (0..<2).map { try ClaimNode(store, agenda, number: $0) }
    }

    /// A store with the recipe and the runs.
    private static func makeStore(_ sharing: TestStore.Sharing) async throws -> (
        TestStore, FlowContent, AppSnapshot
    ) {
        let store = TestStore(sharing: sharing)
        store.set(time: Timestamp(milliseconds: start))
        let publisher = Publisher(store: store, clock: store.clock, logger: Persistence.silent)
        _ = try publisher.start(FileCatalog())
        for change in [
            PublishRequest.Change.putManifest(SampleManifest.with().encoded),
            .putRecipe(slug: "tour", recipe.encoded, asDraft: false),
        ] {
            await withCheckedContinuation { done in
                publisher.publish(PublishRequest(app: app, change: change)) { _ in
                    (200, [])
                } completion: { _ in
                    done.resume()
                }
            }
        }
        guard let snapshot = publisher.app(app), let flow = snapshot.recipes["tour"]?.flow else {
            throw Failure("no flow")
        }
        let node = try ClaimNode(store, Agenda(), answersAtOnce: true)
        for run in 0..<runs {
            let ids = RespondentIDs(app: app, clientID: "client\(run)", userID: nil)
            let request = StartFlow.Request(ids, FlowStart(), newID: "run\(run)")
            let start = StartFlow(request, of: "tour", flow, in: snapshot, now: store.clock.now())
            start.run(by: node.driver) { _ in }
        }
        return (store, flow, snapshot)
    }

    private func take(_ request: ClaimRequest, at node: Int) {
        let flag = AnsweredFlag()
        open.append((request, node, flag))
        take(request, at: nodes[node]) { [told] answer in
            flag.isSet.store(true, ordering: .releasing)
            told.all.withLock { $0.append((request, answer)) }
        }
    }

    private func take(
        _ request: ClaimRequest, at node: ClaimNode, _ completion: @escaping @Sendable (String) -> Void
    ) {
        let reference = RunReference(app: Self.app, id: "run\(request.run)")
        let advance = AdvanceFlow.Request(.action(FlowAction(.next, at: request.step)), of: reference, webhookID: "w")
        var action = AdvanceFlow(
            advance, slug: "tour", flow, in: snapshot, now: Timestamp(milliseconds: Self.start))
        action.claim = IdempotencyClaim(
            token: "t", path: reference.id, key: Identifier(request.id), bodyDigest: Array(request.step.utf8))
        action.reply = { run, _, _ in Array((run.flow?.path.map(\.text).joined(separator: ">") ?? "").utf8) }
        action.run(by: node.driver) { completion(Self.text($0)) }
    }

    private static func text(_ result: Result<AdvanceFlow.Outcome, StoreError>) -> String {
        switch result {
        case .success(.advanced(let run, _)): run.flow?.path.map(\.text).joined(separator: ">") ?? "no flow"
        case .success(.replayed(let reply)): String(decoding: reply.body, as: UTF8.self)
        case .success(.refused(let refusal, let run)): "\(refusal) at \(run.flow?.path.last ?? "nowhere")"
        case .success(let outcome): "\(outcome)"
        case .failure(let error): "\(error)"
        }
    }

    /// The differences from the same actions run one after another, in the order of the reported outcomes.
    func differences() async throws -> [String] {
        try play()
        let (single, _, _) = try await Self.makeStore(.ofOneProcess)
        let node = try ClaimNode(single, Agenda(), answersAtOnce: true)
        var differences: [String] = []
        for (request, answer) in told.all.withLock({ $0 }) {
            let expected = Mutex("nothing")
            take(request, at: node) { text in expected.withLock { $0 = text } }
            let wanted = expected.withLock { $0 }
            if answer != wanted { differences.append("answers: \(request): \(answer) for \(wanted)") }
        }
        var asked = nodes.flatMap { $0.sender.asked.withLock { $0 } }
        // The call of a daemon that died is repeated under the same id.
        for id in crashedCalls { if let index = asked.firstIndex(of: id) { asked.remove(at: index) } }
        let wanted = node.sender.asked.withLock { $0 }
        if asked.sorted() != wanted.sorted() { differences.append("calls: \(asked.count) for \(wanted.count)") }
        return differences
    }

    private func play() throws {
        var waiting = (0..<16).map { _ in newRequest() }
        let crash = Int.random(in: 0..<60, using: &random)
        for step in 0..<Self.maximumSteps {
            if step == crash { try self.crash(Int.random(in: 0...1, using: &random)) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !waiting.isEmpty: take(waiting.removeFirst(), at: Int.random(in: 0...1, using: &random))
            case 1: answerACall()
            default: passTime()
            }
            if waiting.isEmpty, open.allSatisfy({ $0.isReported.isSet.load(ordering: .acquiring) }) { return }
        }
        throw Failure("an action has no end")
    }

    /// A random request. Some repeat the id of another request, and some are for a step that the run has left.
    private func newRequest() -> ClaimRequest {
        let run = Int.random(in: 0..<Self.runs, using: &random)
        let step = ["a", "b"].randomElement(using: &random) ?? "a"
        return ClaimRequest(
            run: run, step: Identifier(step), id: "\(run)-\(step)-\(Int.random(in: 0..<2, using: &random))")
    }

    private func answerACall() {
        for node in nodes.shuffled(using: &random) {
            let call = node.sender.pending.withLock { calls -> HeldSender.Call? in
                guard !calls.isEmpty else { return nil }
                return calls.remove(at: Int.random(in: 0..<calls.count, using: &random))
            }
            if let call { return call.completion(.success(HeldSender.answer)) }
        }
    }

    private func passTime() {
        guard let job = agenda.next() else { return }
        store.set(time: Timestamp(milliseconds: Self.start + agenda.milliseconds))
        job()
    }

    /// Stops a daemon and drops all its work. Its clients repeat their requests at the other daemon.
    private func crash(_ index: Int) throws {
        let dead = nodes[index]
        let asked = dead.sender.asked.withLock(\.self)
        dead.sender.pending.withLock { $0 = [] }
        agenda.drop(index)
        let lost = open.filter { $0.node == index && !$0.isReported.isSet.load(ordering: .acquiring) }
        open.removeAll { $0.node == index && !$0.isReported.isSet.load(ordering: .acquiring) }
        crashedCalls += callsWithoutEnd(lost.map(\.request)).filter(asked.contains)
        nodes[index] = try ClaimNode(store, agenda, number: index)
        nodes[index].sender.asked.withLock { [asked] in $0 = asked }
        for (request, _, _) in lost { take(request, at: 1 - index) }
    }

    /// The calls that actions without an outcome may have made.
    private func callsWithoutEnd(_ requests: [ClaimRequest]) -> Set<String> {
        let ended = told.all.withLock { $0.filter { !$0.answer.contains(" at ") }.map(\.request) }
        var ids: Set<String> = []
        for request in requests where !ended.contains(request) {
            for (step, occasion) in [(request.step, "advance"), ("b", "render")] {
                let texts: [Identifier] = [
                    Self.app, "run\(request.run)", step, Identifier(request.id), Identifier(occasion),
                ]
                ids.insert(WebhookID.make(of: texts.map { Array($0.text.utf8) }).text)
            }
        }
        return ids
    }

    /// The number of calls when both daemons get the same action and the owner's server needs half a minute.
    ///
    /// - Parameter forgetting: whether the first daemon's timers are dropped.
    func callsOfOneAction(forgetting: Bool) async throws -> Int {
        let request = ClaimRequest(run: 0, step: "a", id: "one")
        take(request, at: 0)
        take(request, at: 1)
        let deadline = store.clock.now().adding(seconds: 30)
        while store.clock.now() < deadline {
            if forgetting { agenda.drop(0) }
            passTime()
        }
        return nodes.reduce(0) { $0 + $1.sender.asked.withLock(\.count) }
    }
}

private final class ReportedOutcomes: Sendable {
    let all = Mutex<[(request: ClaimRequest, answer: String)]>([])
}

private final class AnsweredFlag: Sendable {
    let isSet = Atomic<Bool>(false)
}
