public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// An action of a respondent in a flow: one transaction over the run's row (docs/reference/flows.md#branching).
public struct AdvanceFlow: FlowUseCase {
    public enum Change: Sendable {
        case action(FlowAction)
        /// The respondent ends the run before its end.
        case dismiss
        /// An action in the conversation of a step, with the key of the request.
        case chat(ChatAction, step: Identifier, key: Identifier)
        /// The reply of the owner's server to a turn of the conversation.
        case chatReply(Result<ChatReply, ChatFailure>, step: Identifier, turn: Int)
    }

    public enum Outcome: Sendable {
        /// - Parameter reply: the reply that repetitions of the request get, too.
        case advanced(Run, reply: [UInt8])
        /// The action was refused; the run is unchanged.
        case refused(FlowRefusal, Run)
        case unknownRun
        /// The flow was paused, ended or deleted while the action waited.
        case inactive
        /// The action was done before under the same id; this is its stored reply.
        case replayed(StoredReply)
    }

    /// The facts from the rows that a judgement depends on.
    struct Situation: Sendable, Hashable {
        let run: Run
        let limits: FlowLimits
    }

    /// The result of an action on a run. The judgement may take long, because it depends on patterns and conditions of
    /// owners. It is valid while the situation is the same
    /// (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
    private struct Judgement: Sendable {
        let before: Situation
        let verdict: Verdict
        /// Whether the condition of each quota of each limit holds.
        let quotas: [[Bool]]
        /// Whether the condition of the flow's notification holds.
        let notifies: Bool
        /// The events of the hook calls that were made for the action.
        let calls: [FlowEvent]
        /// Empty if the run does not move, or if its reply needs that of the owner's server.
        let reply: [UInt8]
        let overruns: EvaluationBudget.Overruns
    }

    private enum Verdict {
        case moves(Run, FlowMove)
        /// A hook has to be called first.
        case calls(FlowHookCall)
        case refused(FlowRefusal)
        case unknownRun
    }

    /// Makes the reply to an action that has moved its run.
    public typealias Reply = @Sendable (Run, FlowMove, inout EvaluationBudget) -> [UInt8]

    public struct Request: Sendable {
        public var run: RunReference
        public var change: Change
        /// The present attributes of the respondent.
        public var attributes: JSONObject = [:]
        /// Whether telemetry contains the answers.
        public var recordsAnswers = true
        /// The id of the webhook, if there is one.
        public var webhookID: Identifier
        /// The public address of the daemon, for links in notifications.
        public var publicURL: String?

        public init(_ change: Change, of run: RunReference, webhookID: Identifier) {
            (self.change, self.run, self.webhookID) = (change, run, webhookID)
        }
    }

    private var request: Request
    let slug: Identifier
    let flow: FlowContent
    var app: AppSnapshot
    /// The time of the request, and after a call of the owner's server in a chat the time of its reply.
    private var now: Timestamp
    var hooks = FlowHookOutcomes()
    /// A request with the same claim gets the same reply. The claim's digest is not compared.
    public var claim: IdempotencyClaim?
    public var reply: Reply = { _, _, _ in [] }
    /// A judgement that was made before the transaction.
    private var judgement: Judgement?

    /// - Parameters:
    ///   - slug: the slug of the run's recipe.
    ///   - flow: the revision that the run began with.
    public init(_ request: Request, slug: Identifier, _ flow: FlowContent, in app: AppSnapshot, now: Timestamp) {
        (self.request, self.slug, self.flow, self.app, self.now) = (request, slug, flow, app, now)
    }

    /// Performs the action after the earlier actions on the run have their outcomes. A dismissal does not wait.
    public func run(
        by driver: ActionDriver, for requester: Requester = Requester(),
        _ completion: @escaping ActionDriver.Completion<Outcome>
    ) {
        perform(by: driver, for: requester, completion)
    }

    var subject: FlowTurns.Subject? { if case .dismiss = request.change { nil } else { .run(request.run) } }

    mutating func resume(_ apps: ActionDriver.Apps) -> Outcome? {
        judgement = nil
        return follow(apps)
    }

    var actionID: Identifier? { claim?.key.text }

    static var inactive: Outcome { .inactive }

