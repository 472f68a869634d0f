public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Saves answers. It is one transaction over the run's row, the row of the current run, and the respondent's row
/// (docs/reference/surveys.md#saving).
public struct SaveRun: Action {
    public typealias Outcome = Claimed<SaveOutcome>

    public struct Request: Sendable {
        public var ids: RespondentIDs
        public var slug: Identifier
        /// The run of an earlier save, for requests without another id.
        public var responseID: Identifier?
        public var save: RunSave
        /// The id of the run, if it is a new one.
        public var newID: Identifier
        /// The id of the webhook, if there is one.
        public var webhookID: Identifier
        /// The message that presented the recipe.
        public var message: Identifier?
        public var facts: JSONObject = [:]
        public var isDevelopment = false
        public var attributes: JSONObject = [:]
        /// The public address of the daemon, for links in notifications.
        public var publicURL: String?
        /// Whether telemetry contains the answers.
        public var recordsAnswers = true
        /// Whether every save is a separate run, like the submissions of SurveyNative.
        public var isAlwaysNew = false

        public init(ids: RespondentIDs, slug: Identifier, save: RunSave, newID: Identifier, webhookID: Identifier) {
            (self.ids, self.slug, self.save) = (ids, slug, save)
            (self.newID, self.webhookID) = (newID, webhookID)
        }
    }

    /// Makes the reply that is stored under an idempotency key; nil if there is no key.
    public var write: IdempotentWrite<SaveOutcome>?
    /// A judgement that was made before the transaction.
    var judgement: SaveJudgement?
    /// Whether a new run may begin without an allowance of the client's address.
    private var mayBegin = true
    let request: Request
    let app: AppSnapshot
    let recipe: LoadedRecipe
    let content: SurveyContent
    let now: Timestamp

    /// - Parameter content: the content of the recipe.
    public init(
        _ request: Request, of recipe: LoadedRecipe, _ content: SurveyContent, in app: AppSnapshot, now: Timestamp
    ) {
        (self.request, self.app, self.recipe, self.content, self.now) = (request, app, recipe, content, now)
    }

    public func run(
        by driver: ActionDriver, for requester: Requester = Requester(),
        _ completion: @escaping ActionDriver.Completion<Outcome>
    ) {
        var save = self
        save.mayBegin = requester.allowance == nil
        driver.perform(save, for: requester, completion)
    }

    static func beginsRun(_ outcome: Outcome) -> Bool {
        if case .done(.saved(_, isNew: true)) = outcome { true } else { false }
    }

    var transaction: Transaction<ActionStep<SaveRun>> {
        var names = request.ids.names
        if let id = request.responseID { names.append(.run(reference(id))) }
        if let write { names.append(.reply(write.claim.key)) }
        return Transaction(names: names, now: now) { rows in
            if let claim = write?.claim, let earlier = rows.reply(under: claim.key) {
                return .end(earlier.bodyDigest == claim.bodyDigest ? .replayed(earlier) : .keyConflict)
            }
            let step = step(rows)
            guard let write, case .done(var written) = step, case .done(.done(let outcome)) = written.result else {
                return step
            }
            let (status, body) = write.reply(outcome)
            let stored = StoredReply(
                bodyDigest: write.claim.bodyDigest, status: status, body: body, subject: subject(of: outcome, rows))
            written.rows.append((.reply(write.claim.key), .reply(stored, at: now)))
            return .done(written)
        }
    }

    private func reference(_ id: Identifier) -> RunReference { RunReference(app: app.name, id: id) }

    /// The subject of the reply to a save: the run that was saved, or the respondent who was refused.
    private func subject(of outcome: SaveOutcome, _ rows: TransactionRows) -> ReplySubject {
        let respondent = RespondentRows(ids: request.ids, rows: rows).respondent
        var runID = request.responseID
        if case .saved(let saved, _) = outcome { runID = saved.run.id }
        return ReplySubject(
            app: app.name, clientID: request.ids.clientID, userID: respondent.userID, runID: runID)
    }

