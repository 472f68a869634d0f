public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// An action of a respondent in a flow: one transaction over the run's row (docs/reference/flows.md#branching).
public struct AdvanceFlow: Sendable {
    public enum Change: Sendable {
        case action(FlowAction)
        /// The respondent ends the run before its end.
        case dismiss
        /// An action in the conversation of a step, with the key of the request.
        case chat(ChatAction, step: String, key: String)
        /// The reply of the owner's server to a turn of the conversation.
        case chatReply(Result<ChatReply, ChatFailure>, step: String, turn: Int)
    }

    public enum Outcome: Sendable {
        case advanced(Run, FlowMove)
        /// The action was refused; the run is unchanged.
        case refused(FlowRefusal, Run)
        case unknownRun
        /// The flow was paused, ended or deleted while the action waited.
        case inactive
        /// The action was done before under the same id; this is its stored reply.
        case replayed(StoredReply)
    }

    /// The progress of an action after a transaction.
    public enum Step: ActionStep {
        case done(Outcome)
        /// A hook has to be called first.
        case needs(FlowHookCall, Run)
        /// The judgement takes too long among other writes. It must be made apart from them, before the write.
        case needsJudgement(Situation)

        var progress: ActionProgress {
            switch self {
            case .needs: .calls
            case .needsJudgement: .goesOn
            case .done(.advanced(_, let move)): move.chat?.exchange == nil ? .ends : .calls
            case .done: .ends
            }
        }
    }

    /// The facts from the rows that a judgement depends on.
    public struct Situation: Sendable, Hashable {
        let run: Run
        let limits: FlowLimits
    }

    /// The result of an action on a run. The judgement may take long, because it depends on patterns and conditions of
    /// owners. It is valid while the situation is the same
    /// (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
    public struct Judgement: Sendable {
        let before: Situation
        let step: Step
        /// Whether the condition of each quota of each limit holds.
        let verdicts: [[Bool]]
        /// Whether the condition of the flow's notification holds.
        let notifies: Bool
        /// The events of the hook calls that were made for the action.
        let calls: [FlowEvent]
        /// The stored reply for a repetition of the request.
        let reply: [UInt8]?
        public let overruns: EvaluationBudget.Overruns
    }

    /// The reply that is stored for repetitions of the request under its key.
    public struct KeptReply: Sendable {
        public let claim: IdempotencyClaim
        let make: @Sendable (Run, FlowMove, inout EvaluationBudget) -> [UInt8]

        public init(
            _ claim: IdempotencyClaim, make: @escaping @Sendable (Run, FlowMove, inout EvaluationBudget) -> [UInt8]
        ) {
            (self.claim, self.make) = (claim, make)
        }
    }

    public struct Request: Sendable {
        public var run: RunReference
        public var change: Change
        /// The outcomes of the hooks that were called.
        var hooks = FlowHookOutcomes()
        /// The present attributes of the respondent.
        public var attributes: JSONObject = [:]
        /// Whether telemetry contains the answers.
        public var recordsAnswers = true
        /// The id of the webhook, if there is one.
        public var webhookID: String
        /// The public address of the daemon, for links in notifications.
        public var publicURL: String?

        public init(_ change: Change, of run: RunReference, webhookID: String) {
            (self.change, self.run, self.webhookID) = (change, run, webhookID)
        }
    }

    /// A judgement that was made before the transaction.
    public var judgement: Judgement?
    public let request: Request
    public let flow: FlowContent
    public let kept: KeptReply?
    let app: AppSnapshot
    let now: Timestamp

    /// `flow` is the revision that the run began with.
    public init(
        _ request: Request, _ flow: FlowContent, in app: AppSnapshot, now: Timestamp, keeping kept: KeptReply? = nil
    ) {
        (self.request, self.flow, self.app, self.now, self.kept) = (request, flow, app, now, kept)
    }

    /// The maximum bytes of a run, and of its files.
    private static let maximumBytes = (run: 1 << 20, files: 8 << 20)

    /// The transaction of the action. A refused request stores no reply, so it may be tried again under its key.
    var transaction: Transaction<Step> {
        let names = [RowName.run(request.run)] + (kept.map { [.reply($0.claim.key)] } ?? [])
        return Transaction(names: names, now: now) { rows in
            if let kept, let earlier = rows.reply(under: kept.claim.key) {
                return .done(TransactionOutcome(result: .done(.replayed(earlier))))
            }
            return step(rows)
        }
    }

    /// Judges with the budget of a whole save. If the budget is not enough, the decision goes against the requester.
    public func judge(_ situation: Situation) -> Judgement { judge(situation, .wholeSave) }

    private func judge(_ situation: Situation, _ budget: EvaluationBudget) -> Judgement {
        var budget = budget
        var calls: [FlowEvent] = []
        let step = step(of: situation.run, &calls, &budget)
        var (reply, verdicts, notifies): ([UInt8]?, [[Bool]], Bool) = (nil, [], false)
        if case .done(.advanced(_, let move)) = step {
            let facts = situation.limits.facts(move.run, at: now)
            verdicts = situation.limits.limits.map { $0.judge(facts, &budget) }
            notifies = flow.definition.notification?.condition?.holds(for: facts, &budget) ?? true
        }
        // A message of a chat gets its reply when the owner's server has replied.
        if case .done(.advanced(let run, let move)) = step, move.chat?.exchange == nil {
            reply = kept?.make(run, move, &budget)
        }
        return Judgement(
            before: situation, step: step, verdicts: verdicts, notifies: notifies, calls: calls, reply: reply,
            overruns: budget.overruns)
    }

