internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Facts follow responses: a submitted one brings its answers, and one that is deleted takes them with it
/// (docs/reference/audiences.md#answers).
extension RespondentFacts {
    /// Notes the facts of a run that its respondent has just submitted. Previews, runs of development and runs that
    /// were screened out bring none.
    mutating func note(_ run: Run, of content: any PublishedContent) {
        guard let time = run.submittedAt, !run.isDevelopment, run.status != .preview, run.status != .screenedOut
        else { return }
        for answer in content.facts(of: run) {
            note(answer.value, as: answer.name, at: time, of: SourceDigest(run.id))
        }
    }
}

extension Run {
    /// The user whose facts may be answers of the run, beside those of its respondent: an identification has moved
    /// them.
    var factUser: Identifier? { submittedAt == nil ? nil : mergedUserID ?? factUserID }

    func factHolder(in app: Identifier) -> RowName? { factUser.map { .user(UserReference(app: app, id: $0)) } }
}

extension TransactionRows {
    /// The change that removes the facts of a deleted run from a loaded row; empty if it has none.
    func forgetting(_ run: Run, in name: RowName) -> [(name: RowName, value: RowValue)] {
        let response = RespondentFacts.SourceDigest(run.id)
        guard case .client(var state)? = self[name], state.facts.contains(response) else { return [] }
        state.facts.forget(response)
        return [(name, .client(state))]
    }
}

/// The state of a respondent for expressions that a request reads: the client's, with the facts of the respondent.
public enum PersonState {
    public static func read(
        _ ids: RespondentIDs, in store: Persistence,
        _ completion: @escaping @Sendable (Result<ClientState, StoreError>) -> Void
    ) {
        let question: @Sendable (TransactionRows) -> Inquiry<ClientState> = { rows in
            let respondent = RespondentRows(ids: ids, rows: rows)
            return respondent.missing.isEmpty ? .done(respondent.personState) : .needs(respondent.missing)
        }
        store.inquire(ids.names, question, completion)
    }
}
