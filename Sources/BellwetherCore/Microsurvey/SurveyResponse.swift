public import BellwetherBase
public import BellwetherJSON

/// A client's only answer to one microsurvey, as it is stored (docs/reference/http-api.md#microsurvey-answers).
public struct SurveyResponse: Sendable, Hashable {
    /// A UUIDv7 made by the daemon.
    public let id: Identifier
    public let clientID: Identifier
    public let message: Identifier
    /// The `id` that the client sent. It distinguishes a repeated request from a second answer.
    public let requestID: Identifier?
    /// The option's index in the resolved list of `revision`.
    public let optionIndex: Int
    /// The option as its author wrote it: a string id, or a literal text.
    public let optionStringID: Identifier
    /// The localized text of the option that the client displayed.
    public let text: String
    public let locale: String
    public let revision: Int
    public let submittedAt: Timestamp
    /// The client's branch in the recipe that the message names.
    public var enrollment: EnrolledBranch?

    public init(
        id: Identifier, clientID: Identifier, message: Identifier, requestID: Identifier?, optionIndex: Int,
        optionStringID: Identifier,
        text: String, locale: String, revision: Int, submittedAt: Timestamp
    ) {
        self.id = id
        self.clientID = clientID
        self.message = message
        self.requestID = requestID
        self.optionIndex = optionIndex
        self.optionStringID = optionStringID
        self.text = text
        self.locale = locale
        self.revision = revision
        self.submittedAt = submittedAt
    }
}
