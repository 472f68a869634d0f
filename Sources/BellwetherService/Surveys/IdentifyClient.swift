public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// Identifies a client with a user (docs/reference/surveys.md#identity). The client's displays, dismissals and answers
/// become the user's; its counters and enrollments stay with the client.
public enum IdentifyClient {
    public enum Outcome: Sendable, Hashable {
        /// The slugs whose runs are the user's now.
        case identified(merged: [Identifier])
        /// The client belongs to another user, and stays so.
        case belongsToAnother
    }

    /// The authority for the identification.
    public enum Authority: Sendable, Hashable {
        /// The app's own client or server.
        case app
        /// A page with a public token. A client of another user stays with that user.
        case page
    }
}

private struct IdentityClaim: Sendable {
    let client: ClientReference
    let user: UserReference
    /// The recipes of which the client has runs.
    let slugs: [Identifier]
    let authority: IdentifyClient.Authority
    let now: Timestamp

    var transaction: Transaction<IdentifyClient.Outcome> { Transaction(names: names, now: now) { step($0) } }

    private var names: [RowName] {
        [.client(client), .user(user), .alias(user, clientID: client.id)]
            + [list(.client(client.id)), list(.user(user.id))]
            + slugs.flatMap { [current($0, .client(client.id)), current($0, .user(user.id))] }
    }

    /// The claim for runs of these recipes.
    func moving(_ slugs: [Identifier]) -> IdentityClaim {
        IdentityClaim(client: client, user: user, slugs: slugs, authority: authority, now: now)
    }

    func current(_ slug: Identifier, _ respondent: Respondent) -> RowName {
        .currentRun(app: client.app, slug: slug, respondent: respondent.key ?? "")
    }

    private func list(_ respondent: Respondent) -> RowName {
        .runList(app: client.app, respondent: respondent.key ?? "")
    }

    private func step(_ rows: TransactionRows) -> TransactionStep<IdentifyClient.Outcome> {
        if authority == .page, let owner = rows.user(of: client), owner != user {
            return .done(TransactionOutcome(result: .belongsToAnother))
        }
        let pairs = slugs.compactMap { slug in
            run(of: .client(client.id), slug, rows).map { own in
                (slug: slug, own: own, theirs: run(of: .user(user.id), slug, rows))
            }
        }
        let names = pairs.flatMap { [$0.own, $0.theirs].compactMap(\.self) }
        let missing = names.filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        let unread = names.flatMap { name in
            rows.existingRun(name).map { QuotaSlots.names([$0], client.app) } ?? []
        }.filter { !rows.isLoaded($0) }
        guard unread.isEmpty else { return .needs(unread) }
        var merge = RunMerge(
            claim: self, rows: rows, own: rows.runList(list(.client(client.id))),
            theirs: rows.runList(list(.user(user.id))))
        for pair in pairs {
            guard let own = rows.existingRun(pair.own) else { continue }
            merge.add(own, pair.theirs.flatMap { rows.existingRun($0) }, of: pair.slug)
        }
        var outcome = TransactionOutcome(
            result: IdentifyClient.Outcome.identified(merged: merge.merged.sorted()))
        // Runs of several recipes may have slots in one tally.
        let released = QuotaSlots.released(merge.deleted, of: client.app, in: rows)
        outcome.rows = merge.changes + released + identified(rows)
        if !pairs.isEmpty {
            outcome.rows += [
                (list(.client(client.id)), .runList(merge.own)), (list(.user(user.id)), .runList(merge.theirs)),
            ]
        }
        return .done(outcome)
    }

    private func run(of respondent: Respondent, _ slug: Identifier, _ rows: TransactionRows) -> RowName? {
        guard case .currentRun(let id?)? = rows[current(slug, respondent)] else { return nil }
        return .run(RunReference(app: client.app, id: id))
    }

    /// The rows of the client and the user.
    private func identified(_ rows: TransactionRows) -> [(name: RowName, value: RowValue)] {
        var (own, theirs) = (rows.state(of: client), rows.state(of: user))
        // State that a client brought to its first user is not given to a second one.
        theirs.surveys.merge(own.surveys)
        theirs.ledger.merge(own.ledger)
        theirs.memory.merge(own.memory)
        theirs.shows.merge(own.shows)
        (own.surveys, own.ledger, own.userID) = (SurveyStanding(), DisplayLedger(), user.id)
        (own.memory, own.shows) = (RespondentMemory(), ShowHistory())
        let alias = RowName.alias(user, clientID: client.id)
        return [(.client(client), .client(own)), (.user(user), .client(theirs))]
            + (rows[alias] == nil ? [(alias, .alias)] : [])
    }
}

