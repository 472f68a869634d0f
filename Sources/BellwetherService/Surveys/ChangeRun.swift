public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import Surveys

/// An owner's change of a response: triage, comments, deletion (docs/reference/surveys.md#responses).
public struct ChangeRun: Sendable {
    public enum Change: Sendable {
        case status(Run.Status)
        case delete
        /// The run is older than its retention. The next deletion removes it, and its respondent has still responded.
        case expire
        case addComment(body: String)
        case editComment(number: Int, body: String)
        case deleteComment(number: Int)
    }

    public enum Outcome: Sendable {
        case changed(Run)
        case unknownRun
        case unknownComment
        /// A draft, a preview or a screened-out run has no status that can be set.
        case hasNoStatus(Run.Status)
        /// Another owner wrote the comment.
        case foreignComment
        case tooManyComments
    }

    public let run: RunReference
    public let change: Change
    /// The author of the change: the name of a token.
    public let author: String
    public let now: Timestamp
    /// Whether the audit gets an entry: an owner requested the change, and it has no record of its own.
    public var isAudited = false
    /// Whether comments of others may be deleted.
    public var isAdmin = false

    public init(_ change: Change, of run: RunReference, by author: String, now: Timestamp) {
        (self.change, self.run, self.author, self.now) = (change, run, author, now)
    }

    /// The maximum number of comments on a response.
    public static let maximumComments = 200

    /// - Parameter bytes: the bytes of the request.
    public func run(
        in store: Persistence, bytes: Int = 0, _ completion: @escaping @Sendable (Result<Outcome, StoreError>) -> Void
    ) {
        store.submit(transaction.keeping(bytes: bytes), completion)
    }

    var transaction: Transaction<Outcome> {
        Transaction(names: [.run(run)], now: now) { rows in
            guard let current = rows.run(run), current.deletedAt == nil else { return finish(.unknownRun) }
            switch change {
            case .delete, .expire: return audited(delete(current, rows), of: current)
            default: return audited(edit(current), of: current)
            }
        }
    }

    /// Adds the audit's entry, if the run has changed.
    private func audited(_ step: TransactionStep<Outcome>, of current: Run) -> TransactionStep<Outcome> {
        guard isAudited, case .done(var outcome) = step, case .changed(let changed) = outcome.result,
            changed != current
        else { return step }
        let origin = ChangeOrigin(author: author, at: now)
        func entry(_ action: AuditEntry.Action, comment number: Int? = nil) -> AuditEntry {
            let kind: AuditEntry.Kind = number == nil ? .response : .comment
            var entry = AuditEntry(action, kind, of: current, in: run.app, origin)
            entry.facts["comment"] = number.map { .integer(Int64($0)) }
            return entry
        }
        switch change {
        case .status(let status):
            var entry = entry(.change)
            entry.facts["status"] = .string(status.rawValue)
            entry.facts["previous_status"] = .string(current.status.rawValue)
            outcome.audit = [entry]
        case .delete: outcome.audit = [entry(.delete)]
        case .addComment: outcome.audit = [entry(.create, comment: changed.commentCount)]
        case .editComment(let number, _): outcome.audit = [entry(.change, comment: number)]
        case .deleteComment(let number): outcome.audit = [entry(.delete, comment: number)]
        case .expire: break
        }
        return .done(outcome)
    }

    private func finish(_ outcome: Outcome) -> TransactionStep<Outcome> {
        .done(TransactionOutcome(result: outcome))
    }

    private func write(_ changed: Run) -> TransactionStep<Outcome> {
        var outcome = TransactionOutcome(result: Outcome.changed(changed))
        outcome.rows = [(.run(run), .run(changed))]
        return .done(outcome)
    }

