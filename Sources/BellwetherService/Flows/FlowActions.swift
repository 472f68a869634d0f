public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
public import Surveys

/// Performs the actions of respondents in flows. An action consists of transactions and, between them, calls of the
/// owner's server (docs/reference/flows.md#one-action-after-another).
///
/// An action continues if its requester disconnects; the same request then gets its outcome. An action whose call is
/// interrupted because the daemon stops has no outcome.
public struct FlowActions: Sendable {
    /// Called once, on any thread. It must not block.
    public typealias Completion<Outcome> = @Sendable (Result<Outcome, StoreError>) -> Void

    /// An action on a run.
    public struct Action: Sendable {
        var request: AdvanceFlow.Request
        /// The slug of the run's recipe.
        let slug: String
        let flow: FlowContent
        /// The app at the time of the request.
        let app: AppSnapshot
        /// The time of the request, and after a call of the owner's server in a chat the time of its reply.
        fileprivate(set) var now: Timestamp
        /// The idempotency claim: a request with the same id gets the same reply.
        public var claim: IdempotencyClaim?
        /// The bytes of the request.
        public var bytes = 0
        /// The reply that is stored for repetitions under the same id.
        public var reply: @Sendable (Run, FlowMove, inout EvaluationBudget) -> [UInt8] = { _, _, _ in [] }
        /// Called with the budget overruns of each judgement that was made apart from other writes.
        public var judgedApart: @Sendable (EvaluationBudget.Overruns) -> Void = { _ in }
        /// The number of judgements that were made apart from other writes.
        fileprivate var judgements = 0
        /// The claim of the action; nil if the action does not wait.
        fileprivate var turn: ActionClaim?

        /// `flow` is the revision that the run began with.
        public init(
            _ request: AdvanceFlow.Request, slug: String, flow: FlowContent, in app: AppSnapshot, now: Timestamp
        ) {
            (self.request, self.slug, self.flow, self.app, self.now) = (request, slug, flow, app, now)
        }
    }

    /// The maximum number of judgements of an action. A judgement is void if another save came first.
    private static let maximumJudgements = 3

    private let persistence: Persistence
    private let publisher: Publisher
    /// Calls the hooks; nil if no hook is called and each proceeds.
    private let hooks: HookCaller?
    private let turns: FlowTurns
    private let clock: Clock
    private let timer: HookCaller.Timer

    /// - Parameter timer: delays new attempts while other daemons' actions are in progress.
    public init(
        _ persistence: Persistence, _ publisher: Publisher, hooks: HookCaller?, turns: FlowTurns, clock: Clock,
        timer: @escaping HookCaller.Timer = OutboxDispatcher.systemTimer
    ) {
        (self.persistence, self.publisher, self.hooks, self.turns) = (persistence, publisher, hooks, turns)
        (self.clock, self.timer) = (clock, timer)
    }

    /// Performs an action after the earlier actions on the run have their outcomes. A dismissal does not wait.
    public func take(_ action: Action, _ completion: @escaping Completion<AdvanceFlow.Outcome>) {
        var action = action
        action.request.hooks = FlowHookOutcomes(areAsked: hooks != nil)
        if case .dismiss = action.request.change { return step(action, completion) }
        take(.run(action.request.run), bytes: action.bytes, completion) { [action] turn, hasWaited, end in
            var action = action
            action.turn = turn
            step(action, hasWaited: hasWaited, end)
        }
    }

    /// Begins a run after the respondent's earlier starts of the flow have their outcomes.
    public func take(_ start: StartFlow, bytes: Int, _ completion: @escaping Completion<StartFlow.Outcome>) {
        var start = start
        start.request.hooks = FlowHookOutcomes(areAsked: hooks != nil)
        var respondent = start.request.ids
        if respondent.userID != nil { respondent.clientID = nil }
        take(.start(slug: start.slug, respondent), bytes: bytes, completion) { [start] turn, hasWaited, end in
            begin(Beginning(start: start, bytes: bytes, turn: turn), hasWaited: hasWaited, end)
        }
    }

    private func take<Outcome>(
        _ subject: FlowTurns.Subject, bytes: Int, _ completion: @escaping Completion<Outcome>,
        _ body:
            @escaping @Sendable (_ turn: ActionClaim, _ hasWaited: Bool, _ end: @escaping Completion<Outcome>) -> Void
    ) {
        let isTaken = turns.take(subject, bytes: bytes) { [persistence, timer] hasWaited, end in
            let turn = ActionClaim(subject, in: persistence, timer: timer)
            body(turn, hasWaited) { result in
                turn.end()
                completion(result)
                end()
            }
        }
        if !isTaken { completion(.failure(.overloaded)) }
    }

    /// - Parameter hasWaited: whether the action has waited. The flow may have been paused since the request arrived.
    private func step(
        _ action: Action, hasWaited: Bool = false, _ completion: @escaping Completion<AdvanceFlow.Outcome>
    ) {
        guard let app = hasWaited ? publisher.app(action.app.name) : action.app,
            !hasWaited || app.recipes[action.slug]?.isLive == true
        else { return completion(.success(.inactive)) }
        let kept = action.claim.map { AdvanceFlow.KeptReply($0, make: action.reply) }
        submit(
            AdvanceFlow(action.request, action.flow, in: app, now: action.now, keeping: kept), action, completion)
    }