    /// The maximum bytes of a run, and of its files.
    private static let maximumBytes = (run: 1 << 20, files: 8 << 20)

    /// The transaction of the action. A refused request stores no reply, so it may be tried again under its key.
    var transaction: Transaction<ActionStep<AdvanceFlow>> {
        let names = [RowName.run(request.run)] + (claim.map { [.reply($0.key)] } ?? [])
        return Transaction(names: names, now: now) { rows in
            if let claim, let earlier = rows.reply(under: claim.key) { return .end(.replayed(earlier)) }
            return step(rows)
        }
    }

    private func judge(_ situation: Situation, _ budget: EvaluationBudget) -> Judgement {
        var budget = budget
        var calls: [FlowEvent] = []
        let verdict = verdict(on: situation.run, &calls, &budget)
        var (reply, quotas, notifies): ([UInt8], [[Bool]], Bool) = ([], [], false)
        if case .moves(let run, let move) = verdict {
            let facts = situation.limits.facts(move.run, at: now)
            quotas = situation.limits.limits.map { $0.judge(facts, &budget) }
            notifies = flow.definition.notification?.condition?.holds(for: facts, &budget) ?? true
            if move.chat?.exchange == nil { reply = self.reply(run, move, &budget) }
        }
        return Judgement(
            before: situation, verdict: verdict, quotas: quotas, notifies: notifies, calls: calls, reply: reply,
            overruns: budget.overruns)
    }

    /// The judgement of a situation; nil if it takes too long among other writes.
    private func judgement(of situation: Situation) -> Judgement? {
        if let judgement, judgement.before == situation { return judgement }
        let judgement = judge(situation, .amongWrites)
        return judgement.overruns.isEmpty ? judgement : nil
    }

    /// The action with a judgement of the budget of a whole save. If the budget is not enough, the decision goes
    /// against the requester.
    private func judged(_ situation: Situation) -> (next: AdvanceFlow, overruns: EvaluationBudget.Overruns) {
        var next = self
        let judgement = judge(situation, .wholeSave)
        next.judgement = judgement
        return (next, judgement.overruns)
    }

    private func step(_ rows: TransactionRows) -> Step {
        guard let run = rows.run(request.run), run.deletedAt == nil, run.flow != nil, run.revision == flow.revision
        else { return .end(.unknownRun) }
        let client = FlowLimits.name(of: run, flow.definition, in: app)
        let person = client == nil || !app.readsSegments ? nil : run.respondentName(in: app.name)
        let unread = [client, person].compactMap(\.self).filter { !rows.isLoaded($0) }
        guard unread.isEmpty else { return .needs(unread) }
        var state = ClientState()
        if let client, case .client(let known)? = rows[client] { state = known }
        if let person, case .client(let known)? = rows[person] { state.facts = known.facts }
        let situation = Situation(run: run, limits: FlowLimits(of: run, in: app, state, at: now))
        // All rows are read before the judgement, so that it is made once.
        let names = situation.limits.limits.names(of: app.name) + QuotaSlots.names([run], app.name)
        let missing = names.filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        guard let judgement = judgement(of: situation) else { return .need(.judgement { judged(situation) }) }
        switch judgement.verdict {
        case .moves(let after, let move): return counting(after, move, judgement, rows)
        case .calls(let exchange): return .need(calling(exchange, about: run))
        case .refused(let refusal): return .end(.refused(refusal, run))
        case .unknownRun: return .end(.unknownRun)
        }
    }

    /// - Parameter calls: receives the events of the hook calls that were made for the action.
    private func verdict(on run: Run, _ calls: inout [FlowEvent], _ budget: inout EvaluationBudget) -> Verdict {
        guard var progress = run.flow else { return .unknownRun }
        let files = flow.definition.takeFiles(outOf: &progress)
        for attribute in request.attributes { progress.attributes[attribute.key] = attribute.value }
        var hooks = hooks
        do throws(FlowRefusal) {
            switch try attempt(progress, run, &hooks, &budget) {
            case .needs(let exchange): return .calls(exchange)
            case .moved(var move):
                move.files += files.filter { move.run.files.contains($0.reference) }
                if let exchange = complete(&move, run, &hooks) { return .calls(exchange) }
                guard !isTooLarge(move, run) else { return .refused(.tooLarge) }
                calls = hooks.events
                var after = run
                after.enter(move.run, of: flow.definition, at: now)
                return .moves(after, move)
            }
        } catch {
            return .refused(error)
        }
    }

