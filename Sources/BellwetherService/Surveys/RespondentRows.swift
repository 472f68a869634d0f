internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The ids of the respondent in a request.
public struct RespondentIDs: Sendable, Hashable {
    public var app: Identifier
    public var clientID: Identifier?
    public var userID: Identifier?

    public init(app: Identifier, clientID: Identifier?, userID: Identifier?) {
        (self.app, self.clientID, self.userID) = (app, clientID, userID)
    }

    var client: ClientReference? { clientID.map { ClientReference(app: app, id: $0) } }
    var user: UserReference? { userID.map { UserReference(app: app, id: $0) } }

    /// The rows that identify the respondent.
    var names: [RowName] { [client.map { .client($0) }, user.map { .user($0) }].compactMap(\.self) }
}

/// The respondent's rows, as far as they are read (docs/reference/surveys.md#respondents). The respondent is the named
/// user, otherwise the user that the client was identified with, otherwise the client.
struct RespondentRows {
    let ids: RespondentIDs
    let rows: TransactionRows

    /// The rows that must be read to know the respondent's standing; empty if there are none.
    var missing: [RowName] { user.map { RowName.user($0) }.filter { !rows.isLoaded($0) }.map { [$0] } ?? [] }

    private var user: UserReference? {
        if let user = ids.user { return user }
        return clientState?.userID.map { UserReference(app: ids.app, id: $0) }
    }

    var clientState: ClientState? { ids.client.map { rows.state(of: $0) } }

    var respondent: Respondent {
        if let user { return .user(user.id) }
        return ids.clientID.map { .client($0) } ?? .anonymous
    }

    /// The row with the respondent's standing; nil if there is no respondent.
    var name: RowName? { user.map { .user($0) } ?? ids.client.map { .client($0) } }

    var state: ClientState {
        if let user { return rows.state(of: user) }
        return clientState ?? ClientState()
    }

    /// The client's state with the respondent's facts, which expressions read.
    var personState: ClientState {
        var person = clientState ?? ClientState()
        person.facts = state.facts
        return person
    }

    /// Whether the respondent may answer the recipe now (docs/reference/rounds.md#rounds).
    func roundState(of recipe: LoadedRecipe, at now: Timestamp) -> RoundState {
        state.surveys.state(of: recipe.stored.slug, recipe.recipe.repeats) { $0 <= now }
    }

    /// The round of a run that the respondent begins or continues now; nil if there is no respondent.
    func round(of recipe: LoadedRecipe, at now: Timestamp) -> Int? {
        guard name != nil else { return nil }
        return switch roundState(of: recipe, at: now) {
        case .open(let round): round
        case .answered(let last): last.number
        }
    }

    /// - Parameter round: the round that the client names.
    func standing(for recipe: LoadedRecipe, round: Int?, at now: Timestamp) -> RespondentStanding {
        RespondentStanding(
            hasDismissedAll: state.surveys.dismissedAt != nil, refusal: refusal(of: recipe, round: round, at: now))
    }

    /// The reason why the respondent's earlier answers to the recipe forbid a save or a start.
    func refusal(of recipe: LoadedRecipe, round: Int?, at now: Timestamp) -> SaveRefusal? {
        let rule = recipe.recipe.repeats
        let state = roundState(of: recipe, at: now)
        guard rule != nil else {
            if case .answered = state { return .alreadyResponded(nil) }
            return nil
        }
        let submission = self.state.surveys.submission(of: recipe.stored.slug)
        let next = (submission?.rounds ?? 0) + 1
        if name != nil, let round {
            if round > next { return .wrongRound(next: next) }
            if round < next { return .alreadyResponded(submission?.last(rule)) }
        }
        if case .answered(let last) = state { return .alreadyResponded(last) }
        return nil
    }

    /// Whether a run of the recipe is no longer the one that the respondent continues: a new round or, after the wait,
    /// a new try may begin.
    func isOver(_ run: Run, of recipe: LoadedRecipe, at now: Timestamp) -> Bool {
        guard let rule = recipe.recipe.repeats else { return false }
        guard run.status == .screenedOut else { return run.submittedAt != nil }
        return rule.unansweredWait == 0 || run.updatedAt.adding(milliseconds: rule.unansweredWait) <= now
    }

    /// The respondent's runs. Of a repeating recipe only the newest run counts for the limit of runs.
    func runs(in list: RowName, withoutEarlierOf recipe: LoadedRecipe) -> RunList {
        var runs = rows.runList(list)
        if recipe.recipe.repeats != nil, let id = currentRunID(of: recipe.stored.slug) { runs.remove(id) }
        return runs
    }

    /// The row that contains the id of the respondent's run of a recipe.
    func currentRun(of slug: Identifier) -> RowName? {
        respondent.key.map { .currentRun(app: ids.app, slug: slug, respondent: $0) }
    }

    /// The id of the respondent's run of a recipe; the row is loaded.
    func currentRunID(of slug: Identifier) -> Identifier? {
        guard let name = currentRun(of: slug), case .currentRun(let id)? = rows[name] else { return nil }
        return id
    }
}

extension Optional {
    fileprivate func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped? { flatMap { isIncluded($0) ? $0 : nil } }
}
