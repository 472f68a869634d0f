import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Random actions at two daemons over one store, with random needs in random order. Their outcomes, the stored rows and
/// the allowances must be the same as if the actions ran one after another (ARCHITECTURE.md#an-action).
@Suite struct ActionDriverModelTests {
    private static let seeds: UInt64 = 80

    private func differences(_ fault: Errand.Fault? = nil) throws -> [String] {
        var differences: [String] = []
        for seed in 0..<Self.seeds where differences.isEmpty {
            differences = try ErrandWorld(seed: seed, fault).differences().map { "seed \(seed): \($0)" }
        }
        return differences
    }

    @Test func `Actions that need much in any order end as the same ones one after another`() throws {
        #expect(try differences() == [])
    }

    @Test(arguments: Errand.Fault.allCases)
    fileprivate func `An action with a fault ends otherwise`(_ fault: Errand.Fault) throws {
        let differences = try differences(fault)
        #expect(differences.contains { $0.contains(fault == .keepsAllowance ? "allowances" : "outcome") })
    }

    @Test func `A need that never ends is bounded`() throws {
        let world = try ErrandWorld(seed: 0)
        #expect(try world.counts(of: .judgement) == Bounded(provided: 3, end: "overloaded"))
        #expect(try world.counts(of: .room) == Bounded(provided: 4, end: "full"), "one more try than room was made")
        #expect(try world.counts(of: .call) == Bounded(provided: 16, end: "overloaded"))
    }
}

private struct Bounded: Equatable {
    /// How often the need was provided.
    var provided = 0
    var end: String?
}

/// The jobs that wait: judgements, calls of the owner's server, and timers.
private final class WaitingJobs: Sendable {
    private let jobs = Mutex<[@Sendable () -> Void]>([])

    func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

    /// Removes a random job.
    func next(_ random: inout SeededGenerator) -> (@Sendable () -> Void)? {
        let count = jobs.withLock(\.count)
        guard count > 0 else { return nil }
        let index = Int.random(in: 0..<count, using: &random)
        return jobs.withLock { $0.remove(at: index) }
    }
}

/// An action that adds its name to a text. Before, it has needs in a given order.
private struct Errand: Action {
    enum Fault: CaseIterable {
        /// It does not wait for its turn.
        case takesNoTurn
        /// It uses a judgement of an earlier text.
        case usesOldJudgement
        /// It keeps the allowance although no run begins.
        case keepsAllowance
    }

    enum Kind: CaseIterable { case rows, room, judgement, call, allowance }

    struct Plan: Hashable {
        let name: String
        let row: Int
        let needs: [Kind]
        /// Whether actions on the row take turns.
        var takesTurns: Bool { row < 2 }
        var beginsRun = false
        /// Whether all runs of the respondent are open.
        var isFull = false
        /// Whether the address may begin no run.
        var isLimited = false
        /// Whether the daemon stops during a call.
        var isStopped = false
    }

    enum Outcome: Hashable {
        case wrote(String, beginsRun: Bool)
        case full
        case limited
    }

    let plan: Plan
    let fault: Fault?
    let jobs: WaitingJobs
    private var needs: ArraySlice<Kind>
    /// The text before the first call of the owner's server, during which no other action changes it.
    private var textAtCall: String?
    /// The text that was judged.
    private var judged: String?

    init(_ plan: Plan, _ fault: Fault?, _ jobs: WaitingJobs) {
        (self.plan, self.fault, self.jobs, needs) = (plan, fault, jobs, plan.needs[...])
    }

    static let app: Identifier = "sample"
    static func row(_ number: Int) -> RowName { .currentRun(app: app, slug: "row\(number)", respondent: "r") }
    static func text(of row: Int, _ rows: TransactionRows) -> String {
        if case .currentRun(let text)? = rows[Self.row(row)] { text?.text ?? "" } else { "" }
    }

    var list: RowName { .runList(app: Self.app, respondent: Identifier(plan.name)) }
    private var extra: RowName { .currentRun(app: Self.app, slug: "extra", respondent: Identifier(plan.name)) }

