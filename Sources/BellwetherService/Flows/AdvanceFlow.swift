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
        /// What the owner's server says to a turn of the conversation.
        case chatReply(Result<ChatReply, ChatFailure>, step: String, turn: Int)
    }

    public enum Outcome: Sendable {
        case advanced(Run, FlowMove)
        /// With the run as it is.
        case refused(FlowRefusal, Run)
        /// A hook has to be asked first.
        case needs(FlowExchange, Run)
        /// That takes too long among other writes: it is to be judged first, and to be written then.
        case needsJudgement(Run)
        case unknownRun
    }

    /// What an action makes of a run, which may take long: it depends on patterns and conditions of owners. It counts
    /// while the run is the same (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
    public struct Judgement: Sendable {
        let before: Run
        let outcome: Outcome
        /// What the same request is answered again.
        let reply: [UInt8]?
        public let overruns: EvaluationBudget.Overruns
    }

    /// What a request is answered, for whoever repeats it under its key.
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
        /// What the hooks have said that were asked.
        public var hooks = FlowHookAnswers()
        /// What is known of the respondent now.
        public var attributes: JSONObject = [:]
        /// Whether telemetry has the answers.
        public var recordsAnswers = true

        public init(_ change: Change, of run: RunReference) { (self.change, self.run) = (change, run) }
    }

    /// What was judged before.
    public var judgement: Judgement?
    public let request: Request
    public let flow: FlowContent
    public let kept: KeptReply?
    let now: Timestamp

    /// `flow` is the revision that the run began with.
    public init(_ request: Request, _ flow: FlowContent, now: Timestamp, keeping kept: KeptReply? = nil) {
        (self.request, self.flow, self.now, self.kept) = (request, flow, now, kept)
    }

    /// Bytes of a run, and of its files.
    private static let maximumBytes = (run: 1 << 20, files: 8 << 20)

    /// What is refused may be tried again under its key.
    public var transaction: Transaction {
        let names = [RowName.run(request.run)] + (kept.map { [.reply($0.claim.key)] } ?? [])
        return Transaction(names: names, now: now) { rows in
            if let kept, let earlier = rows.reply(under: kept.claim.key) {
                return .done(TransactionOutcome(result: .replayed(earlier)))
            }
            return step(rows)
        }
    }

    /// With the budget of a whole save: what that is not enough for is decided against whoever asks.
    public func judge(_ run: Run) -> Judgement { judge(run, .wholeSave) }

    private func judge(_ run: Run, _ budget: EvaluationBudget) -> Judgement {
        var budget = budget
        let outcome = outcome(of: run, &budget)
        var reply: [UInt8]?
        // A message of a chat is answered when the owner's server has replied.
        if case .advanced(let run, let move) = outcome, move.chat?.exchange == nil {
            reply = kept?.make(run, move, &budget)
        }
        return Judgement(before: run, outcome: outcome, reply: reply, overruns: budget.overruns)
    }

    /// Nil: it takes too long among other writes.
    private func judgement(of run: Run) -> Judgement? {
        if let judgement, judgement.before == run { return judgement }
        let judgement = judge(run, .amongWrites)
        return judgement.overruns.isEmpty ? judgement : nil
    }

    private func finish(_ outcome: Outcome) -> TransactionStep {
        .done(TransactionOutcome(result: .advancedFlow(outcome)))
    }

    private func step(_ rows: TransactionRows) -> TransactionStep {
        guard let run = rows.run(request.run), run.deletedAt == nil, run.flow != nil, run.revision == flow.revision
        else { return finish(.unknownRun) }
        guard let judgement = judgement(of: run) else { return finish(.needsJudgement(run)) }
        guard case .advanced(let after, let move) = judgement.outcome else { return finish(judgement.outcome) }
        return write(after, move, judgement, rows)
    }

    private func outcome(of run: Run, _ budget: inout EvaluationBudget) -> Outcome {
        guard var progress = run.flow else { return .unknownRun }
        let files = flow.definition.takeFiles(outOf: &progress)
        for attribute in request.attributes { progress.attributes[attribute.key] = attribute.value }
        do throws(FlowRefusal) {
            switch try advance(progress, &budget) {
            case .needs(let exchange): return .needs(exchange, run)
            case .moved(var move):
                move.files += files
                if let exchange = request.hooks.complete(&move, in: flow.definition, from: run.flow) {
                    return .needs(exchange, run)
                }
                var after = run
                after.enter(move.run, of: flow.definition, at: now)
                guard JSONValue.object(after.json).encoded.count <= Self.maximumBytes.run,
                    move.run.files.reduce(0, { $0 + $1.bytes }) <= Self.maximumBytes.files
                else { return .refused(.tooLarge, run) }
                return .advanced(after, move)
            }
        } catch {
            return .refused(error, run)
        }
    }

    private func advance(
        _ progress: FlowRun, _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowAdvance {
        switch request.change {
        case .action(let action):
            return try flow.definition.advance(
                progress, action, at: now, hook: request.hooks.advance, &budget)
        case .dismiss: return .moved(try flow.definition.dismiss(progress))
        case .chat(let action, let step, let key):
            return .moved(try flow.definition.chat(progress, action, at: step, key: key, now: now))
        case .chatReply(let reply, let step, let turn):
            return .moved(try flow.definition.reply(progress, to: turn, at: step, reply, now: now))
        }
    }

    private func write(
        _ run: Run, _ move: FlowMove, _ judgement: Judgement, _ rows: TransactionRows
    ) -> TransactionStep {
        var outcome = TransactionOutcome(result: .advancedFlow(.advanced(run, move)))
        outcome.rows = [(.run(request.run), .run(run))]
        if let kept, let reply = judgement.reply {
            let stored = StoredReply(
                bodyDigest: kept.claim.bodyDigest, status: 200, body: reply,
                subject: ReplySubject(app: request.run.app, runID: run.id))
            outcome.rows.append((.reply(kept.claim.key), .reply(stored, at: now)))
        }
        if run.submittedAt != nil, judgement.before.submittedAt == nil,
            let name = run.respondentName(in: request.run.app)
        {
            guard rows.isLoaded(name) else { return .needs([name]) }
            // Messages that present the flow have done their work.
            var state = ClientState()
            if case .client(let known)? = rows[name] { state = known }
            state.surveys.submit(run.slug, at: now)
            outcome.rows.append((name, .client(state)))
        }
        outcome.files = move.files.map { FileWrite($0, of: request.run.app) }
        outcome.records = FlowTelemetry.records(
            request.hooks.events + move.events, of: run, withAnswers: request.recordsAnswers, at: now
        )
        .map { (request.run.app, $0) }
        return .done(outcome)
    }
}

extension Run {
    /// The row that has what the respondent has done; nil: nobody's.
    func respondentName(in app: String) -> RowName? {
        switch respondent {
        case .user(let id): .user(UserReference(app: app, id: id))
        case .client(let id): .client(ClientReference(app: app, id: id))
        case .anonymous: nil
        }
    }
}

extension JSONValue {
    /// Bytes of the files within it: texts that are data URLs.
    public var fileBytes: Int {
        switch self {
        case .string(let text): text.hasPrefix("data:") ? text.utf8.count : 0
        case .array(let values): values.reduce(0) { $0 + $1.fileBytes }
        case .object(let members): members.reduce(0) { $0 + $1.value.fileBytes }
        default: 0
        }
    }
}
