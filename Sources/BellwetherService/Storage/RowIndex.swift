public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The queries for rows without their names, in an order. Each is a range of an index; none contains a rule.
public enum RowIndex: Sendable {
    /// The answers of a client to microsurveys, by message.
    case answers(ClientReference)
    /// The answers of all clients to microsurveys after an id, by id. Ids begin with the time of the answer.
    case answersAfter(id: Identifier, app: Identifier)
    /// The aliases of a user, by client.
    case clients(of: UserReference)
    /// The aliases of a client, by user.
    case users(of: ClientReference)
    /// The current runs of a respondent, by recipe.
    case currentRuns(app: Identifier, respondent: Identifier)
    /// The stored replies about a client or user.
    case replies(Person)
    case repliesOfRun(RunReference)
    /// Runs, newest first. The query's limit is ignored.
    case runs(RunQuery)
    /// Runs that were deleted before a time, by the time.
    case deletedRuns(before: Timestamp)
    /// Runs that refer to a file.
    case runsWithFile(FileName)
    /// An app's webhooks, newest first. The query's limit is ignored.
    case webhooks(OutboxQuery)
    /// Webhooks about a client or user, in the order in which they were written.
    case webhooksAbout(Person)
    /// Webhooks that are to be sent, in the order in which they were written.
    case pendingWebhooks
    /// The same webhooks by their next attempt, without webhooks to some hosts.
    case dueWebhooks(exceptHosts: Set<String>)
    /// Webhooks that were given up, by the time of that.
    case deadWebhooks
    /// The small rows of an app and kind, by key. With a prefix, which ends with U+001F, the rows whose keys begin with
    /// it.
    case small(SmallRow.Kind, app: Identifier, prefix: String = "")
    /// All tokens, in no order.
    case tokens
    /// The revisions of a recipe, oldest first.
    case revisions(app: Identifier, slug: Identifier)
}

/// A row that was found.
public struct FoundRow: Sendable {
    public let name: RowName
    public let version: UInt64
    /// A failure if the row cannot be read.
    public let value: Result<RowValue, StoreError>

    public init(name: RowName, version: UInt64, value: Result<RowValue, StoreError>) {
        (self.name, self.version, self.value) = (name, version, value)
    }

    /// The row with another value.
    func write(_ value: RowValue) -> RowWrite { RowWrite(name: name, expected: version, value: value) }
}

/// A part of a store that is deleted by a range, oldest first, and not row by row.
public enum LogRange: Sendable {
    /// Records of an app's log up to a number. Afterwards the app's `RecordLog.expired` is this number, and
    /// `expiredUntil` is not before this time.
    case records(app: Identifier, through: Int64, until: Timestamp?)
    /// Ids of events that were received before a time.
    case eventIDs(before: Timestamp)
    /// Replies that were kept before a time.
    case replies(before: Timestamp)
}
