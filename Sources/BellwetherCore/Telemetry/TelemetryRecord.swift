public import BellwetherBase
public import BellwetherJSON

/// One line of the telemetry log: what a client saw, did or answered, in Glean's words
/// (docs/reference/events.md#telemetry-records).
public struct TelemetryRecord: Sendable, Hashable {
    public let at: Timestamp
    public let clientID: String
    public let category: String
    public let name: String
    public let extra: JSONObject
    /// The recipe under which the client is enrolled, when the message names it.
    public let experiment: String?
    public let branch: String?

    /// The message that it is about; nil for what is about none.
    public var messageKey: String? {
        switch category {
        case "messaging", "microsurvey": extra["message_key"]?.string ?? extra["survey_id"]?.string
        default: nil
        }
    }

    public init(
        at: Timestamp, clientID: String, category: String, name: String, extra: JSONObject,
        experiment: String? = nil, branch: String? = nil
    ) {
        self.at = at
        self.clientID = clientID
        self.category = category
        self.name = name
        self.extra = extra
        self.experiment = experiment
        self.branch = branch
    }
}