    private func step(_ rows: TransactionRows) -> Step {
        let respondent = RespondentRows(ids: request.ids, rows: rows)
        var found: Run?
        var former: Run?
        if !request.save.isForced, !request.isAlwaysNew {
            var missing = respondent.missing
            if let name = respondent.currentRun(of: request.slug), !rows.isLoaded(name) { missing.append(name) }
            guard missing.isEmpty else { return .needs(missing) }
            if let id = respondent.currentRunID(of: request.slug) {
                guard rows.isLoaded(.run(reference(id))) else { return .needs([.run(reference(id))]) }
                found = rows.run(reference(id))
                former = found
                if let run = found, standing(respondent).refusal == nil, respondent.isOver(run, of: recipe, at: now) {
                    found = nil
                }
            } else if answeredRun(respondent) != nil {
                found = nil
            } else if let id = request.responseID {
                guard let run = rows.run(reference(id)), run.slug == request.slug, isOpen(run, to: respondent) else {
                    return .end(.done(.unknownRun))
                }
                found = run
            }
        } else if !respondent.missing.isEmpty {
            return .needs(respondent.missing)
        }
        if found?.deletedAt != nil { found = nil }
        return saving(to: found, after: former, respondent)
    }

    /// Whether the respondent may continue the run. An anonymous run is found by its id, and becomes the respondent's.
    private func isOpen(_ run: Run, to respondent: RespondentRows) -> Bool {
        run.deletedAt == nil && run.respondent == .anonymous && run.status != .preview
    }

    private func standing(_ respondent: RespondentRows) -> RespondentStanding {
        guard !request.isAlwaysNew else { return RespondentStanding() }
        var standing = respondent.standing(for: recipe, round: request.save.round, at: now)
        if let run = answeredRun(respondent) {
            let last = respondent.state.surveys.submission(of: request.slug)?.last(recipe.recipe.repeats)
            standing.refusal = .alreadyResponded(AnsweredRound(number: run.round, until: last?.until))
        }
        return standing
    }

    /// The answered run that the request names, if the recipe repeats: such a save never begins a round.
    private func answeredRun(_ respondent: RespondentRows) -> Run? {
        guard recipe.recipe.repeats != nil, let id = request.responseID,
            let run = respondent.rows.run(reference(id)), run.slug == request.slug, run.deletedAt == nil,
            run.submittedAt != nil, run.status != .preview
        else { return nil }
        return run
    }