/// Merges runs of a client with the user's runs of the same recipes. The submitted run becomes or stays the user's;
/// otherwise the user's own run stays. A draft that does not stay is deleted. A submitted response that does not stay
/// is kept without a respondent.
private struct RunMerge {
    let claim: IdentityClaim
    let rows: TransactionRows
    /// The ids of the client's runs, and of the user's.
    var own: RunList
    var theirs: RunList
    private(set) var changes: [(name: RowName, value: RowValue)] = []
    /// Recipes whose run has become the user's.
    private(set) var merged: [Identifier] = []
    /// The runs that are deleted, with their slots in quotas.
    private(set) var deleted: [Run] = []

    init(claim: IdentityClaim, rows: TransactionRows, own: RunList, theirs: RunList) {
        (self.claim, self.rows, self.own, self.theirs) = (claim, rows, own, theirs)
    }

    /// - Parameter other: the user's own run.
    mutating func add(_ run: Run, _ other: Run?, of slug: Identifier) {
        changes.append((claim.current(slug, .client(claim.client.id)), .currentRun(nil)))
        own.remove(run.id)
        switch (run.submittedAt != nil, other) {
        case (_, nil): take(run, slug)
        case (true, let other?) where other.submittedAt == nil:
            delete(other)
            take(run, slug)
        case (true, _):
            var run = run
            (run.respondent, run.mergedUserID) = (.anonymous, claim.user.id)
            write(run)
        case (false, _): delete(run)
        }
    }

    private mutating func take(_ run: Run, _ slug: Identifier) {
        var run = run
        run.respondent = .user(claim.user.id)
        write(run)
        changes.append((claim.current(slug, .user(claim.user.id)), .currentRun(run.id)))
        theirs.add(run.id)
        merged.append(slug)
    }

    private mutating func delete(_ run: Run) {
        deleted.append(run)
        theirs.remove(run.id)
        var run = run
        (run.deletedAt, run.quotas) = (claim.now, [])
        write(run)
    }

    private mutating func write(_ run: Run) {
        changes.append((.run(RunReference(app: claim.client.app, id: run.id)), .run(run)))
    }
}

extension TransactionRows {
    /// The run; nil if it is deleted.
    fileprivate func existingRun(_ name: RowName) -> Run? {
        guard case .run(let run)? = self[name], run.deletedAt == nil else { return nil }
        return run
    }
}

extension IdentifyClient {
    /// The maximum number of one client's runs that are searched at a time; a client has one of each recipe.
    private static let maximumRuns = 1_000

    public typealias Completion = @Sendable (Result<Outcome, StoreError>) -> Void

    /// Identifies the client. A second round finds runs that began between the search and the commit.
    public static func run(
        _ client: ClientReference, as userID: Identifier, by authority: Authority, in store: Persistence,
        now: Timestamp,
        _ completion: @escaping Completion
    ) {
        let user = UserReference(app: client.app, id: userID)
        let claim = IdentityClaim(client: client, user: user, slugs: [], authority: authority, now: now)
        round(claim, store, merged: [], rounds: 2, completion)
    }

    private static func round(
        _ claim: IdentityClaim, _ store: Persistence, merged: [Identifier], rounds: Int,
        _ completion: @escaping Completion
    ) {
        var query = RunQuery(app: claim.client.app, limit: maximumRuns)
        query.clientID = claim.client.id
        store.readRuns(query) { result in
            guard case .success(let runs) = result else {
                return completion(result.map { _ in .identified(merged: []) })
            }
            let own = runs.filter { $0.respondent == .client(claim.client.id) }.map(\.slug)
            if rounds < 2, own.isEmpty { return finish(claim, store, merged, completion) }
            let next = claim.moving(Set(own).sorted())
            store.submit(next.transaction) { result in
                switch result {
                case .success(.identified(let more)) where rounds > 1:
                    round(claim, store, merged: merged + more, rounds: rounds - 1, completion)
                case .success(.identified(let more)): finish(claim, store, merged + more, completion)
                case .success(.belongsToAnother): completion(.success(.belongsToAnother))
                case .failure(let error): completion(.failure(error))
                }
            }
        }
    }

    /// Enforces the limit of runs, because the user may have too many now.
    private static func finish(
        _ claim: IdentityClaim, _ store: Persistence, _ merged: [Identifier], _ completion: @escaping Completion
    ) {
        let done = { @Sendable in completion(.success(.identified(merged: merged))) }
        guard let list = Respondent.user(claim.user.id).runList(in: claim.user.app) else { return done() }
        RunLimit.enforce(on: list, in: store, now: claim.now, done)
    }
}
