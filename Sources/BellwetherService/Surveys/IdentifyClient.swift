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
    /// The client's runs.
    var runs: [RunName] = []
    let authority: IdentifyClient.Authority
    let app: AppSnapshot
    let now: Timestamp
    /// The name of the streams whose reader identifies the client.
    let stream: String?

    struct RunName: Sendable {
        let slug: Identifier
        let id: Identifier
        let round: Int?
    }

    var transaction: Transaction<IdentifyClient.Outcome> {
        Transaction(names: names, now: now) { step($0) }.notifying(except: stream)
    }

    private var slugs: [Identifier] { Set(runs.map(\.slug)).sorted() }

    private var names: [RowName] {
        [.client(client), .user(user), .alias(user, clientID: client.id)]
            + [list(.client(client.id)), list(.user(user.id))]
            + slugs.flatMap { [current($0, .client(client.id)), current($0, .user(user.id))] }
            + rounds.map { .run(reference($0.id)) }
    }

    /// The runs of recipes that repeat, or did. Of others only the current run may become the user's.
    private var rounds: [RunName] { runs.filter { repeats($0.slug) } }

    func repeats(_ slug: Identifier) -> Bool {
        app.recipes[slug]?.recipe.repeats != nil || runs.contains { $0.slug == slug && $0.round ?? 1 > 1 }
    }

    func reference(_ id: Identifier) -> RunReference { RunReference(app: client.app, id: id) }

    /// The claim for these runs.
    func moving(_ runs: [RunName]) -> IdentityClaim {
        var claim = self
        claim.runs = runs
        return claim
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
        let currents = slugs.map { slug in
            (
                slug: slug, own: run(of: .client(client.id), slug, rows),
                theirs: run(of: .user(user.id), slug, rows)
            )
        }
        let names = currents.flatMap { [$0.own, $0.theirs].compactMap(\.self) }
        let missing = names.filter { !rows.isLoaded($0) }
        guard missing.isEmpty else { return .needs(missing) }
        let unread = names.flatMap { name in
            rows.existingRun(name).map { QuotaSlots.names([$0], client.app) } ?? []
        }.filter { !rows.isLoaded($0) }
        guard unread.isEmpty else { return .needs(unread) }
        let states = merged(rows)
        let sources = factSources(of: states.user.facts)
        let unnoted = sources.filter { !rows.isLoaded($0) }
        guard unnoted.isEmpty else { return .needs(unnoted) }
        var merge = RunMerge(
            claim: self, before: rows.state(of: user).surveys, after: states.user.surveys,
            own: rows.runList(list(.client(client.id))), theirs: rows.runList(list(.user(user.id))))
        for (slug, own, theirs) in currents {
            let other = theirs.flatMap { rows.existingRun($0) }
            if repeats(slug) {
                let ids = Set(
                    rounds.filter { $0.slug == slug }.map { RowName.run(reference($0.id)) } + [own].compactMap(\.self))
                merge.add(ids.compactMap { rows.existingRun($0) }, other, ofRepeating: slug)
            } else if let own = own.flatMap({ rows.existingRun($0) }) {
                merge.add(own, other, of: slug)
            }
        }
        var outcome = TransactionOutcome(
            result: IdentifyClient.Outcome.identified(merged: merge.merged.sorted()))
        // Runs of several recipes may have slots in one tally.
        let released = QuotaSlots.released(merge.deleted, of: client.app, in: rows)
        outcome.rows = merge.changes + released + identified(states, rows)
        let written = Set(merge.changes.map(\.name))
        for name in sources where !written.contains(name) {
            guard var run = rows.existingRun(name), run.respondent == .client(client.id) else { continue }
            run.factUserID = user.id
            outcome.rows.append((name, .run(run)))
        }
        if !slugs.isEmpty {
            outcome.rows += [
                (list(.client(client.id)), .runList(merge.own)), (list(.user(user.id)), .runList(merge.theirs)),
            ]
        }
        return .done(outcome)
    }

    /// The client's runs whose answers are facts of the user. One that stays with the client remembers the user.
    private func factSources(of facts: RespondentFacts) -> [RowName] {
        guard !facts.isEmpty else { return [] }
        return runs.filter { facts.contains(RespondentFacts.SourceDigest($0.id)) }.map { .run(reference($0.id)) }
    }

    private func run(of respondent: Respondent, _ slug: Identifier, _ rows: TransactionRows) -> RowName? {
        guard case .currentRun(let id?)? = rows[current(slug, respondent)] else { return nil }
        return .run(reference(id))
    }

    /// The states of the client and of the user afterwards.
    private func merged(_ rows: TransactionRows) -> (client: ClientState, user: ClientState) {
        var (own, theirs) = (rows.state(of: client), rows.state(of: user))
        // State that a client brought to its first user is not given to a second one.
        theirs.surveys.merge(own.surveys)
        let messages = ClientMessages(app, own)
        theirs.ledger.merge(own.ledger, under: theirs.surveys, app.catalog, at: now) { messages.facts(of: $0) }
        theirs.memory.merge(own.memory)
        theirs.facts.merge(own.facts)
        theirs.shows.merge(own.shows)
        (own.surveys, own.ledger, own.userID) = (SurveyStanding(), DisplayLedger(), user.id)
        (own.memory, own.shows, own.facts) = (RespondentMemory(), ShowHistory(), RespondentFacts())
        return (own, theirs)
    }

    /// The rows of the client and the user.
    private func identified(
        _ states: (client: ClientState, user: ClientState), _ rows: TransactionRows
    ) -> [(name: RowName, value: RowValue)] {
        let alias = RowName.alias(user, clientID: client.id)
        return [(.client(client), .client(states.client)), (.user(user), .client(states.user))]
            + (rows[alias] == nil ? [(alias, .alias)] : [])
    }
}