    /// The judgement of a situation; nil if it takes too long among other writes.
    private func judgement(of situation: Situation) -> Judgement? {
        if let judgement, judgement.before == situation { return judgement }
        let judgement = judge(situation, .amongWrites)
        return judgement.overruns.isEmpty ? judgement : nil
    }

    private func finish(_ step: Step) -> TransactionStep<Step> { .done(TransactionOutcome(result: step)) }

    private func step(_ rows: TransactionRows) -> TransactionStep<Step> {
        guard let run = rows.run(request.run), run.deletedAt == nil, run.flow != nil, run.revision == flow.revision
        else { return finish(.done(.unknownRun)) }
        let client = FlowLimits.name(of: run, flow.definition, in: app)
        if let client, !rows.isLoaded(client) { return .needs([client]) }
        var state = ClientState()
        if let client, case .client(let known)? = rows[client] { state = known }
        let situation = Situation(run: run, limits: FlowLimits(of: run, in: app, state))
        // All rows are read before the judgement, so that it is made once.
        let names = situation.limits.limits.names(of: app.name) + QuotaSlots.names(run, app.name)
        let missing = names.filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        guard let judgement = judgement(of: situation) else { return finish(.needsJudgement(situation)) }
        guard case .done(.advanced(let after, let move)) = judgement.step else { return finish(judgement.step) }
        return counting(after, move, judgement, rows)
    }

    /// - Parameter calls: receives the events of the hook calls that were made for the action.
    private func step(of run: Run, _ calls: inout [FlowEvent], _ budget: inout EvaluationBudget) -> Step {
        guard var progress = run.flow else { return .done(.unknownRun) }
        let files = flow.definition.takeFiles(outOf: &progress)
        for attribute in request.attributes { progress.attributes[attribute.key] = attribute.value }
        var hooks = request.hooks
        do throws(FlowRefusal) {
            switch try attempt(progress, run, &hooks, &budget) {
            case .needs(let exchange): return .needs(exchange, run)
            case .moved(var move):
                move.files += files.filter { move.run.files.contains($0.reference) }
                if let exchange = complete(&move, run, &hooks) { return .needs(exchange, run) }
                guard !isTooLarge(move, run) else { return .done(.refused(.tooLarge, run)) }
                calls = hooks.events
                var after = run
                after.enter(move.run, of: flow.definition, at: now)
                return .done(.advanced(after, move))
            }
        } catch {
            return .done(.refused(error, run))
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
    ) -> TransactionStep<Step> {
        var run = after
        let isCompleted = run.submittedAt != nil && judgement.before.run.submittedAt == nil
        let isDismissed = run.flow?.status == .dismissed
        let limits = judgement.before.limits.limits
        if !isDismissed,
            let tallies = limits.count(&run, judgement.verdicts, isFinal: isCompleted, of: app.name, in: rows)
        {
            return write(run, move, judgement, (tallies, judgement.reply), rows)
        }
        let released = QuotaSlots.released(run, of: app.name, in: rows)
        run.quotas = []
        if isDismissed { return write(run, move, judgement, (released, judgement.reply), rows) }
        // A run that has ended keeps the outcome that the flow gave it.
        let ended = move.run.outcome == nil ? flow.definition.screenOut(move) : move
        run.enter(ended.run, of: flow.definition, at: now)
        (run.status, run.submittedAt) = (.screenedOut, nil)
        var budget = EvaluationBudget.amongWrites
        return write(run, ended, judgement, (released, kept?.make(run, ended, &budget)), rows)
    }

    /// - Parameter changes: the rows of quotas, and the reply that is stored.
    private func write(
        _ run: Run, _ move: FlowMove, _ judgement: Judgement,
        _ changes: (tallies: [(RowName, RowValue)], reply: [UInt8]?), _ rows: TransactionRows
    ) -> TransactionStep<Step> {
        var outcome = TransactionOutcome(result: Step.done(.advanced(run, move)))
        outcome.rows = [(.run(request.run), .run(run))] + changes.tallies
        if let kept, let reply = changes.reply {
            let stored = StoredReply(
                bodyDigest: kept.claim.bodyDigest, status: 200, body: reply,
                subject: ReplySubject(app: request.run.app, runID: run.id))
            outcome.rows.append((.reply(kept.claim.key), .reply(stored, at: now)))
        }
        if run.submittedAt != nil, judgement.before.run.submittedAt == nil {
            if let name = run.respondentName(in: request.run.app) {
                guard rows.isLoaded(name) else { return .needs([name]) }
                // The state notes the submission, for messages that present the flow.
                var state = ClientState()
                if case .client(let known)? = rows[name] { state = known }
                state.surveys.submit(run.slug, at: now)
                outcome.rows.append((name, .client(state)))
            }
            let webhooks = ResponseWebhooks(
                run, of: flow.definition, in: app, id: request.webhookID, publicURL: request.publicURL, now: now)
            outcome.outbox = webhooks.rows(notifies: judgement.notifies)
        }
        outcome.files = move.files.map { FileWrite($0, of: request.run.app) }
        outcome.records = FlowTelemetry.records(
            judgement.calls + move.events, of: run, withAnswers: request.recordsAnswers, at: now
        )
        .map { (request.run.app, $0) }
        return .done(outcome)
    }
}

extension Run {
    /// The row with the respondent's state; nil if the run has no respondent.
    func respondentName(in app: String) -> RowName? {
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
