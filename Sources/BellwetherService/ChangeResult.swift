public import BellwetherCore

/// What the requester of a change is told once it is durable.
public enum ChangeResult: Sendable {
    case recorded(EventTally)
    case delivered(Delivery, EventTally?)
    case responded(ResponseOutcome)
}

/// How one request's events fared (api.md 2.2).
public struct EventTally: Sendable, Hashable {
    public var accepted = 0
    public var duplicates = 0
    /// In the order of the request.
    public var rejected: [EventRejection] = []

    public init() {}

    public mutating func add(_ other: EventTally) {
        accepted += other.accepted
        duplicates += other.duplicates
        rejected = (rejected + other.rejected).sorted { $0.index < $1.index }
    }
}

/// How an answer fared (api.md 2.3).
public enum ResponseOutcome: Sendable, Hashable {
    case stored(SurveyResponse)
    /// The same request again: the first answer.
    case repeated(SurveyResponse)
    /// The client has answered this survey already.
    case alreadyResponded
}