    /// - Parameter former: the respondent's newest run, if another one begins.
    private func saving(to found: Run?, after former: Run?, _ respondent: RespondentRows) -> Step {
        guard recipe.isLive else { return .end(.done(.refused(.inactive))) }
        guard found != nil || mayBegin else {
            var next = self
            next.mayBegin = true
            return .need(.allowance(next: next) { .done(.limited(seconds: $0)) })
        }
        var run = found ?? newRun(respondent)
        if found == nil { describe(&run, respondent) }
        // Each save replaces the client's facts.
        for fact in request.facts { run.facts[fact.key] = fact.value }
        for kept in content.definition.keep.values(of: request.attributes) { run.attributes[kept.key] = kept.value }
        if !request.save.isForced {
            run.respondent = respondent.respondent
            // From now on a run without a respondent is found by its client.
            run.clientID = run.clientID ?? request.ids.clientID
        }
        if !request.save.isForced, !request.isAlwaysNew {
            run.round = respondent.round(of: recipe, at: now)
            if found == nil { run.follow(former) }
        }
        let state = respondent.personState
        let situation = SaveJudgement.Situation(
            run: run, standing: standing(respondent),
            counters: state.counters.facts,
            segments: app.segments(of: request.ids.clientID, request.attributes, state, at: now),
            attributes: app.attributes(of: content, request.attributes, request.ids.clientID, state),
            limits: limits(of: run, respondent))
        // All rows are read before the judgement, so that it is made once.
        let missing = names(situation, found: found, respondent).filter { !respondent.rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        guard let judgement = judgement(of: situation) else {
            return .need(.judgement { judged(situation) })
        }
        switch judgement.result {
        case .failure(let refusal): return .end(.done(.refused(refusal)))
        case .success(let saved): return counting(saved, judgement, found: found, respondent)
        }
    }

    /// The rows that a save reads and changes, beside the respondent's rows.
    private func names(
        _ situation: SaveJudgement.Situation, found: Run?, _ respondent: RespondentRows
    ) -> [RowName] {
        var names = situation.limits.names(of: app.name)
        names += QuotaSlots.names([situation.run], app.name)
        if let list = list(found, respondent) { names.append(list) }
        if found == nil { names.append(.run(reference(request.newID))) }
        names += goals(of: situation.run)?.missing(respondent.rows) ?? []
        return names
    }

    private func goals(of run: Run) -> SubmissionGoals? {
        SubmissionGoals(run, by: request.ids.client, in: app, at: now)
    }

    /// Takes slots in quotas. A run that meets a full quota is screened out.
    private func counting(
        _ saved: SavedRun, _ judgement: SaveJudgement, found: Run?, _ respondent: RespondentRows
    ) -> Step {
        if let list = list(found, respondent),
            respondent.runs(in: list, withoutEarlierOf: recipe).ids.count >= RunLimit.maximum
        {
            return .need(.room(list, otherwise: .done(.tooManyRuns)))
        }
        var run = saved.run
        let tallies = judgement.situation.limits.count(
            &run, judgement.verdicts, isFinal: saved.wasSubmitted, of: app.name, in: respondent.rows)
        guard let tallies else { return screeningOut(saved.run, found: found, respondent) }
        let counted = SavedRun(
            run: run, wasSubmitted: saved.wasSubmitted, resumeAt: saved.resumeAt,
            effectiveAnswers: saved.effectiveAnswers)
        var outcome = outcome(counted, found: found, respondent)
        if saved.wasSubmitted, !request.save.isForced {
            let webhooks = ResponseWebhooks(
                run, of: content.definition, in: app, id: request.webhookID, publicURL: request.publicURL, now: now)
            outcome.outbox = webhooks.rows(notifies: judgement.notifies)
        }
        outcome.outbox += LimitNotices(
            app: app, run: run, id: request.webhookID, publicURL: request.publicURL, now: now
        )
        .webhooks(of: judgement.situation.limits, tallies, over: respondent.rows)
        outcome.rows += tallies
        return .done(outcome)
    }

    /// The list that the run is added to; nil if it is in the list already, or if it has no respondent.
    private func list(_ found: Run?, _ respondent: RespondentRows) -> RowName? {
        guard !request.save.isForced, !request.isAlwaysNew, found?.respondent != respondent.respondent else {
            return nil
        }
        return respondent.respondent.runList(in: app.name)
    }

    /// Screens a run out. It loses its slots, and accepts no more answers.
    private func screeningOut(_ saved: Run, found: Run?, _ respondent: RespondentRows) -> Step {
        var run = saved
        let released = QuotaSlots.released([run], of: app.name, in: respondent.rows)
        (run.status, run.submittedAt, run.snapshot, run.quotas) = (.screenedOut, nil, nil, [])
        let result = SavedRun(run: run, wasSubmitted: false, resumeAt: nil, effectiveAnswers: [:])
        var outcome = outcome(result, found: found, respondent)
        outcome.rows += released
        return .done(outcome)
    }

    /// The limits of the recipe's own offer, and of the message that presented it.
    private func limits(of run: Run, _ respondent: RespondentRows) -> [ResponseLimits] {
        guard !request.save.isForced, !run.isDevelopment else { return [] }
        return ClientMessages(app, respondent.clientState ?? ClientState())
            .limits(of: run.slug, presentedBy: run.message)
    }

    private func newRun(_ respondent: RespondentRows) -> Run {
        Run(
            id: request.newID, slug: request.slug, kind: content.definition.kind, revision: content.run.revision,
            respondent: request.save.isForced || request.isAlwaysNew ? .anonymous : respondent.respondent, at: now)
    }

    /// The facts that a run keeps of its first save.
    private func describe(_ run: inout Run, _ respondent: RespondentRows) {
        run.clientID = request.ids.clientID
        run.isDevelopment = request.isDevelopment
        run.message = request.message
        guard let state = respondent.clientState else { return }
        let messages = ClientMessages(app, state)
        let enrollment =
            request.message.map { messages.facts(of: $0)?.enrollment } ?? messages.enrollment(presenting: request.slug)
        (run.experiment, run.branch) = (enrollment?.slug, enrollment?.branch)
    }

    private func outcome(_ saved: SavedRun, found: Run?, _ respondent: RespondentRows) -> Written {
        let run = saved.run
        var outcome = Written(result: .done(.done(.saved(saved, isNew: found == nil))))
        outcome.rows.append((.run(reference(run.id)), .run(run)))
        guard !request.save.isForced else { return outcome }
        if !request.isAlwaysNew {
            if let name = respondent.currentRun(of: request.slug),
                respondent.currentRunID(of: request.slug) != run.id
            {
                outcome.rows.append((name, .currentRun(run.id)))
            }
            if let name = list(found, respondent) {
                var list = respondent.runs(in: name, withoutEarlierOf: recipe)
                list.add(run.id)
                outcome.rows.append((name, .runList(list)))
            }
            if let name = respondent.name {
                var state = respondent.state
                if saved.wasSubmitted {
                    state.surveys.submit(request.slug, at: now, repeats: recipe.recipe.repeats != nil)
                    state.facts.note(run, of: content)
                }
                for choice in chosen(saved) { state.memory.remember(choice.type, under: choice.id) }
                if saved.wasSubmitted || state.memory != respondent.state.memory {
                    outcome.rows.append((name, .client(state)))
                }
            }
        }
        if saved.wasSubmitted { goals(of: run)?.count(in: &outcome.rows, respondent.rows) }
        outcome.records = records(saved, isNew: found == nil).map { (app.name, $0) }
        return outcome
    }

    /// The choices in this save that later questions offer first.
    private func chosen(_ saved: SavedRun) -> [(id: Identifier, type: Identifier)] {
        let answers = saved.effectiveAnswers.filter { request.save.answers[$0.key] != nil }
        return content.definition.questions.choicesToRemember(in: JSONObject(answers))
    }

    private func records(_ saved: SavedRun, isNew: Bool) -> [TelemetryRecord] {
        var names: [Identifier] = isNew ? ["started"] : []
        let isScreenedOut = saved.run.status == .screenedOut
        names.append(isScreenedOut ? "screened_out" : saved.wasSubmitted ? "submitted" : "saved")
        return names.map { name in
            SurveyTelemetry.record(
                name, of: saved.run, repeats: recipe.recipe.repeats != nil, withAnswers: request.recordsAnswers, at: now
            )
        }
    }
}

/// The outcome of a save that is no repetition.
public enum SaveOutcome: Sendable {
    case saved(SavedRun, isNew: Bool)
    case refused(SaveRefusal)
    /// There is no run of this id.
    case unknownRun
    /// A new run is needed, and the client's address may begin the next one in so many seconds.
    case limited(seconds: Int64)
    /// The respondent has the maximum number of runs, and all are open.
    case tooManyRuns
}

/// The records of questionnaires and surveys (docs/reference/events.md#questionnaires-and-surveys).
enum SurveyTelemetry {
    static func record(
        _ name: Identifier, of run: Run, repeats: Bool, withAnswers: Bool, at now: Timestamp
    ) -> TelemetryRecord {
        var extra: JSONObject = ["slug": .string(run.slug), "revision": .integer(Int64(run.revision))]
        if name != "imported", let round = run.statedRound(repeats: repeats) {
            extra["round"] = .integer(Int64(round))
        }
        if let message = run.message { extra["message_key"] = .string(message) }
        if run.isDevelopment { extra["is_dev"] = true }
        if name == "imported" {
            extra["source"] = run.origin.map { .string($0.source) }
            extra["status"] = .string(run.status.rawValue)
            extra["created_at"] = .string(run.createdAt.rfc3339)
            extra["submitted_at"] = run.submittedAt.map { .string($0.rfc3339) }
        }
        if name == "submitted" || name == "imported", withAnswers { extra["answers"] = .object(run.openAnswers) }
        return TelemetryRecord(
            at: now, clientID: run.clientID ?? run.respondent.userID ?? "", category: Identifier(run.kind.rawValue),
            name: name,
            extra: extra, experiment: run.experiment, branch: run.branch)
    }
}