    private func submit(
        _ advance: AdvanceFlow, _ action: Action, _ completion: @escaping Completion<AdvanceFlow.Outcome>
    ) {
        write(advance, action, completion) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(.needsJudgement(let situation)): judge(situation, advance, action, completion)
            case .success(.needs(let exchange, let run)):
                hooks?.call(exchange, about: subject(action, run)) { answer in
                    guard let answer else { return completion(.failure(.closed)) }
                    var next = action
                    next.request.hooks.add(answer, to: exchange)
                    step(next, hasWaited: true, completion)
                }
            case .success(.done(let outcome)):
                guard case .advanced(let run, let move) = outcome, let exchange = move.chat?.exchange else {
                    return completion(.success(outcome))
                }
                ask(exchange, subject(action, run)) { reply in
                    guard let reply else { return completion(.failure(.closed)) }
                    var next = action
                    next.request.change = .chatReply(reply, step: exchange.step, turn: exchange.turn)
                    next.now = max(clock.now(), action.now)
                    step(next, hasWaited: true, completion)
                }
            }
        }
    }

    /// - Parameter written: called with the result, unless another daemon's action is in progress. Then the action is
    ///   tried again.
    private func write(
        _ advance: AdvanceFlow, _ action: Action, _ completion: @escaping Completion<AdvanceFlow.Outcome>,
        _ written: @escaping Completion<AdvanceFlow.Step>
    ) {
        let transaction = advance.transaction.keeping(bytes: action.bytes)
        guard let turn = action.turn else { return persistence.submit(transaction, written) }
        persistence.submit(turn.guarding(transaction)) { result in
            turn.note(result, again: { step(action, hasWaited: true, completion) }, written)
        }
    }

    /// Judges an action that takes too long among other writes. It does so on another thread than the writer's.
    private func judge(
        _ situation: AdvanceFlow.Situation, _ advance: AdvanceFlow, _ action: Action,
        _ completion: @escaping Completion<AdvanceFlow.Outcome>
    ) {
        guard action.judgements < Self.maximumJudgements else { return completion(.failure(.overloaded)) }
        DispatchQueue.global().async {
            var (next, action) = (advance, action)
            let judgement = advance.judge(situation)
            action.judgedApart(judgement.overruns)
            action.judgements += 1
            next.judgement = judgement
            submit(next, action, completion)
        }
    }

    private struct Beginning {
        var start: StartFlow
        let bytes: Int
        let turn: ActionClaim
    }

    private func begin(
        _ beginning: Beginning, hasWaited: Bool, _ completion: @escaping Completion<StartFlow.Outcome>
    ) {
        let (start, turn) = (beginning.start, beginning.turn)
        guard !hasWaited || isLive(start.slug, in: start.app.name) else {
            return completion(.success(.inactive))
        }
        let transaction = turn.guarding(start.transaction.keeping(bytes: beginning.bytes))
        let again = { @Sendable in begin(beginning, hasWaited: true, completion) }
        RunLimit.submit(transaction, to: persistence) { result in
            turn.note(result, again: again) { step in go(on: step, beginning, completion) }
        }
    }

    private func go(
        on step: Result<StartFlow.Step, StoreError>, _ beginning: Beginning,
        _ completion: @escaping Completion<StartFlow.Outcome>
    ) {
        switch step {
        case .failure(let error): completion(.failure(error))
        case .success(.done(let outcome)): completion(.success(outcome))
        case .success(.listIsFull): completion(.success(.tooManyRuns))
        case .success(.needs(let exchange, let run)):
            let start = beginning.start
            let subject = subject(of: run, start.flow.definition, start.app.name, actionID: nil)
            hooks?.call(exchange, about: subject) { answer in
                guard let answer else { return completion(.failure(.closed)) }
                var next = beginning
                next.start.request.hooks.add(answer, to: exchange)
                begin(next, hasWaited: true, completion)
            }
        }
    }

    private func isLive(_ slug: String, in app: String) -> Bool {
        publisher.app(app)?.recipes[slug]?.isLive == true
    }

    private func subject(_ action: Action, _ run: Run) -> HookSubject {
        subject(of: run, action.flow.definition, action.request.run.app, actionID: action.claim?.key.text)
    }

    private func subject(of run: Run, _ flow: FlowDefinition, _ app: String, actionID: String?) -> HookSubject {
        HookSubject(run: run, flow: flow, app: app, actionID: actionID) { [publisher] in
            publisher.app(app)?.signingSecrets ?? []
        }
    }

    private func ask(
        _ exchange: ChatHookCall, _ subject: HookSubject,
        _ proceed: @escaping @Sendable (Result<ChatReply, ChatFailure>?) -> Void
    ) {
        guard let hooks else { return proceed(.failure(ChatFailure("webhooks are not called here"))) }
        hooks.call(exchange, about: subject, proceed)
    }
}