    /// Returns the outcome of the action. If data of a hook would make the run too large, the hook has failed.
    private func attempt(
        _ progress: FlowRun, _ run: Run, _ hooks: inout FlowHookOutcomes, _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowAdvance {
        let advance = try advance(progress, run, hooks.advance, &budget)
        guard hooks.hasData(.advance), case .moved(let move) = advance, isTooLarge(move, run) else { return advance }
        hooks.refuse(.advance)
        return try self.advance(progress, run, hooks.advance, &budget)
    }

    private func advance(
        _ progress: FlowRun, _ run: Run, _ hook: FlowHookResult?, _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowAdvance {
        let definition = flow.definition
        switch request.change {
        case .action(let action): return try definition.advance(progress, action, at: now, hook: hook, &budget)
        case .dismiss: return .moved(try definition.dismiss(progress))
        case .chat(let action, let step, let key):
            return .moved(try definition.chat(progress, action, at: step, key: key, now: now))
        case .chatReply(let reply, let step, let turn):
            let move = try definition.reply(progress, to: turn, at: step, reply, now: now)
            guard case .success = reply, isTooLarge(move, run) else { return .moved(move) }
            let failure = ChatFailure("the run would be too large with the reply")
            return .moved(try definition.reply(progress, to: turn, at: step, .failure(failure), now: now))
        }
    }

    /// Applies the render hook to the step that the run has reached, unless the run would be too large with that.
    ///
    /// - Returns: the call that has to be made first; nil if there is none.
    private func complete(_ move: inout FlowMove, _ run: Run, _ hooks: inout FlowHookOutcomes) -> FlowHookCall? {
        var secrets = FlowSecrets()
        if case .action(let action) = request.change { secrets = flow.definition.secrets(in: action) }
        let plain = move
        if let exchange = hooks.complete(&move, in: flow.definition, from: run.flow, secrets: secrets) {
            return exchange
        }
        guard hooks.hasData(.render), isTooLarge(move, run) else { return nil }
        hooks.refuse(.render)
        move = plain
        return hooks.complete(&move, in: flow.definition, from: run.flow, secrets: secrets)
    }

    private func isTooLarge(_ move: FlowMove, _ before: Run) -> Bool {
        var run = before
        run.enter(move.run, of: flow.definition, at: now)
        return JSONValue.object(run.json).encoded.count > Self.maximumBytes.run
            || move.run.files.reduce(0) { $0 + $1.bytes } > Self.maximumBytes.files
    }

    /// Takes the run's slots in quotas. A run that meets a full quota is screened out; a dismissed run releases its
    /// slots.
    private func counting(
        _ after: Run, _ move: FlowMove, _ judgement: Judgement, _ rows: TransactionRows
    ) -> Step {
        var run = after
        let isCompleted = run.submittedAt != nil && judgement.before.run.submittedAt == nil
        let isDismissed = run.flow?.status == .dismissed
        let limits = judgement.before.limits.limits
        if !isDismissed,
            let tallies = limits.count(&run, judgement.quotas, isFinal: isCompleted, of: app.name, in: rows)
        {
            return write(run, move, judgement, (tallies, judgement.reply), rows)
        }
        let released = QuotaSlots.released([run], of: app.name, in: rows)
        run.quotas = []
        if isDismissed { return write(run, move, judgement, (released, judgement.reply), rows) }
        // A run that has ended keeps the outcome that the flow gave it.
        let ended = move.run.outcome == nil ? flow.definition.screenOut(move) : move
        run.enter(ended.run, of: flow.definition, at: now)
        (run.status, run.submittedAt) = (.screenedOut, nil)
        var budget = EvaluationBudget.amongWrites
        return write(run, ended, judgement, (released, reply(run, ended, &budget)), rows)
    }

    /// - Parameter changes: the rows of quotas, and the reply. It is not stored before the owner's server has replied.
    private func write(
        _ run: Run, _ move: FlowMove, _ judgement: Judgement,
        _ changes: (tallies: [(RowName, RowValue)], reply: [UInt8]), _ rows: TransactionRows
    ) -> Step {
        let exchange = move.chat?.exchange
        var (run, changes) = (run, changes)
        let isAnswer = run.submittedAt != nil && judgement.before.run.submittedAt == nil
        var standing: (name: RowName, state: ClientState)?
        let client = run.clientID.map { ClientReference(app: request.run.app, id: $0) }
        let goals = isAnswer ? SubmissionGoals(run, by: client, in: app, at: now) : nil
        if let missing = goals?.missing(rows), !missing.isEmpty { return .needs(missing) }
        if isAnswer, let name = run.respondentName(in: request.run.app) {
            guard rows.isLoaded(name) else { return .needs([name]) }
            var state = ClientState()
            if case .client(let known)? = rows[name] { state = known }
            let round = state.surveys.submit(run.slug, at: now, repeats: repeats)
            state.facts.note(run, of: flow)
            if run.round != round {
                run.round = round
                var budget = EvaluationBudget.amongWrites
                if exchange == nil { changes.reply = reply(run, move, &budget) }
            }
            standing = (name, state)
        }
        var outcome = Written(result: .done(.advanced(run, reply: changes.reply)))
        if let exchange { outcome.result = .needs(asking(exchange, about: run)) }
        outcome.rows = [(.run(request.run), .run(run))] + changes.tallies
        if let claim, exchange == nil {
            let stored = StoredReply(
                bodyDigest: claim.bodyDigest, status: 200, body: changes.reply,
                subject: ReplySubject(app: request.run.app, runID: run.id))
            outcome.rows.append((.reply(claim.key), .reply(stored, at: now)))
        }
        if let standing { outcome.rows.append((standing.name, .client(standing.state))) }
        goals?.count(in: &outcome.rows, rows)
        if isAnswer {
            let webhooks = ResponseWebhooks(
                run, of: flow.definition, in: app, id: request.webhookID, publicURL: request.publicURL, now: now)
            outcome.outbox = webhooks.rows(notifies: judgement.notifies)
        }
        outcome.outbox += LimitNotices(
            app: app, run: run, id: request.webhookID, publicURL: request.publicURL, now: now
        )
        .webhooks(of: judgement.before.limits.limits, changes.tallies, over: rows)
        outcome.files = move.files.map { FileWrite($0, of: request.run.app) }
        outcome.records = FlowTelemetry.records(
            judgement.calls + move.events, of: run, repeats: repeats, withAnswers: request.recordsAnswers, at: now
        )
        .map { (request.run.app, $0) }
        return .done(outcome)
    }

    /// The call with a message of the conversation; the next action brings the reply to it.
    private func asking(_ exchange: ChatHookCall, about run: Run) -> Need<AdvanceFlow> {
        .call { driver, requester, proceed in
            let completion = { @Sendable (reply: Result<ChatReply, ChatFailure>?) in
                guard let reply else { return proceed(nil) }
                var next = self
                next.request.change = .chatReply(reply, step: exchange.step, turn: exchange.turn)
                next.now = max(driver.clock.now(), now)
                proceed(next)
            }
            guard let hooks = driver.hooks else {
                return completion(.failure(ChatFailure("webhooks are not called here")))
            }
            hooks.call(exchange, about: hookSubject(run, for: requester), completion)
        }
    }
}

extension Run {
    /// The row with the respondent's state; nil if the run has no respondent.
    func respondentName(in app: Identifier) -> RowName? {
        switch respondent {
        case .user(let id): .user(UserReference(app: app, id: id))
        case .client(let id): .client(ClientReference(app: app, id: id))
        case .anonymous: nil
        }
    }
}

extension JSONValue {
    /// The bytes of the files in the value: the texts that are data URLs.
    public var fileBytes: Int {
        switch self {
        case .string(let text): text.hasPrefix("data:") ? text.utf8.count : 0
        case .array(let values): values.reduce(0) { $0 + $1.fileBytes }
        case .object(let members): members.reduce(0) { $0 + $1.value.fileBytes }
        default: 0
        }
    }
}
