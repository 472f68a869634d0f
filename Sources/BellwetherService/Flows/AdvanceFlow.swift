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
        case unknownRun
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

    let request: Request
    let flow: FlowContent
    let now: Timestamp

    /// `flow` is the revision that the run began with.
    public init(_ request: Request, _ flow: FlowContent, now: Timestamp) {
        (self.request, self.flow, self.now) = (request, flow, now)
    }

    /// Bytes of a run, and of its files.
    private static let maximumBytes = (run: 1 << 20, files: 8 << 20)

    /// `reply` makes what the same id is answered again. What is refused may be tried again under its id.
    public func transaction(
        _ claim: IdempotencyClaim?, reply: @escaping @Sendable (Run, FlowMove) -> [UInt8]
    ) -> Transaction {
        let names = [RowName.run(request.run)] + (claim.map { [.reply($0.key)] } ?? [])
        return Transaction(names: names, now: now) { rows in
            if let claim, let earlier = rows.reply(under: claim.key) {
                return .done(TransactionOutcome(result: .replayed(earlier)))
            }
            switch step(rows) {
            case .needs(let names): return .needs(names)
            case .done(var outcome):
                // A message of a chat is answered when the owner's server has replied.
                guard let claim, case .advancedFlow(.advanced(let run, let move)) = outcome.result,
                    move.chat?.exchange == nil
                else { return .done(outcome) }
                let kept = StoredReply(
                    bodyDigest: claim.bodyDigest, status: 200, body: reply(run, move),
                    subject: ReplySubject(app: request.run.app, runID: run.id))
                outcome.rows.append((.reply(claim.key), .reply(kept, at: now)))
                return .done(outcome)
            }
        }
    }

    private func finish(_ outcome: Outcome) -> TransactionStep {
        .done(TransactionOutcome(result: .advancedFlow(outcome)))
    }

    private func step(_ rows: TransactionRows) -> TransactionStep {
        guard let run = rows.run(request.run), run.deletedAt == nil, var progress = run.flow,
            run.revision == flow.revision
        else { return finish(.unknownRun) }
        let files = flow.definition.takeFiles(outOf: &progress)
        for attribute in request.attributes { progress.attributes[attribute.key] = attribute.value }
        do throws(FlowRefusal) {
            switch try advance(progress) {
            case .needs(let exchange): return finish(.needs(exchange, run))
            case .moved(var move):
                move.files += files
                if let exchange = request.hooks.complete(&move, in: flow.definition, from: run.flow) {
                    return finish(.needs(exchange, run))
                }
                return write(move, run, rows)
            }
        } catch {
            return finish(.refused(error, run))
        }
    }

    private func advance(_ progress: FlowRun) throws(FlowRefusal) -> FlowAdvance {
        switch request.change {
        case .action(let action):
            return try flow.definition.advance(progress, action, at: now, hook: request.hooks.advance)
        case .dismiss: return .moved(try flow.definition.dismiss(progress))
        case .chat(let action, let step, let key):
            return .moved(try flow.definition.chat(progress, action, at: step, key: key, now: now))
        case .chatReply(let reply, let step, let turn):
            return .moved(try flow.definition.reply(progress, to: turn, at: step, reply, now: now))
        }
    }

    private func write(_ move: FlowMove, _ before: Run, _ rows: TransactionRows) -> TransactionStep {
        var run = before
        run.enter(move.run, of: flow.definition, at: now)
        guard JSONValue.object(run.json).encoded.count <= Self.maximumBytes.run,
            move.run.files.reduce(0, { $0 + $1.bytes }) <= Self.maximumBytes.files
        else { return finish(.refused(.tooLarge, before)) }
        var outcome = TransactionOutcome(result: .advancedFlow(.advanced(run, move)))
        outcome.rows = [(.run(request.run), .run(run))]
        if run.submittedAt != nil, before.submittedAt == nil, let name = run.respondentName(in: request.run.app) {
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
