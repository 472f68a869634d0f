public import BellwetherBase
public import BellwetherJSON
public import Surveys

/// A query of an app's runs, newest first. Deleted runs are left out, unless the query includes them.
public struct RunQuery: Sendable {
    public let app: Identifier
    public var slug: Identifier?
    public var status: Run.Status?
    public var includesDeleted = false
    public var isSubmittedOnly = false
    public var isDevelopment: Bool?
    public var userID: Identifier?
    /// Whether a query by `userID` also finds the user's responses that no longer have a respondent
    /// (`Run.mergedUserID`).
    public var includesMerged = false
    public var clientID: Identifier?
    /// Whether only runs without a user as respondent are found.
    public var isWithoutUser = false
    /// Only runs that were last saved before this time.
    public var untouchedSince: Timestamp?
    public var after: RunCursor?
    public var limit: Int

    public init(app: Identifier, limit: Int) {
        self.app = app
        self.limit = limit
    }

    /// Whether the query finds a run of the app.
    public func means(_ run: Run) -> Bool {
        guard includesDeleted || run.deletedAt == nil, slug == nil || slug == run.slug else { return false }
        if let status, run.status != status { return false }
        if isSubmittedOnly, run.submittedAt == nil { return false }
        if let isDevelopment, run.isDevelopment != isDevelopment { return false }
        if let userID, run.respondent.userID != userID, !includesMerged || run.mergedUserID != userID { return false }
        if let clientID, run.clientID != clientID { return false }
        if isWithoutUser, run.respondent.userID != nil { return false }
        if let untouchedSince, run.updatedAt >= untouchedSince { return false }
        guard let after else { return true }
        return (run.createdAt, run.id) < (after.createdAt, after.id)
    }

    /// The order of a list.
    public static func isBefore(_ one: Run, _ other: Run) -> Bool {
        (one.createdAt, one.id) > (other.createdAt, other.id)
    }
}

/// The position at which a page of a list ended.
public struct RunCursor: Sendable, Hashable {
    public let createdAt: Timestamp
    public let id: Identifier

    public init(_ run: Run) { (createdAt, id) = (run.createdAt, run.id) }

    /// The position that is followed only by runs from before this time.
    public init(before time: Timestamp) { (createdAt, id) = (time, "") }

    /// `TIME-ID`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        (createdAt, id) = (Timestamp(milliseconds: time), Identifier(parts[1]))
    }

    public var text: String { "\(createdAt.milliseconds)-\(id)" }
}
