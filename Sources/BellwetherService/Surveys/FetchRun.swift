internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
public import Surveys

/// What a respondent finds who asks for a questionnaire or survey (docs/reference/surveys.md#eligibility).
public struct FetchRun: Sendable {
    public enum Ineligibility: String, Sendable, Hashable {
        case inactive
        case globallyDismissed = "globally_dismissed"
        case alreadyResponded = "already_responded"
    }

    public struct Finding: Sendable {
        /// Nil: it may be shown.
        public var reason: Ineligibility?
        /// The draft to go on with.
        public var draft: Run?
        /// What the respondent has chosen in other surveys.
        public var memory = RespondentMemory()
    }

    let ids: RespondentIDs
    let slug: String
    /// What is named by an earlier save.
    let responseID: String?
    let isForced: Bool
    let isActive: Bool

    /// - Parameter isForced: whatever the respondent has done before.
    public init(
        _ ids: RespondentIDs, of recipe: LoadedRecipe, responseID: String? = nil, isForced: Bool
    ) {
        (self.ids, self.responseID, self.isForced) = (ids, responseID, isForced)
        slug = recipe.stored.slug
        isActive = recipe.isLive && recipe.content?.definition.isActive == true
    }

    public var names: [RowName] {
        ids.names + (responseID.map { [.run(RunReference(app: ids.app, id: $0))] } ?? [])
    }

    /// Reasons in their order: inactive, globally dismissed, already responded. Force overrides all but the first.
    public func answer(_ rows: TransactionRows) -> Inquiry<Finding> {
        guard isActive else { return .done(Finding(reason: .inactive)) }
        let respondent = RespondentRows(ids: ids, rows: rows)
        var missing = respondent.missing
        let name = respondent.currentRun(of: slug)
        if let name, !rows.isLoaded(name) { missing.append(name) }
        guard missing.isEmpty else { return .needs(missing) }
        let id = respondent.currentRunID(of: slug) ?? (name == nil ? responseID : nil)
        let run = id.map { RunReference(app: ids.app, id: $0) }
        if let run, !rows.isLoaded(.run(run)) { return .needs([.run(run)]) }
        let found = run.flatMap { rows.run($0) }.flatMap { $0.deletedAt == nil && $0.slug == slug ? $0 : nil }
        let standing = respondent.standing(for: slug)
        let hasResponded = standing.hasResponded || found.map { $0.status != .draft } ?? false
        if !isForced {
            if standing.hasDismissedAll { return .done(Finding(reason: .globallyDismissed)) }
            if hasResponded { return .done(Finding(reason: .alreadyResponded)) }
        }
        return .done(Finding(draft: hasResponded ? nil : found, memory: respondent.state.memory))
    }
}
