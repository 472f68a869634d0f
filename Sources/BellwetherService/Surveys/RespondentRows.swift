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

    func standing(for slug: Identifier) -> RespondentStanding {
        let surveys = state.surveys
        return RespondentStanding(
            hasDismissedAll: surveys.dismissedAt != nil, hasResponded: surveys.hasSubmitted(slug))
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