/// Merges runs of a client with the user's runs of the same recipes (docs/reference/surveys.md#identity).
private struct RunMerge {
    let claim: IdentityClaim
    /// The user's answers before the merge, and after it.
    let before: SurveyStanding
    let after: SurveyStanding
    /// The ids of the client's runs, and of the user's.
    var own: RunList
    var theirs: RunList
    private(set) var changes: [(name: RowName, value: RowValue)] = []
    /// Recipes of which a run has become the user's.
    private(set) var merged: [Identifier] = []
    /// The runs that are deleted, with their slots in quotas.
    private(set) var deleted: [Run] = []

    init(claim: IdentityClaim, before: SurveyStanding, after: SurveyStanding, own: RunList, theirs: RunList) {
        (self.claim, self.before, self.after, self.own, self.theirs) = (claim, before, after, own, theirs)
    }

    /// Merges the run of a recipe that does not repeat. The submitted run becomes or stays the user's; otherwise the
    /// user's own run stays. A draft that does not stay is deleted. A submitted response that does not stay is kept
    /// without a respondent.
    ///
    /// - Parameter other: the user's own run.
    mutating func add(_ run: Run, _ other: Run?, of slug: Identifier) {
        leave([run], slug)
        switch (run.submittedAt != nil, other) {
        case (_, nil): makeCurrent(take(run))
        case (true, let other?) where other.submittedAt == nil:
            delete(other)
            makeCurrent(take(run))
        case (true, _): release(run)
        case (false, _): delete(run)
        }
    }

    /// Merges the runs of a repeating recipe. If the user has no answers, the client's become the user's, with their
    /// rounds; otherwise they are kept without a respondent. Of two drafts the user's stays, and none if the next round
    /// is not open (docs/reference/rounds.md#identify-and-import).
    ///
    /// - Parameter other: the user's newest run.
    mutating func add(_ runs: [Run], _ other: Run?, ofRepeating slug: Identifier) {
        leave(runs, slug)
        var newest = other
        for run in runs.sorted(by: Self.isEarlier) where run.status != .draft {
            if run.submittedAt != nil, before.hasAnswers(of: slug) {
                release(run)
            } else {
                let taken = take(run)
                if newest?.status != .draft { newest = taken }
            }
        }
        let drafts = [other, runs.first { $0.status == .draft }].compactMap(\.self).filter { $0.status == .draft }
        let kept = isOpen(slug) ? drafts.first : nil
        for draft in drafts where draft.id != kept?.id { delete(draft) }
        if var kept {
            kept.round = after.rounds(of: slug) + 1
            if kept.formerValues == nil { kept.follow(newest) }
            newest = kept.respondent.userID == nil ? take(kept) : kept
            if kept.respondent.userID != nil { write(kept) }
        } else if newest?.status == .draft {
            newest = nil
        }
        if let other, other.id != newest?.id { theirs.remove(other.id) }
        if let newest {
            makeCurrent(newest)
        } else {
            changes.append((claim.current(slug, .user(claim.user.id)), .currentRun(nil)))
        }
    }

