public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Imports a response that was given elsewhere. It is one transaction over the run's row, the row of the current run,
/// and the respondent's row (docs/reference/surveys.md#import-of-responses).
///
/// The response is judged like a save, without the refusals that only a respondent gets: whether the recipe accepts
/// answers now, and whether questionnaires were dismissed. It takes no slot in a quota, and nothing is sent.
public struct ImportRun: Action {
    /// A response from the other system.
    public struct Row: Sendable {
        public var ids: RespondentIDs
        public var origin: RunOrigin
        public var answers: JSONObject = [:]
        /// The status: draft, or one that owners set.
        public var status = Run.Status.new
        public var createdAt: Timestamp
        public var updatedAt: Timestamp
        /// Nil for a draft.
        public var submittedAt: Timestamp?
        public var facts: JSONObject = [:]
        public var isDevelopment = false

        public init(ids: RespondentIDs, origin: RunOrigin, at time: Timestamp) {
            (self.ids, self.origin, createdAt, updatedAt) = (ids, origin, time, time)
        }
    }

    public enum Outcome: Sendable, Hashable {
        case imported
        /// The response was imported before.
        case known
        /// The respondent has another response, or another draft.
        case respondentHasRun
        /// The respondent has the maximum number of runs, and all are open.
        case tooManyRuns
    }

    /// The run as it will be stored, without its respondent.
    private let run: Run
    private let recipe: LoadedRecipe
    private let ids: RespondentIDs
    private let recordsAnswers: Bool
    private let now: Timestamp

    /// Judges the row at the time of its submission or last save, because the range of a date picker depends on the
    /// day.
    ///
    /// - Parameter id: the id of the run, the same for each repetition.
    public init(
        _ row: Row, as id: Identifier, of recipe: LoadedRecipe, recordsAnswers: Bool, now: Timestamp,
        _ budget: inout EvaluationBudget
    ) throws(SaveRefusal) {
        guard let content = recipe.survey else { throw .inactive }
        var run = Run(
            id: id, slug: recipe.stored.slug, kind: content.definition.kind, revision: content.run.revision,
            respondent: .anonymous, at: row.createdAt)
        (run.facts, run.isDevelopment, run.origin) = (row.facts, row.isDevelopment, row.origin)
        let save = RunSave(answers: row.answers, isComplete: row.submittedAt != nil)
        let facts = content.facts(at: row.submittedAt ?? row.updatedAt, attributes: [:])
        var judged = try content.run.judging(save, to: run, facts, &budget).run
        (judged.status, judged.updatedAt, judged.submittedAt) = (row.status, row.updatedAt, row.submittedAt)
        (self.run, self.recipe) = (judged, recipe)
        (ids, self.recordsAnswers, self.now) = (row.ids, recordsAnswers, now)
    }

    var names: [RowName] { ids.names + [.run(reference)] }

    private var reference: RunReference { RunReference(app: ids.app, id: run.id) }

    var transaction: Transaction<ActionStep<ImportRun>> {
        Transaction(names: names, now: now) { step($0) }.keeping(bytes: JSONValue.object(run.answers).encoded.count)
    }

    /// The outcome of the import; nothing is written.
    func question(_ rows: TransactionRows) -> Inquiry<Outcome> {
        switch step(rows) {
        case .needs(let names): .needs(names)
        case .done(let written):
            switch written.result {
            case .done(let outcome), .needs(.room(_, otherwise: let outcome)): .done(outcome)
            case .needs: .done(.tooManyRuns)
            }
        }
    }

    private func step(_ rows: TransactionRows) -> Step {
        guard rows.run(reference) == nil else { return .end(.known) }
        let respondent = RespondentRows(ids: ids, rows: rows)
        guard respondent.missing.isEmpty else { return .needs(respondent.missing) }
        let (current, list) = (respondent.currentRun(of: run.slug), respondent.respondent.runList(in: ids.app))
        let missing = [current, list].compactMap(\.self).filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        let currentID = respondent.currentRunID(of: run.slug).map { RunReference(app: ids.app, id: $0) }
        if let currentID, !rows.isLoaded(.run(currentID)) { return .needs([.run(currentID)]) }
        guard isFree(respondent, besides: currentID.flatMap { rows.run($0) }) else { return .end(.respondentHasRun) }
        if let list, respondent.runs(in: list, withoutEarlierOf: recipe).ids.count >= RunLimit.maximum {
            return .need(.room(list, otherwise: .tooManyRuns))
        }
        return .done(outcome(respondent, after: currentID.flatMap { rows.run($0) }))
    }

    /// Whether the respondent may have the response. An answer to a repeating recipe is one more round, whatever the
    /// waits are (docs/reference/rounds.md#identify-and-import).
    private func isFree(_ respondent: RespondentRows, besides current: Run?) -> Bool {
        let rounds = respondent.state.surveys.rounds(of: run.slug)
        guard recipe.recipe.repeats != nil, run.submittedAt != nil else { return current == nil && rounds == 0 }
        return current?.status != .draft && rounds < RepeatRule.maximumRounds
    }

    private func outcome(_ respondent: RespondentRows, after former: Run?) -> Written {
        var run = run
        (run.respondent, run.clientID) = (respondent.respondent, ids.clientID)
        var outcome = Written(result: .done(.imported))
        var state = respondent.state
        let repeats = recipe.recipe.repeats != nil
        if respondent.name != nil {
            run.round = run.submittedAt.map { state.surveys.submit(run.slug, at: $0, repeats: repeats) } ?? 1
            run.follow(former)
            if let content = recipe.published { state.facts.note(run, of: content) }
        }
        outcome.rows = [(.run(reference), .run(run))]
        if let current = respondent.currentRun(of: run.slug) { outcome.rows.append((current, .currentRun(run.id))) }
        if let name = respondent.respondent.runList(in: ids.app) {
            var list = respondent.runs(in: name, withoutEarlierOf: recipe)
            list.add(run.id)
            outcome.rows.append((name, .runList(list)))
        }
        if let name = respondent.name, run.submittedAt != nil { outcome.rows.append((name, .client(state))) }
        let record = SurveyTelemetry.record(
            "imported", of: run, repeats: repeats, withAnswers: recordsAnswers, at: now)
        outcome.records = [(ids.app, record)]
        return outcome
    }
}
