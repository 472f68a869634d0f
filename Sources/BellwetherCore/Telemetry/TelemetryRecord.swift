public import BellwetherBase
public import BellwetherJSON

/// One line of the telemetry log: something that a client saw, did or answered, in Glean's terms
/// (docs/reference/events.md#telemetry-records).
public struct TelemetryRecord: Sendable, Hashable {
    public let at: Timestamp
    public let clientID: String
    public let category: String
    public let name: String
    public let extra: JSONObject
    /// The recipe in which the client is enrolled, if the message names it.
    public let experiment: String?
    public let branch: String?
    /// The key of the message whose display or selection exposed the client; nil for other records.
    private let exposingMessage: String?

    /// The key of the message that the record concerns; nil if there is none.
    public var messageKey: String? {
        switch category {
        case "messaging", "microsurvey": extra["message_key"]?.string ?? extra["survey_id"]?.string
        default: exposingMessage
        }
    }

    public init(
        at: Timestamp, clientID: String, category: String, name: String, extra: JSONObject,
        experiment: String? = nil, branch: String? = nil, exposingMessage: String? = nil
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
