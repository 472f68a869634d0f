public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// A client turns out to be a user's (docs/reference/surveys.md#identity). What was shown to it, and what it dismissed
/// and answered, becomes the user's; its counters and enrollments stay its own.
public enum IdentifyClient {
    public enum Outcome: Sendable, Hashable {
        /// The slugs whose runs are the user's now.
        case identified(merged: [String])
        /// The client is another user's, and stays so.
        case belongsToAnother
    }

    /// Who says it.
    public enum Authority: Sendable, Hashable {
        /// The app's own client or server.
        case app
        /// A page with a public token: a client of another user stays that user's.
        case page
    }
}

private struct IdentityClaim: Sendable {
    let client: ClientReference
    let user: UserReference
    /// Recipes of which the client has runs.
    let slugs: [String]
    let authority: IdentifyClient.Authority
    let now: Timestamp

    var transaction: Transaction { Transaction(names: names, now: now) { step($0) } }

    private var names: [RowName] {
        [.client(client), .user(user), .alias(user, clientID: client.id)]
            + [list(.client(client.id)), list(.user(user.id))]
            + slugs.flatMap { [current($0, .client(client.id)), current($0, .user(user.id))] }
    }

    /// The same claim, of runs of these recipes.
    func moving(_ slugs: [String]) -> IdentityClaim {
        IdentityClaim(client: client, user: user, slugs: slugs, authority: authority, now: now)
    }

    private func current(_ slug: String, _ respondent: Respondent) -> RowName {
        .currentRun(app: client.app, slug: slug, respondent: respondent.key ?? "")
    }

    private func list(_ respondent: Respondent) -> RowName {
        .runList(app: client.app, respondent: respondent.key ?? "")
    }

    private func step(_ rows: TransactionRows) -> TransactionStep {
        if authority == .page, let owner = rows.user(of: client), owner != user {
            return .done(TransactionOutcome(result: .belongsToAnother))
        }
        let runs = slugs.compactMap { slug -> (slug: String, run: RunReference)? in
            guard case .currentRun(let id?)? = rows[current(slug, .client(client.id))] else { return nil }
            return (slug, RunReference(app: client.app, id: id))
        }
        let missing = runs.map { RowName.run($0.run) }.filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        let unread = runs.flatMap { rows.run($0.run).map { QuotaPlaces.missing($0, of: client.app, in: rows) } ?? [] }
        guard unread.isEmpty else { return .needs(unread) }
        var outcome = TransactionOutcome(result: .identified(merged: []))
        var merged: [String] = []
        var (ownRuns, theirRuns) = (rows.runList(list(.client(client.id))), rows.runList(list(.user(user.id))))
        for (slug, reference) in runs {
            guard var run = rows.run(reference), run.deletedAt == nil else { continue }
            outcome.rows.append((current(slug, .client(client.id)), .currentRun(nil)))
            ownRuns.remove(run.id)
            if case .currentRun(.some)? = rows[current(slug, .user(user.id))] {
                // The user's own run wins.
                outcome.rows += QuotaPlaces.released(run, of: client.app, in: rows)
                (run.deletedAt, run.quotas) = (now, [])
            } else {
                run.respondent = .user(user.id)
                outcome.rows.append((current(slug, .user(user.id)), .currentRun(run.id)))
                merged.append(slug)
                theirRuns.add(run.id)
            }
            outcome.rows.append((.run(reference), .run(run)))
        }
        if !runs.isEmpty {
            outcome.rows += [
                (list(.client(client.id)), .runList(ownRuns)), (list(.user(user.id)), .runList(theirRuns)),
            ]
        }
        var (own, theirs) = (rows.state(of: client), rows.state(of: user))
        // What a client brought to its first user does not go to a second one.
        theirs.surveys.merge(own.surveys)
        theirs.ledger.merge(own.ledger)
        theirs.memory.merge(own.memory)
        theirs.shows.merge(own.shows)
        (own.surveys, own.ledger, own.userID) = (SurveyStanding(), DisplayLedger(), user.id)
        (own.memory, own.shows) = (RespondentMemory(), ShowHistory())
        outcome.rows += [(.client(client), .client(own)), (.user(user), .client(theirs))]
        let alias = RowName.alias(user, clientID: client.id)
        if rows[alias] == nil { outcome.rows.append((alias, .alias)) }
        outcome.result = .identified(merged: merged.sorted { $0.precedes($1) })
        return .done(outcome)
    }
}

extension IdentifyClient {
    /// Runs of one client that are looked for at a time; a client has one of each recipe.
    private static let maximumRuns = 1_000

    public typealias Completion = @Sendable (Result<Outcome, StoreError>) -> Void

    /// Identifies the client. Runs that began between the search and the commit are found by a second round.
    public static func run(
        _ client: ClientReference, as userID: String, by authority: Authority, in store: Persistence, now: Timestamp,
        _ completion: @escaping Completion
    ) {
        let user = UserReference(app: client.app, id: userID)
        let claim = IdentityClaim(client: client, user: user, slugs: [], authority: authority, now: now)
        round(claim, store, merged: [], rounds: 2, completion)
    }

    private static func round(
        _ claim: IdentityClaim, _ store: Persistence, merged: [String], rounds: Int, _ completion: @escaping Completion
    ) {
        var query = RunQuery(app: claim.client.app, limit: maximumRuns)
        query.clientID = claim.client.id
        store.readRuns(query) { result in
            guard case .success(let runs) = result else {
                return completion(result.map { _ in .identified(merged: []) })
            }
            let own = runs.filter { $0.respondent == .client(claim.client.id) }.map(\.slug)
            if rounds < 2, own.isEmpty { return finish(claim, store, merged, completion) }
            let next = claim.moving(Set(own).sorted { $0.precedes($1) })
            store.submit(next.transaction) { result in
                switch result {
                case .success(.identified(let more)) where rounds > 1:
                    round(claim, store, merged: merged + more, rounds: rounds - 1, completion)
                case .success(.identified(let more)): finish(claim, store, merged + more, completion)
                case .success(.belongsToAnother): completion(.success(.belongsToAnother))
                case .success: completion(.failure(.rejected("the client was not identified")))
                case .failure(let error): completion(.failure(error))
                }
            }
        }
    }

    /// The user may have more runs now than a respondent may have.
    private static func finish(
        _ claim: IdentityClaim, _ store: Persistence, _ merged: [String], _ completion: @escaping Completion
    ) {
        let done = { @Sendable in completion(.success(.identified(merged: merged))) }
        guard let list = Respondent.user(claim.user.id).runList(in: claim.user.app) else { return done() }
        RunLimit.enforce(on: list, in: store, now: claim.now, done)
    }
}