    private func isOpen(_ slug: Identifier) -> Bool {
        let rule = claim.app.recipes[slug]?.recipe.repeats
        guard case .open = after.state(of: slug, rule, hasReached: { $0 <= claim.now }) else { return false }
        return true
    }

    private static func isEarlier(_ one: Run, _ other: Run) -> Bool {
        (one.round ?? 1, one.createdAt, one.id) < (other.round ?? 1, other.createdAt, other.id)
    }

    /// Removes the runs from the client.
    private mutating func leave(_ runs: [Run], _ slug: Identifier) {
        changes.append((claim.current(slug, .client(claim.client.id)), .currentRun(nil)))
        for run in runs { own.remove(run.id) }
    }

    /// Gives a run to the user.
    private mutating func take(_ run: Run) -> Run {
        var run = run
        run.respondent = .user(claim.user.id)
        write(run)
        if merged.last != run.slug { merged.append(run.slug) }
        return run
    }

    /// Makes a run the one that the user continues, and that counts for the limit of runs.
    private mutating func makeCurrent(_ run: Run) {
        changes.append((claim.current(run.slug, .user(claim.user.id)), .currentRun(run.id)))
        theirs.add(run.id)
    }

    /// Keeps a run without a respondent.
    private mutating func release(_ run: Run) {
        var run = run
        (run.respondent, run.mergedUserID) = (.anonymous, claim.user.id)
        write(run)
    }

    private mutating func delete(_ run: Run) {
        deleted.append(run)
        theirs.remove(run.id)
        var run = run
        (run.deletedAt, run.quotas) = (claim.now, [])
        write(run)
    }

    private mutating func write(_ run: Run) {
        changes.append((.run(claim.reference(run.id)), .run(run)))
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
    /// The number of one client's runs that are searched at a time.
    private static let maximumRuns = 1_000

    public typealias Completion = @Sendable (Result<Outcome, StoreError>) -> Void

    /// Identifies the client. A second round finds runs that began between the search and the commit.
    ///
    /// - Parameter stream: the name of the streams whose reader identifies the client.
    public static func run(
        _ client: ClientReference, as userID: Identifier, by authority: Authority, in app: AppSnapshot,
        _ store: Persistence, now: Timestamp, stream: String? = nil, _ completion: @escaping Completion
    ) {
        let user = UserReference(app: client.app, id: userID)
        let claim = IdentityClaim(client: client, user: user, authority: authority, app: app, now: now, stream: stream)
        attempt(claim, store, merged: [], isLast: false, completion)
    }

    private static func attempt(
        _ claim: IdentityClaim, _ store: Persistence, merged: [Identifier], isLast: Bool,
        _ completion: @escaping Completion
    ) {
        var query = RunQuery(app: claim.client.app, limit: maximumRuns)
        query.clientID = claim.client.id
        search(query, [], of: claim.client, store) { result in
            let runs: [IdentityClaim.RunName]
            switch result {
            case .success(let found): runs = found
            case .failure(let error): return completion(.failure(error))
            }
            if isLast, runs.isEmpty { return finish(claim, store, merged, completion) }
            store.submit(claim.moving(runs).transaction) { result in
                switch result {
                case .success(.identified(let more)) where !isLast:
                    attempt(claim, store, merged: merged + more, isLast: true, completion)
                case .success(.identified(let more)): finish(claim, store, merged + more, completion)
                case .success(.belongsToAnother): completion(.success(.belongsToAnother))
                case .failure(let error): completion(.failure(error))
                }
            }
        }
    }

    /// Finds the runs whose respondent is the client, page by page.
    private static func search(
        _ query: RunQuery, _ found: [IdentityClaim.RunName], of client: ClientReference, _ store: Persistence,
        _ completion: @escaping @Sendable (Result<[IdentityClaim.RunName], StoreError>) -> Void
    ) {
        store.readRuns(query) { result in
            guard case .success(let runs) = result else { return completion(result.map { _ in [] }) }
            let own = runs.filter { $0.respondent == .client(client.id) }
            let names = found + own.map { IdentityClaim.RunName(slug: $0.slug, id: $0.id, round: $0.round) }
            guard runs.count == query.limit, let last = runs.last else { return completion(.success(names)) }
            var next = query
            next.after = RunCursor(last)
            search(next, names, of: client, store, completion)
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