    var subject: FlowTurns.Subject? {
        plan.takesTurns && fault != .takesNoTurn ? .run(RunReference(app: Self.app, id: "row\(plan.row)")) : nil
    }

    static func beginsRun(_ outcome: Outcome) -> Bool {
        if case .wrote(_, beginsRun: true) = outcome { true } else { false }
    }

    var transaction: Transaction<ActionStep<Errand>> {
        Transaction(names: [list], now: Timestamp(seconds: 0)) { step($0) }
    }

    private func step(_ rows: TransactionRows) -> TransactionStep<ActionStep<Errand>> {
        guard rows.isLoaded(Self.row(plan.row)) else { return .needs([Self.row(plan.row)]) }
        let text = Self.text(of: plan.row, rows)
        var next = self
        while let kind = next.needs.first {
            switch kind {
            case .rows: if !rows.isLoaded(extra) { return .needs([extra]) }
            case .room:
                let isFull = plan.isFull || rows.runList(list).ids.count >= next.needs.count { $0 == .room }
                if isFull { return .need(.room(list, otherwise: .full)) }
            case .judgement:
                let isJudged = fault == .usesOldJudgement ? next.judged != nil : next.judged == text
                if !isJudged { return .need(.judgement { [next] in next.judging(text) }) }
            case .call:
                next.needs.removeFirst()
                next.textAtCall = next.textAtCall ?? text
                return .need(.call { [next] _, _, proceed in jobs.add { proceed(plan.isStopped ? nil : next) } })
            case .allowance:
                next.needs.removeFirst()
                return .need(.allowance(next: next) { _ in .limited })
            }
            next.needs.removeFirst()
        }
        return next.write(text)
    }

    private func judging(_ text: String) -> (next: Errand, overruns: EvaluationBudget.Overruns) {
        var next = self
        next.judged = text
        return (next, EvaluationBudget.wholeSave.overruns)
    }

    private func write(_ text: String) -> TransactionStep<ActionStep<Errand>> {
        var before = text
        if plan.takesTurns {
            before = textAtCall ?? text
        } else if fault == .usesOldJudgement {
            before = judged ?? text
        }
        let after = "\(before) \(plan.name)"
        let beginsRun = plan.beginsRun || fault == .keepsAllowance
        var outcome = TransactionOutcome(result: ActionStep<Errand>.done(.wrote(after, beginsRun: beginsRun)))
        outcome.rows = [(Self.row(plan.row), .currentRun(Identifier(after)))]
        return .done(outcome)
    }
}

/// What has happened in a world.
private final class ErrandLog: Sendable {
    /// The ended actions, in the order of their outcomes.
    let ended = Mutex<[(plan: Errand.Plan, text: String)]>([])
    /// The number of runs that addresses have taken and not given back.
    let taken = Mutex(0)
}

/// Two daemons over one store.
private final class ErrandWorld {
    private static let rows = 4
    private static let maximumSteps = 20_000

    private var random: SeededGenerator
    private let fault: Errand.Fault?
    private let jobs = WaitingJobs()
    private let store = TestStore(sharing: .asked)
    private let drivers: [ActionDriver]
    private let log = ErrandLog()

    init(seed: UInt64, _ fault: Errand.Fault? = nil) throws {
        (random, self.fault) = (SeededGenerator(seed: seed), fault)
        drivers = (0..<2).map { [jobs, store] _ in
            let queue = BackgroundQueue { body in
                jobs.add(body)
                return true
            }
            return ActionDriver(
                Persistence(store, threads: .inPlace), judgements: queue, clock: store.clock,
                timer: { _, job in jobs.add(job) })
        }
    }

