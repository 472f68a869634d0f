public import BellwetherBase
public import BellwetherJSON

/// One line of the telemetry log: something that a client saw, did or answered, in Glean's terms
/// (docs/reference/events.md#telemetry-records).
public struct TelemetryRecord: Sendable, Hashable {
    public let at: Timestamp
    public let clientID: Identifier
    public let category: Identifier
    public let name: Identifier
    public let extra: JSONObject
    /// The recipe in which the client is enrolled, if the message names it.
    public let experiment: Identifier?
    public let branch: Identifier?
    /// The key of the message whose display or selection exposed the client; nil for other records.
    private let exposingMessage: Identifier?

    /// The key of the message that the record concerns; nil if there is none.
    public var messageKey: Identifier? {
        switch category {
        case "messaging", "microsurvey": extra["message_key"]?.identifier ?? extra["survey_id"]?.identifier
        default: exposingMessage
        }
    }

    public init(
        at: Timestamp, clientID: Identifier, category: Identifier, name: Identifier, extra: JSONObject,
        experiment: Identifier? = nil, branch: Identifier? = nil, exposingMessage: Identifier? = nil
    ) {
        self.at = at
        self.clientID = clientID
        self.category = category
        self.name = name
        self.extra = extra
        self.experiment = experiment
        self.branch = branch
        self.exposingMessage = exposingMessage
    }
}
