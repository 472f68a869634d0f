public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Begins a run of a flow, or finds the one that the respondent has open (docs/reference/flows.md#runs).
public struct StartFlow: FlowUseCase {
    public struct Request: Sendable {
        public var ids: RespondentIDs
        public var start: FlowStart
        /// The id of the run, if it is a new one.
        public var newID: Identifier
        /// The message that presented the flow.
        public var message: Identifier?
        /// The round that the client was told; nil if it names none, or if the flow does not repeat.
        public var round: Int?
        /// Whether telemetry contains the answers.
        public var recordsAnswers = true
        /// The public address of the daemon, for links in notices.
        public var publicURL: String?
        /// Whether an open run may be given to the client that makes the request.
        public var mayResume: @Sendable (Run) -> Bool = { _ in true }

        public init(_ ids: RespondentIDs, _ start: FlowStart, newID: Identifier) {
            (self.ids, self.start, self.newID) = (ids, start, newID)
        }
    }

    public enum Outcome: Sendable {
        case started(Run, FlowBanner?)
        case open(Run)
        /// The respondent has an open run, which the client may not read.
        case withheld
        /// A new run is needed, and the client's address may begin the next one in so many seconds.
        case limited(seconds: Int64)
        /// The flow was paused, ended or deleted while the start waited.
        case inactive
        /// No run may begin: a limit is reached, or a quota is full.
        case closed(FetchRun.Ineligibility)
        /// The respondent's earlier answers forbid a run now.
        case refused(SaveRefusal)
        /// The respondent has the maximum number of runs, and all are open.
        case tooManyRuns
    }

    private let request: Request
    var app: AppSnapshot
    let slug: Identifier
    let flow: FlowContent
    private let now: Timestamp
    var hooks = FlowHookOutcomes()
    /// Whether a new run may begin without an allowance of the client's address.
    private var mayBegin = true

    /// - Parameter flow: the flow of the recipe with this slug.
    public init(_ request: Request, of slug: Identifier, _ flow: FlowContent, in app: AppSnapshot, now: Timestamp) {
        (self.request, self.slug, self.app, self.flow, self.now) = (request, slug, app, flow, now)
    }

    /// Begins a run after the respondent's earlier starts of the flow have their outcomes.
    public func run(
        by driver: ActionDriver, for requester: Requester = Requester(),
        _ completion: @escaping ActionDriver.Completion<Outcome>
    ) {
        var start = self
        start.mayBegin = requester.allowance == nil
        start.perform(by: driver, for: requester, completion)
    }

    var subject: FlowTurns.Subject? {
        var respondent = request.ids
        if respondent.userID != nil { respondent.clientID = nil }
        return .start(slug: slug, respondent)
    }

    mutating func resume(_ apps: ActionDriver.Apps) -> Outcome? { follow(apps) }

    var actionID: Identifier? { nil }

    static var inactive: Outcome { .inactive }

    static func beginsRun(_ outcome: Outcome) -> Bool { if case .started = outcome { true } else { false } }

    var transaction: Transaction<ActionStep<StartFlow>> {
        Transaction(names: request.ids.names + [.run(reference(request.newID))], now: now) { step($0) }
    }

    private func reference(_ id: Identifier) -> RunReference { RunReference(app: app.name, id: id) }

    private func step(_ rows: TransactionRows) -> Step {
        let respondent = RespondentRows(ids: request.ids, rows: rows)
        let current = respondent.currentRun(of: slug)
        let missing = respondent.missing + [current].compactMap(\.self).filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        // Without `repeat` a flow may be run any number of times.
        let recipe = app.recipes[slug].flatMap { $0.recipe.repeats == nil ? nil : $0 }
        let refusal = recipe.flatMap { respondent.refusal(of: $0, round: request.round, at: now) }
        if let refusal, request.round != nil, !isWaiting(refusal, respondent) { return .end(.refused(refusal)) }
        if let id = respondent.currentRunID(of: slug) {
            guard rows.isLoaded(.run(reference(id))) else { return .needs([.run(reference(id))]) }
            if let run = rows.run(reference(id)), run.deletedAt == nil {
                if run.flow?.status == .active { return .end(request.mayResume(run) ? .open(run) : .withheld) }
                if let recipe, refusal == nil, run.status == .screenedOut,
                    !respondent.isOver(run, of: recipe, at: now)
                {
                    return .end(.closed(.quotaFull))
                }
            }
        }
        if let refusal { return .end(.refused(refusal)) }
        guard mayBegin else {
            var next = self
            next.mayBegin = true
            return .need(.allowance(next: next) { .limited(seconds: $0) })
        }
        let list = respondent.respondent.runList(in: app.name)
        if let list {
            guard rows.isLoaded(list) else { return .needs([list]) }
            guard runs(list, respondent).ids.count < RunLimit.maximum else {
                return .need(.room(list, otherwise: .tooManyRuns))
            }
        }
        return begin(respondent, current)
    }

    /// Whether the refusal is of the next round, which has not opened: an open run of it may go on.
    private func isWaiting(_ refusal: SaveRefusal, _ respondent: RespondentRows) -> Bool {
        guard case .alreadyResponded = refusal else { return false }
        return request.round == respondent.state.surveys.rounds(of: slug) + 1
    }

    private func runs(_ list: RowName, _ respondent: RespondentRows) -> RunList {
        app.recipes[slug].map { respondent.runs(in: list, withoutEarlierOf: $0) } ?? respondent.rows.runList(list)
    }

    private func begin(_ respondent: RespondentRows, _ current: RowName?) -> Step {
        var move = flow.definition.start(request.start, at: now)
        let exchange = hooks.complete(&move, in: flow.definition, from: nil)
        var run = Run(
            id: request.newID, slug: slug, kind: .flow, revision: flow.revision, respondent: respondent.respondent,
            at: now)
        run.clientID = request.ids.clientID
        run.round = app.recipes[slug].flatMap { respondent.round(of: $0, at: now) }
        run.message = request.message
        if let locale = request.start.locale { run.facts = ["locale": .string(locale)] }
        if let state = respondent.clientState, let key = request.message {
            let enrollment = ClientMessages(app, state).facts(of: key)?.enrollment
            (run.experiment, run.branch) = (enrollment?.slug, enrollment?.branch)
        }
        if let experiment = run.experiment,
            let branch = request.start.context["experimentOverrides"]?.object?[experiment]?.identifier
        {
            run.branch = branch
        }
        run.enter(move.run, of: flow.definition, at: now)
        let limits = FlowLimits(of: run, in: app, respondent.personState, at: now)
        let missing = limits.limits.names(of: app.name).filter { !respondent.rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        var budget = EvaluationBudget.amongWrites
        if let reason = limits.closing(move.run, of: app.name, at: now, respondent.rows, &budget) {
            return .end(.closed(reason))
        }
        if let exchange { return .need(calling(exchange, about: run)) }
        let facts = limits.facts(move.run, at: now)
        let verdicts = limits.limits.map { $0.judge(facts, &budget) }
        let tallies = limits.limits.count(&run, verdicts, isFinal: false, of: app.name, in: respondent.rows)
        var written = beginning(run, move, respondent, current, tallies ?? [])
        written.outbox = LimitNotices(app: app, run: run, id: request.newID, publicURL: request.publicURL, now: now)
            .webhooks(of: limits.limits, tallies ?? [], over: respondent.rows)
        return .done(written)
    }

    private func beginning(
        _ run: Run, _ move: FlowMove, _ respondent: RespondentRows, _ current: RowName?,
        _ tallies: [(RowName, RowValue)]
    ) -> Written {
        var outcome = Written(result: .done(.started(run, move.banner)))
        outcome.rows = [(.run(reference(run.id)), .run(run))] + tallies
        if let current { outcome.rows.append((current, .currentRun(run.id))) }
        if let name = run.respondent.runList(in: app.name) {
            var list = runs(name, respondent)
            list.add(run.id)
            outcome.rows.append((name, .runList(list)))
        }
        outcome.records = FlowTelemetry.records(
            hooks.events + move.events, of: run, repeats: repeats, withAnswers: request.recordsAnswers, at: now
        )
        .map { (app.name, $0) }
        return outcome
    }
}

/// The records of flows, each with the attribution of its respondent (docs/reference/flows.md#events).
enum FlowTelemetry {
    /// The members that contain answers, or the response of the owner's server to them.
    private static let answerKeys = ["selection_data", "responses", "response_body"]
    /// The events of a run that name its round.
    private static let roundNames: Set<Identifier> = ["onboarding_flow_started", "onboarding_flow_completed"]

    static func records(
        _ events: [FlowEvent], of run: Run, repeats: Bool, withAnswers: Bool, at now: Timestamp
    ) -> [TelemetryRecord] {
        events.map { event in
            var extra = event.extra
            if roundNames.contains(event.name), let round = run.statedRound(repeats: repeats) {
                extra["round"] = .integer(Int64(round))
            }
            // Without answers, a record contains no text that a client chooses.
            if withAnswers {
                for part in run.attribution { extra[part.key] = part.value }
            } else {
                for key in answerKeys { extra[key] = nil }
            }
            return TelemetryRecord(
                at: now, clientID: run.clientID ?? run.respondent.userID ?? "", category: "onboarding",
                name: event.name, extra: extra, experiment: run.experiment, branch: run.branch)
        }
    }
}