    private func plan(_ number: Int) -> Errand.Plan {
        let needs = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
            Errand.Kind.allCases.randomElement(using: &random)
        }
        // An action has room made for it at most three times.
        var rooms = 0
        let bounded = needs.filter { kind in
            if kind == .room { rooms += 1 }
            return kind != .room || rooms <= 3
        }
        func isLucky() -> Bool { Int.random(in: 0..<8, using: &random) == 0 }
        return Errand.Plan(
            name: "a\(number)", row: Int.random(in: 0..<Self.rows, using: &random), needs: bounded,
            beginsRun: Bool.random(using: &random), isFull: isLucky(), isLimited: isLucky(), isStopped: isLucky())
    }

    /// The differences from the same actions one after another, in the order of their outcomes.
    func differences() throws -> [String] {
        let plans = (0..<12).map { plan($0) }
        try play(plans)
        let single = try ErrandWorld(seed: 0)
        var differences: [String] = []
        for (plan, text) in log.ended.withLock(\.self) where text != "overloaded" {
            try single.play([plan])
            let expected = single.log.ended.withLock { $0.last?.text }
            if text != expected { differences.append("outcome: \(text) for \(expected ?? "none") of \(plan)") }
        }
        let (kept, expected) = (log.taken.withLock(\.self), single.log.taken.withLock(\.self))
        if kept != expected { differences.append("allowances: \(kept) for \(expected)") }
        return differences
    }

    private func play(_ plans: [Errand.Plan]) throws {
        var waiting = plans
        let end = log.ended.withLock(\.count) + plans.count
        for plan in plans { try fillList(plan) }
        for _ in 0..<Self.maximumSteps {
            if !waiting.isEmpty, Bool.random(using: &random) {
                start(Errand(waiting.removeFirst(), fault, jobs))
            } else {
                jobs.next(&random)?()
            }
            if log.ended.withLock(\.count) == end { return }
        }
        throw Failure("an action has no end")
    }

    private func start(_ errand: Errand) {
        let plan = errand.plan
        var requester = Requester()
        requester.allowance = Allowance { [log] in
            if !plan.isLimited { log.taken.withLock { $0 += 1 } }
            return plan.isLimited ? 7 : 0
        } giveBack: { [log] in
            log.taken.withLock { $0 -= 1 }
        }
        drivers.randomElement(using: &random)?.perform(errand, for: requester) { [log] result in
            let text =
                switch result {
                case .success(.wrote(let text, _)): text
                case .success(let outcome): "\(outcome)"
                case .failure(let error): "\(error)"
                }
            log.ended.withLock { $0.append((plan, text)) }
        }
    }

    /// Lists as many runs as the action needs room for. None of them exists, so each can be removed from the list.
    private func fillList(_ plan: Errand.Plan) throws {
        let rooms = plan.isFull ? 0 : plan.needs.count { $0 == .room }
        let list = RunList((0..<rooms).map { "\(plan.name)-\($0)" })
        var group = WriteGroup()
        group.rows = [RowWrite(name: Errand(plan, nil, jobs).list, expected: 0, value: .runList(list))]
        guard case .written? = try store.write([group]).first else { throw Failure("not written") }
    }

    /// How often an endless need is provided, and how the action ends.
    func counts(of kind: Errand.Kind) throws -> Bounded {
        let told = Mutex(Bounded())
        let endless = Endless(kind: kind) { told.withLock { $0.provided += 1 } }
        drivers[0].perform(endless, for: Requester()) { result in
            told.withLock { $0.end = (try? result.get()) ?? "overloaded" }
        }
        while told.withLock(\.end) == nil, let job = jobs.next(&random) { job() }
        return told.withLock(\.self)
    }
}

/// An action whose need never ends.
private struct Endless: Action {
    let kind: Errand.Kind
    let provide: @Sendable () -> Void
    private static let list = RowName.runList(app: Errand.app, respondent: "endless")

    var transaction: Transaction<ActionStep<Endless>> {
        Transaction(names: [Self.list], now: Timestamp(seconds: 0)) { rows in
            switch kind {
            case .judgement:
                return .need(
                    .judgement {
                        provide()
                        return (self, EvaluationBudget.wholeSave.overruns)
                    })
            case .call:
                return .need(
                    .call { _, _, proceed in
                        provide()
                        proceed(self)
                    })
            default:
                // Another request takes the room again.
                provide()
                var outcome = TransactionOutcome(result: ActionStep<Endless>.needs(.room(Self.list, otherwise: "full")))
                outcome.rows = [(Self.list, .runList(RunList(["gone"])))]
                return .done(outcome)
            }
        }
    }

    typealias Outcome = String
}
