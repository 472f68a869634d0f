public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The state of a questionnaire or survey for a respondent who requests it (docs/reference/surveys.md#eligibility).
public struct FetchRun: Sendable {
    public struct Request: Sendable {
        public var ids: RespondentIDs
        /// The run of an earlier save, which the request names.
        public var responseID: Identifier?
        /// Whether the definition is returned regardless of the respondent's earlier actions and of the number of
        /// responses.
        public var isForced = false
        public var attributes: JSONObject = [:]

        public init(_ ids: RespondentIDs) { self.ids = ids }
    }

    /// The reasons, in the order in which they are reported.
    public enum Ineligibility: String, Sendable, Hashable {
        case inactive
        case globallyDismissed = "globally_dismissed"
        case alreadyResponded = "already_responded"
        /// This respondent found a quota full.
        case screenedOut = "screened_out"
        case responseLimit = "response_limit"
        case quotaFull = "quota_full"
    }

    public struct Finding: Sendable {
        /// The reason why the recipe may not be shown; nil if it may be shown.
        public var reason: Ineligibility?
        /// The draft that the respondent continues.
        public var draft: Run?
        /// The open round, or with `alreadyResponded` the round that was answered last; nil without a respondent. Of
        /// a respondent who was screened out it has only the time of the next try.
        public var round: AnsweredRound?
        /// The respondent's choices in other surveys.
        public var memory = RespondentMemory()
        /// The respondent's facts, which predicates read.
        public var facts = RespondentFacts()
    }

    let request: Request
    let app: AppSnapshot
    let recipe: LoadedRecipe
    let now: Timestamp

    public init(_ request: Request, of recipe: LoadedRecipe, in app: AppSnapshot, now: Timestamp) {
        (self.request, self.app, self.recipe, self.now) = (request, app, recipe, now)
    }

    private var slug: Identifier { recipe.stored.slug }

    public var names: [RowName] {
        request.ids.names + (request.responseID.map { [.run(RunReference(app: app.name, id: $0))] } ?? [])
    }

    /// A forced request overrides all reasons except the first.
    public func answer(_ rows: TransactionRows) -> Inquiry<Finding> {
        guard recipe.isLive, recipe.survey?.definition.isActive == true else {
            return .done(Finding(reason: .inactive))
        }
        let respondent = RespondentRows(ids: request.ids, rows: rows)
        var missing = respondent.missing
        let name = respondent.currentRun(of: slug)
        if let name, !rows.isLoaded(name) { missing.append(name) }
        guard missing.isEmpty else { return .needs(missing) }
        let id = respondent.currentRunID(of: slug) ?? (name == nil ? request.responseID : nil)
        let run = id.map { RunReference(app: app.name, id: $0) }
        if let run, !rows.isLoaded(.run(run)) { return .needs([.run(run)]) }
        let found = run.flatMap { rows.run($0) }.flatMap { $0.deletedAt == nil && $0.slug == slug ? $0 : nil }
        return finding(found, respondent)
    }

    private func finding(_ found: Run?, _ respondent: RespondentRows) -> Inquiry<Finding> {
        let standing = respondent.standing(for: recipe, round: nil, at: now)
        let found = found.flatMap { respondent.isOver($0, of: recipe, at: now) && respondent.name != nil ? nil : $0 }
        let isScreenedOut = found?.status == .screenedOut
        let hasResponded = standing.refusal != nil || found.map { $0.status != .draft && !isScreenedOut } ?? false
        if !request.isForced {
            if standing.hasDismissedAll { return .done(Finding(reason: .globallyDismissed)) }
            if hasResponded {
                let last = respondent.state.surveys.submission(of: slug)?.last(recipe.recipe.repeats)
                return .done(Finding(reason: .alreadyResponded, round: last))
            }
            if isScreenedOut {
                let until = recipe.recipe.repeats.flatMap { rule in
                    found?.updatedAt.adding(milliseconds: rule.unansweredWait)
                }
                return .done(Finding(reason: .screenedOut, round: AnsweredRound(number: nil, until: until)))
            }
            switch closing(found, respondent) {
            case .done(nil): break
            case .done(let reason?): return .done(Finding(reason: reason))
            case .needs(let names): return .needs(names)
            }
        }
        let draft = hasResponded || isScreenedOut ? nil : found
        let round = request.isForced ? nil : respondent.round(of: recipe, at: now)
        return .done(
            Finding(
                draft: draft, round: round.map { AnsweredRound(number: $0, until: nil) },
                memory: respondent.state.memory, facts: respondent.state.facts))
    }

    /// Whether a quota or limit turns the respondent away, whatever the answers are.
    private func closing(_ found: Run?, _ respondent: RespondentRows) -> Inquiry<Ineligibility?> {
        let limits = ClientMessages(app, respondent.clientState ?? ClientState())
            .limits(of: slug, presentedBy: found?.message)
        let names = limits.map { RowName.tally(app: app.name, key: $0.key) }
        let missing = names.filter { !respondent.rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        var facts = ConditionFacts(answers: [:], attributes: request.attributes)
        let state = respondent.personState
        (facts.counters, facts.now) = (state.counters.facts, now)
        facts.segments = app.segments(of: request.ids.clientID, request.attributes, state, at: now)
        var budget = EvaluationBudget.amongWrites
        let reasons = zip(limits, names).compactMap { limit, name in
            limit.closing(respondent.rows.tally(name), facts, slots: found?.quotas ?? [], &budget)
        }
        return .done(reasons.contains(.responseLimit) ? .responseLimit : reasons.first)
    }
}
