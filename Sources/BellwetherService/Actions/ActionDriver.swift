internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Performs actions: submits the transaction of each, provides what it needs, and submits it again, until it needs
/// nothing more (ARCHITECTURE.md#an-action).
///
/// An action continues if its requester disconnects; the same request then gets its outcome. An action whose call of
/// the owner's server is interrupted because the daemon stops has no outcome.
public struct ActionDriver: Sendable {
    typealias Apps = @Sendable (Identifier) -> AppSnapshot?
    /// Called once, on any thread. It must not block.
    public typealias Completion<Outcome> = @Sendable (Result<Outcome, StoreError>) -> Void

    /// The maximum number of times that one action has a need.
    fileprivate enum Bound {
        /// Other requests of the respondent may take the room.
        static let rooms = 3
        /// A judgement is void if another save came first.
        static let judgements = 3
        static let calls = 16
    }

    let persistence: Persistence
    /// Calls the owner's server; nil if it is not called.
    let hooks: HookCaller?
    let clock: Clock
    fileprivate let apps: Apps
    fileprivate let turns: FlowTurns
    fileprivate let judgements: BackgroundQueue
    fileprivate let timer: HookCaller.Timer

    /// - Parameters:
    ///   - publisher: has the apps as they are now; nil if no action waits for a turn.
    ///   - turns: the turns of all actions in this process.
    ///   - judgements: runs the judgements that are made apart from other writes.
    ///   - timer: delays new attempts while other daemons' actions are in progress.
    public init(
        _ persistence: Persistence, _ publisher: Publisher? = nil, hooks: HookCaller? = nil,
        turns: FlowTurns = FlowTurns(), judgements: BackgroundQueue = BackgroundQueue(), clock: Clock = .system,
        timer: @escaping HookCaller.Timer = OutboxDispatcher.systemTimer
    ) {
        (self.persistence, self.hooks, self.turns) = (persistence, hooks, turns)
        apps = { publisher?.app($0) }
        (self.judgements, self.clock, self.timer) = (judgements, clock, timer)
    }

    /// Performs an action after the earlier actions with the same subject have their outcomes.
    func perform<Performed: Action>(
        _ action: Performed, for requester: Requester, _ completion: @escaping Completion<Performed.Outcome>
    ) {
        let performance = Performance(
            driver: self, requester: requester, action: action, turn: nil, completion: completion)
        guard let subject = action.subject else { return performance.submit() }
        let isTaken = turns.take(subject, bytes: requester.bytes) { hasWaited, end in
            let turn = ActionClaim(subject, in: persistence, timer: timer)
            var next = performance
            next.turn = turn
            next.completion = { result in
                turn.end()
                completion(result)
                end()
            }
            if hasWaited { next.resume() } else { next.submit() }
        }
        if !isTaken { completion(.failure(.overloaded)) }
    }
}

/// An action on the way to its outcome.
private struct Performance<Performed: Action>: Sendable {
    let driver: ActionDriver
    let requester: Requester
    var action: Performed
    /// The action's claim among the daemons; nil if it does not wait for others.
    var turn: ActionClaim?
    var completion: ActionDriver.Completion<Performed.Outcome>
    /// How often the action had each of these needs.
    private var (rooms, judgements, calls) = (0, 0, 0)
    /// Whether it has one of the runs that the address may begin.
    private var hasAllowance = false

    init(
        driver: ActionDriver, requester: Requester, action: Performed, turn: ActionClaim?,
        completion: @escaping ActionDriver.Completion<Performed.Outcome>
    ) {
        (self.driver, self.requester, self.action) = (driver, requester, action)
        (self.turn, self.completion) = (turn, completion)
    }

    func submit() {
        let transaction = action.transaction.keeping(bytes: requester.bytes).notifying(except: requester.stream)
            .tracing(requester.trace)
        driver.persistence.submit(turn?.guarding(transaction) ?? transaction) { result in
            switch result {
            case .failure(let error): end(.failure(error))
            case .success(let step):
                turn?.note(step)
                switch step {
                case .done(let outcome): end(.success(outcome))
                case .needs(let need): provide(need, at: transaction.now)
                }
            }
        }
    }

    /// Continues after a wait. The recipe may have been paused meanwhile.
    func resume() {
        var next = self
        if let outcome = next.action.resume(driver.apps) { next.end(.success(outcome)) } else { next.submit() }
    }

    private func end(_ result: Result<Performed.Outcome, StoreError>) {
        if hasAllowance, (try? result.get()).map(Performed.beginsRun) != true { requester.allowance?.giveBack() }
        completion(result)
    }

    private func provide(_ need: Need<Performed>, at now: Timestamp) {
        switch need {
        case .room(let list, let otherwise): makeRoom(in: list, at: now, otherwise)
        case .judgement(let judge): self.judge(judge)
        case .call(let call): self.call(call)
        case .allowance(let action, let refused):
            let wait = hasAllowance ? 0 : requester.allowance?.take() ?? 0
            guard wait == 0 else { return end(.success(refused(wait))) }
            var next = self
            (next.action, next.hasAllowance) = (action, true)
            next.submit()
        case .turn: driver.timer(Double.random(in: ActionClaim.waitSeconds)) { resume() }
        }
    }

    private func makeRoom(in list: RowName, at now: Timestamp, _ otherwise: Performed.Outcome) {
        guard rooms < ActionDriver.Bound.rooms else { return end(.success(otherwise)) }
        RunRoom(list: list, store: driver.persistence, now: now).make { room in
            var next = self
            next.rooms += 1
            switch room {
            case .success(true): next.submit()
            case .success(false): end(.success(otherwise))
            case .failure(let error): end(.failure(error))
            }
        }
    }

    private func judge(_ judge: @escaping @Sendable () -> (next: Performed, overruns: EvaluationBudget.Overruns)) {
        guard judgements < ActionDriver.Bound.judgements else { return end(.failure(.overloaded)) }
        let isTaken = driver.judgements.async(keeping: requester.bytes, for: requester.name) {
            var next = self
            let judgement = judge()
            requester.judgedApart(judgement.overruns)
            next.action = judgement.next
            next.judgements += 1
            next.submit()
        }
        if !isTaken { end(.failure(.overloaded)) }
    }

    private func call(_ call: (ActionDriver, Requester, @escaping @Sendable (Performed?) -> Void) -> Void) {
        guard calls < ActionDriver.Bound.calls else { return end(.failure(.overloaded)) }
        call(driver, requester) { answered in
            guard let answered else { return end(.failure(.closed)) }
            var next = self
            next.action = answered
            next.calls += 1
            next.resume()
        }
    }
}