    private func edit(_ current: Run) -> TransactionStep<Outcome> {
        var changed = current
        switch change {
        case .status(let status):
            guard current.status.isTriage else { return finish(.hasNoStatus(current.status)) }
            changed.status = status
        case .addComment(let body):
            guard changed.comments.count < Self.maximumComments else { return finish(.tooManyComments) }
            changed.commentCount += 1
            changed.comments.append(
                Run.Comment(
                    number: changed.commentCount, author: author, body: body, createdAt: now, updatedAt: now))
        case .editComment(let number, let body):
            guard let index = changed.comments.firstIndex(where: { $0.number == number }) else {
                return finish(.unknownComment)
            }
            guard changed.comments[index].author == author else { return finish(.foreignComment) }
            changed.comments[index].body = body
            changed.comments[index].updatedAt = now
        case .deleteComment(let number):
            guard let index = changed.comments.firstIndex(where: { $0.number == number }) else {
                return finish(.unknownComment)
            }
            guard isAdmin || changed.comments[index].author == author else { return finish(.foreignComment) }
            changed.comments.remove(at: index)
        case .delete, .expire: break
        }
        return write(changed)
    }

    /// Deletes the run. The respondent may answer again, unless the run expires.
    private func delete(_ current: Run, _ rows: TransactionRows) -> TransactionStep<Outcome> {
        var changed = current
        let isExpiry = if case .expire = change { true } else { false }
        changed.deletedAt = isExpiry ? Timestamp(milliseconds: 0) : now
        // A submitted response keeps its slot in a quota when it expires: a quota counts all that it has admitted.
        let keepsSlots = isExpiry && current.submittedAt != nil
        let tallies = QuotaSlots.names([current], run.app, ofExpired: keepsSlots)
        let holder = current.factHolder(in: run.app)
        let unread = (tallies + [holder].compactMap(\.self)).filter { !rows.isLoaded($0) }
        guard unread.isEmpty else { return .needs(unread) }
        var counted =
            keepsSlots
            ? QuotaSlots.expired(current, of: run.app, in: rows)
            : QuotaSlots.released([current], of: run.app, in: rows)
        if let holder { counted += rows.forgetting(current, in: holder) }
        changed.quotas = []
        guard let key = current.respondent.key else {
            var outcome = TransactionOutcome(result: Outcome.changed(changed))
            outcome.rows = [(.run(run), .run(changed))] + counted
            return .done(outcome)
        }
        let name = RowName.currentRun(app: run.app, slug: current.slug, respondent: key)
        let owner = current.respondentName(in: run.app) ?? name
        let list = RowName.runList(app: run.app, respondent: key)
        var missing = [name, owner, list].filter { !rows.isLoaded($0) }
        var draft: Run?
        if case .currentRun(let id?)? = rows[name], id != run.id, !isExpiry {
            let next = RunReference(app: run.app, id: id)
            if !rows.isLoaded(.run(next)) { missing.append(.run(next)) }
            draft = rows.run(next).flatMap { $0.status == .draft && $0.deletedAt == nil ? $0 : nil }
        }
        guard missing.isEmpty else { return .needs(missing) }
        var outcome = TransactionOutcome(result: Outcome.changed(changed))
        outcome.rows = [(.run(run), .run(changed))] + counted
        if case .runList(var listed)? = rows[list] {
            listed.remove(run.id)
            outcome.rows.append((list, .runList(listed)))
        }
        if case .currentRun(let id)? = rows[name], id == run.id { outcome.rows.append((name, .currentRun(nil))) }
        guard current.submittedAt != nil, case .client(var state)? = rows[owner] else { return .done(outcome) }
        state.facts.forget(RespondentFacts.SourceDigest(run.id))
        if !isExpiry, let round = current.round {
            state.surveys.withdraw(current.slug, round: round)
            // The draft of the next round is now one of the round that opened again.
            if var draft, draft.round != state.surveys.rounds(of: current.slug) + 1 {
                draft.round = state.surveys.rounds(of: current.slug) + 1
                draft.formerValues = current.formerValues
                outcome.rows.append((.run(RunReference(app: run.app, id: draft.id)), .run(draft)))
            }
        }
        if rows[owner] != .client(state) { outcome.rows.append((owner, .client(state))) }
        return .done(outcome)
    }
}
